package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStdin keeps testdata/stdin what it says it is: what functions get on stdin for the package testdata/stdin/package.
// Other tests read these files as specimens of real input.
// The package has a single key under configMap, because kpt sends several in an order that changes from run to run.
func TestStdin(t *testing.T) {
	bin, err := fake()
	if err != nil {
		t.Fatal(err)
	}
	found, err := clients()
	if err != nil {
		t.Fatal(err)
	}
	// The pipeline has five steps: that of the package in the package (0), then its own, in the order of the Kptfile.
	const configMap, configPath, none = 1, 2, 4
	render := []string{"fn", "render", "package", "--allow-exec"}
	eval := []string{"fn", "eval", "package", "--exec", "fake"}
	tests := []struct {
		file    string
		clients []Client
		args    []string
		step    int
	}{
		{"kpt-render", found.kpt, render, configMap},
		{"kpt-render-config-path", found.kpt, render, configPath},
		{"kpt-render-no-config", found.kpt, render, none},
		{"kpt-eval", found.kpt, eval, 0},
		{"kpt-eval-args", found.kpt, append(eval, "--", "preset=privileged", "port=5000", "long=a b"), 0},
		{"kpt-eval-fn-config", found.kpt, append(eval, "--fn-config", "package/fn-config.yaml"), 0},
		{"kustomize", found.kustomize, []string{"build", "--enable-alpha-plugins", "--enable-exec", "package"}, 0},
	}
	for _, test := range tests {
		for i, client := range test.clients {
			t.Run(fmt.Sprintf("%s %s", test.file, client), func(t *testing.T) {
				got := stdin(t, bin, client, test.args, test.step)
				file := filepath.Join("testdata", "stdin", test.file+".yaml")
				if os.Getenv("UPDATE") != "" && i == 0 {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if string(want) != got {
					t.Errorf("%s is not what %s sends; it sends\n%s", file, client, got)
				}
			})
		}
	}
}

// stdin is what a function gets in one step of a run, with /packages for the folder that the package is in.
func stdin(t *testing.T, bin string, client Client, args []string, step int) string {
	t.Helper()
	temporary, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(temporary, "package"), os.DirFS(filepath.Join("testdata", "stdin", "package"))); err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(temporary, "dump")
	if err := os.Mkdir(dump, 0o755); err != nil {
		t.Fatal(err)
	}
	env := append(Runner{Bin: bin}.path(), "E2E_DUMP="+dump)
	if _, err := succeed(temporary, env, client.Path, args...); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dump, fmt.Sprintf("%d.yaml", step)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), temporary, "/packages")
}
