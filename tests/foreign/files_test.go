//go:build unix

package foreign

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/cli"
)

// Pipes, devices and links in the places of files are never waited for, nor read, nor
// written through; names that differ in letter case, and those that are too long, are files
// like others or an error.
func TestFiles(t *testing.T) {
	const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
`
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	link := func(to string) func(string) error {
		return func(path string) error { return os.Symlink(to, path) }
	}
	long := strings.Repeat("n", 250) + ".yaml"
	for _, at := range []string{"p/Kptfile", "p/.krmignore", "p/a.yaml", "p/sub/Kptfile", "dir/pack.json", "dir/values.yaml", "dir/presets.yaml", "dir/charts/c.tgz", "dir/charts/c", "sets/set.yaml", "results.yaml", "before/r/p/Kptfile", "before/.packfn-fleet", "p/A.yaml", "p/" + long} {
		for what, make := range map[string]func(string) error{
			"a pipe": pipe, "a device": link("/dev/zero"), "a link to a device": link("device"), "a link outside": link(strings.Repeat("../", strings.Count(at, "/")+1) + "outside/canary"),
			"a link to itself": link(filepath.Base(at)), "a folder": func(path string) error { return os.Mkdir(path, 0o755) },
		} {
			t.Run(at+"/"+what, func(t *testing.T) {
				above := t.TempDir()
				work := filepath.Join(above, "work")
				for path, text := range map[string]string{
					"outside/canary":        secret,
					"work/p/Kptfile":        kptfile,
					"work/p/a.yaml":         "a: 1\n",
					"work/p/sub/Kptfile":    kptfile,
					"work/dir/pack.json":    `{"name": "x", "version": "1.0.0", "charts": ["charts/c.tgz", "charts/c"]}`,
					"work/dir/values.yaml":  "a: 1\n",
					"work/dir/presets.yaml": "presets: []\n",
					"work/dir/charts/c.tgz": string(archive(strings.NewReplacer("NAME", "c", "SECRET", "inside"), "c")),
					"work/results.yaml": `apiVersion: kpt.dev/v1
kind: FunctionResultList
`,
					"work/sets/set.yaml": `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: v}
spec:
  upstream: {repo: a, package: p, workspaceName: v1}
  downstream: {repo: r, package: p}
`,
					"work/before/r/p/Kptfile": kptfile,
				} {
					path = filepath.Join(above, path)
					os.MkdirAll(filepath.Dir(path), 0o755)
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.Symlink("/dev/zero", filepath.Join(work, filepath.Dir(at), "device")); err != nil {
					t.Fatal(err)
				}
				os.Remove(filepath.Join(work, at))
				if err := make(filepath.Join(work, at)); err != nil {
					t.Fatal(err)
				}
				t.Chdir(work)
				before := outside(t, above)
				for _, args := range [][]string{
					{"check", "p"}, {"check", "p", "--as-written"}, {"check", "dir"}, {"check", at}, {"check", "p", "--charts", "dir"}, {"check", "p", "--baseline", at}, {"fix", "p", "--dry-run"}, {"list", "values", "dir"},
					{"import", "dir", "--to", "imported"}, {"import", "dir", "--to", "p", "--force"}, {"export", "p", "--to", "out", "--force"}, {"export", "p", "--to", ".", "--force"}, {"upgrade", "p", "dir"}, {"report", at}, {"report", "--merge", at}, {"check", "p", "--config", at}, {"report", "results.yaml", "--package", "p"},
					{"fleet", "--set", "sets", "--upstream", "p"}, {"fleet", "--set", "sets", "--upstream", "p", "--against", "before"}, {"fleet", "--set", "sets", "--upstream", "p", "--downstream", "r=before/r"},
					{"fleet", "--set", "sets", "--upstream", "p", "--to", "fleet"}, {"render", "p"},
					{"template", "dir"}, {"template", "p", "--charts", "dir", "--to", "tree"}, {"images", "dir"}, {"check", "dir", "--template"},
				} {
					top, _, _ := strings.Cut(at, "/")
					if !slices.ContainsFunc(args, func(arg string) bool { return arg == at || arg == top || strings.Contains(arg, "="+top) }) {
						continue // a command that does not go there
					}
					var stdout, stderr bytes.Buffer
					cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs}, args, strings.NewReader(""), &stdout, &stderr)
					for _, output := range []string{stdout.String(), stderr.String()} {
						if strings.Contains(output, secret) {
							t.Errorf("%q: shows what is outside: %.300q", args, output)
						}
					}
				}
				if diff := cmp.Diff(before, outside(t, above)); diff != "" {
					t.Errorf("written outside (-want +got):\n%s", diff)
				}
				for _, dir := range []string{"imported", "fleet", "out"} {
					filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
						if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), secret) {
							t.Errorf("%s has a copy of what is outside", path)
						}
						return nil
					})
				}
			})
		}
	}
}
