package packfn

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The help of packfn has each command in a group, and the help of a command has its text and its flags.
func TestHelpOfCommands(t *testing.T) {
	_, others, _ := strings.Cut(packfn(t, "", "--help").stdout, "\nAdditional Commands:\n")
	flag := regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`)
	for command, want := range map[string]string{
		"check":        "api-versions as-deployed as-written baseline catalog charts exclude fail-on format kube-version notes only output packs quiet scope severity source template timeout verbose",
		"config":       "",
		"explain":      "",
		"export":       "as effective force profile to",
		"fix":          "dry-run exclude fail-on only packs scope show-values source",
		"fleet":        "against all api-versions charts cores downstream fail-on format kpt kube-version like notes objects output quiet set shard show-values source template timeout to upstream",
		"images":       "api-versions charts format kube-version pack source timeout",
		"init":         "",
		"init cluster": "name",
		"import":       "as discard-edits exact exec force kptfile name no-charts profile scope source to with",
		"list":         "",
		"lsp":          "",
		"render":       "deployable fail-on format kpt notes output quiet to",
		"report":       "all fail-on format merge notes output package quiet show-values",
		"schema":       "",
		"template":     "api-versions charts kube-version pack source timeout to",
		"upgrade":      "api-versions charts discard-edits fail-on format from kube-version notes output quiet show-values source template timeout version write",
		"why":          "show-values",
		"list packs":   "outdated source",
		"list values":  "show-values",
		"list macros":  "",
		"list presets": "",
	} {
		if strings.Contains(others, "\n  "+command+" ") {
			t.Errorf("%s is in no group", command)
		}
		help := packfn(t, "", append(strings.Fields(command), "--help")...).want(t, 0).stdout
		var got []string
		for _, match := range flag.FindAllStringSubmatch(help, -1) {
			if name := match[1]; name != "help" && name != "config" {
				got = append(got, name)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s has the flags %s", command, got)
		}
		if text, _, _ := strings.Cut(help, "\n\nUsage:"); !strings.HasPrefix(command, "list") && command != "explain" && command != "why" && !strings.Contains(text, "\n") {
			t.Errorf("%s has no text but %s", command, text)
		}
	}
}

// Links out of what is read are named by each command.
func TestOutsideIsNoted(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "outside.yaml"), "kind: A\n")
	for name, text := range map[string]string{"p/Kptfile": kptfileText, "p/pack.yaml": packResource("registry:\n  port: 5000\n  token: xa\n")} {
		write(t, filepath.Join(dir, name), text)
	}
	if err := os.Symlink("../outside.yaml", filepath.Join(dir, "p/link.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"check p", "render p --to -", "export p --to out"} {
		packfn(t, dir, strings.Fields(args)...).want(t, 0, "p/link.yaml is a symbolic link out of the")
	}
	packfn(t, dir, "export", "p/pack.yaml", "--to", "one").want(t, 0)
	if files := tree(t, filepath.Join(dir, "one")); len(files) == 0 {
		t.Error("nothing of a file is exported")
	}
	// What is only for functions is not for a cluster.
	write(t, filepath.Join(dir, "local/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "local/a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"+local)
	packfn(t, dir, "render", "local", "--to", "-", "--deployable").want(t, 0, "local: no resource is left")
	packfn(t, dir, "render", "local", "--to", "new").want(t, 0, "new: 2 files written")
	packfn(t, dir, "template", "local").want(t, 2, "local: no pack is here. Give packages with packs, or pack directories")
	packfn(t, dir, "check", "p", "--baseline", "none.json").want(t, 2, "none.json: no such file")
	write(t, filepath.Join(dir, "packfn.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\nseverity: {values/format: warning, values/inert: \"off\"}\n")
	if got := packfn(t, dir, "config").want(t, 0); !strings.Contains(strings.Join(strings.Fields(got.stdout), " "), "severity values/format=warning values/inert=off --severity packfn.yaml:3") && !strings.Contains(strings.Join(strings.Fields(got.stdout), " "), "severity values/format=warning, values/inert=off --severity packfn.yaml:3") {
		t.Errorf("got %s", got.stdout)
	}
}

// Results of kpt have the formats of findings, and shards those of fleets.
func TestFormatsOfReport(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "results.yaml"), "apiVersion: kpt.dev/v1\nkind: FunctionResultList\nitems: [{exec: check, results: [{message: wrong, severity: error}]}]\n")
	if got := packfn(t, dir, "report", "results.yaml", "--format", "github").want(t, 1); !strings.Contains(got.stdout, "::error") {
		t.Errorf("got %s", got.stdout)
	}
	packfn(t, dir, "report", "results.yaml", "--merge", "--format", "github").want(t, 2, `, got "github"`)
}
