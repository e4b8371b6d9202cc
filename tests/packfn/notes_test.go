package packfn

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Presets that were applied are marked, and a pack that several paths have is explained in each.
func TestApplied(t *testing.T) {
	dir := shop(t)
	file := filepath.Join(dir, "p/shop.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.Replace(string(text), "  name: shop\n", "  name: shop\n  annotations:\n    packs.kpt.dev/applied-presets: '[\"size:ha@000000000000@1.0.0\"]'\n", 1))
	if got := packfn(t, dir, "list", "presets", "p").want(t, 0); !strings.Contains(strings.Join(table(got.stdout), "\n"), "shop | size:ha | yes | High availability | p/shop.yaml:32:7") {
		t.Errorf("got %s", got.stdout)
	}
	got := packfn(t, dir, "why", "shop", "server.replicas", "p").want(t, 0)
	if !strings.Contains(got.stdout, "preset: size:ha sets it, applied (p/shop.yaml:32:7)\n") {
		t.Errorf("got %s", got.stdout)
	}
	write(t, filepath.Join(dir, "q/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "q/shop.yaml"), string(text))
	both := packfn(t, dir, "why", "shop", "server.replicas", "p", "q").want(t, 0).stdout
	if !strings.HasPrefix(both, got.stdout+"\nshop 1.0.0: server.replicas = 1\n") {
		t.Errorf("got %s", both)
	}
	for args, want := range map[string]bool{"list values p": true, "list values p --show-values": false, "list packs p": false, "why shop token p": true, "why shop server.cpu p": false} {
		if got := packfn(t, dir, strings.Fields(args)...).want(t, 0); strings.Contains(got.stderr, "--show-values") != want {
			t.Errorf("%s: got %s", args, got.stderr)
		}
	}
	write(t, file, strings.Replace(string(text), "    presets:\n", "    presets: [\n", 1))
	packfn(t, dir, "list", "presets", "p").want(t, 2, "p/shop.yaml:30")
	for args, want := range map[string]string{"list values p": "values.yaml", "list macros p": "values.yaml", "schema shop p": "values.yaml"} {
		write(t, file, strings.Replace(string(text), "    server:\n      replicas: 1\n", "    server: [\n", 1))
		packfn(t, dir, strings.Fields(args)...).want(t, 2, want)
	}
}

// Commands without a subcommand print their help, and complete the ids of rules.
func TestHelpOfList(t *testing.T) {
	if got := packfn(t, "", "list").want(t, 0); !strings.Contains(got.stdout, "macros") || !strings.Contains(got.stdout, "Usage:") {
		t.Errorf("got %s", got.stdout)
	}
	if got := packfn(t, "", "__complete", "explain", "values/form").want(t, 0); !strings.Contains(got.stdout, "values/format\n") {
		t.Errorf("got %s", got.stdout)
	}
}

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

// Several documents of a template are in one file, and an image of a workload is listed once.
func TestDocumentsOfTemplate(t *testing.T) {
	dir := t.TempDir()
	pack := writeShop(t, dir, "1.0.0")
	values := filepath.Join(pack, "values.yaml")
	write(t, filepath.Join(dir, values), strings.Replace(tree(t, dir)[values], "'{{ .spectro.system.cluster.name }}'", "edge", 1))
	write(t, filepath.Join(dir, pack, "charts/web/templates/b.yaml"), "kind: Pod\nmetadata: {name: one}\nspec: {containers: [{name: a, image: a}, {name: b, image: a}]}\n---\nkind: Pod\nmetadata: {name: two}\nspec: {containers: [{name: a, image: a}]}\n")
	if got := packfn(t, dir, "template", pack, "--to", "out").want(t, 0, "3 files"); strings.Contains(got.stderr, "macro") {
		t.Errorf("values without macros are noted: %s", got.stderr)
	}
	if text := tree(t, filepath.Join(dir, "out"))["shop/web/templates/b.yaml"]; strings.Count(text, "# Source: shop/web/templates/b.yaml\n") != 2 || !strings.Contains(text, "name: one") || !strings.Contains(text, "name: two") {
		t.Errorf("got %s", text)
	}
	got := packfn(t, dir, "images", pack).want(t, 0)
	if rows := strings.Join(table(got.stdout), "\n"); rows != "a | shop | Pod/one\na | shop | Pod/two\nexample.com/web:1.0.0 | shop | Deployment/web" {
		t.Errorf("got %s", rows)
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
