package packfn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Links that the user names are followed by all commands that write, and told: they stay links.
// Those in what is written are not followed.
func TestNamedLinks(t *testing.T) {
	for name, tc := range map[string]struct {
		args   string
		target string // of the link
		want   string // a file of the target
		code   int
	}{
		"render":         {"render link", "p", "vault.yaml", 0},
		"render --to":    {"render p --to link", "empty", "vault.yaml", 0},
		"import":         {"import vault --to link", "empty", "vault.yaml", 0},
		"export":         {"export p --to link", "empty", "vault/values.yaml", 0},
		"fix":            {"fix slip --only input/invalid", "p", "", 0},
		"fix a link":     {"fix link", "slip", "a.yaml", 0},
		"fix a file":     {"fix link", "slip/a.yaml", "", 0},
		"a report":       {"check p -o link", "report.json", "", 0},
		"to nothing":     {"check p -o link", "absent", "", 2},
		"to git's files": {"check p -o link", ".git/hook", "", 2},
		"with files":     {"render p --to link", "p/sub", "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "work")
			write(t, filepath.Join(dir, "p/Kptfile"), kptfileHead+"pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {vault: large}\n")
			write(t, filepath.Join(dir, "p/vault.yaml"), packOf("vault", ""))
			write(t, filepath.Join(dir, "slip/a.yaml"), strings.Replace(packOf("vault", ""), "version:", "versoin:", 1))
			write(t, filepath.Join(dir, "vault/pack.json"), `{"name": "vault", "version": "1.0.0"}`)
			write(t, filepath.Join(dir, "vault/values.yaml"), "a: 1\n")
			write(t, filepath.Join(dir, "report.json"), "")
			write(t, filepath.Join(dir, ".git/hook"), "")
			for _, name := range []string{"empty", "p/sub"} {
				if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			link := filepath.Join(dir, "../link")
			if err := os.Symlink("work/"+tc.target, link); err != nil {
				t.Fatal(err)
			}
			before := tree(t, dir)
			got := packfn(t, dir, strings.Fields(strings.ReplaceAll(tc.args, "link", "../link"))...)
			told := "../link is a symbolic link; its target ../work/" + tc.target + " is written"
			isNamed := strings.Contains(tc.args, "link") && tc.code == 0
			if got.exit != tc.code || strings.Contains(got.stderr, told) != isNamed {
				t.Errorf("exit code %d\n%s", got.exit, got.stderr)
			}
			if target, err := os.Readlink(link); err != nil || target != "work/"+tc.target {
				t.Errorf("the link is %q, %v", target, err)
			}
			after := tree(t, dir)
			if file := filepath.Join(tc.target, tc.want); isNamed && after[file] == before[file] {
				t.Errorf("%s is not written:\n%s", file, after[file])
			}
			if tc.code != 0 {
				for file := range after {
					if after[file] != before[file] {
						t.Errorf("%s is written", file)
					}
				}
			}
		})
	}
}
