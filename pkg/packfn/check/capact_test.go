package check

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/packfn/capact"
	"github.com/krm-packs/functions/pkg/values"
)

// The hub of these tests: an Interface with two Implementations, one of which needs an account.
const (
	queueInterface = "ocfVersion: 0.0.1\nrevision: 0.1.0\nkind: Interface\nmetadata:\n  prefix: cap.interface.queue\n  name: install\nspec: {}\n"
	queueLocal     = "ocfVersion: 0.0.1\nrevision: 0.1.0\nkind: Implementation\nmetadata:\n  prefix: cap.implementation.local.queue\n  name: install\n  attributes:\n    cap.attribute.local: {revision: 0.1.0}\nspec:\n  implements:\n  - {path: cap.interface.queue.install, revision: 0.1.0}\n"
	queueCloud     = `{"ocfVersion": "0.0.1", "revision": "0.1.0", "kind": "Implementation",
  "metadata": {"name": "install", "prefix": "cap.implementation.cloud.queue"},
  "spec": {"implements": [{"path": "cap.interface.queue.install", "revision": "0.1.0"}],
    "requires": {"cap.type.cloud": {"allOf": [{"name": "account", "revision": "0.1.0", "alias": "account"}]}}}}
`
	accounts = "- id: 6f9f1c1e-0d0e-4a53-9b56-6d2e7f2f1a11\n  typeRef: {path: cap.type.cloud.account, revision: 0.1.0}\n  latestResourceVersion: {spec: {value: {token: s3cr3t}}}\n"
)

func hubFiles(more map[string]string) map[string]string {
	files := map[string]string{"hub/interface/queue.yaml": queueInterface, "hub/implementation/local.yaml": queueLocal, "hub/implementation/cloud.json": queueCloud}
	for name, text := range more {
		files[name] = text
	}
	return files
}

func rulesFor(oneOf string) string {
	return "interface:\n  rules:\n  - interface: {path: cap.interface.queue.install}\n    oneOf:\n" + oneOf
}

// checkCapact returns the findings and notes of a check, infos of selections included.
func checkCapact(t *testing.T, files map[string]string, scopes capact.Scopes, paths ...string) (found []string) {
	t.Helper()
	dir := folderOf(t, files)
	for i := range paths {
		paths[i] = filepath.Join(dir, paths[i])
	}
	for file, scope := range scopes.Files {
		delete(scopes.Files, file)
		scopes.Files[filepath.Join(dir, file)] = scope
	}
	var notes []string
	r, err := runNoted(paths, Options{Functions: suite.All(), Root: dir, Scopes: scopes, Note: func(note string) { notes = append(notes, note) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if strings.Contains(f.Message, "s3cr3t") || strings.Contains(f.Own.Source.Text, "s3cr3t") {
			t.Errorf("shows a secret: %+v", f)
		}
		line := fmt.Sprintf("%s %s %s:%d:%d %s", f.Severity, f.Rule, f.File, f.Line, f.Column, f.Field)
		if f.Rule == "policy/selected" {
			chosen, _, _ := strings.Cut(f.Message, " is selected")
			line = "selected " + chosen
		}
		found = append(found, line)
	}
	return append(found, notes...)
}

// Manifests, policies and TypeInstances of Capact are one set, wherever they are, and findings are at
// the lines of their files.
func TestCapact(t *testing.T) {
	const cloud, local = "cap.implementation.cloud.queue.install:0.1.0", "cap.implementation.local.queue.install:0.1.0"
	all := rulesFor("    - implementationConstraints: {}\n")
	inject := rulesFor("    - implementationConstraints:\n        requires: [{path: cap.type.cloud.account}]\n      inject:\n        requiredTypeInstances:\n        - id: 6f9f1c1e-0d0e-4a53-9b56-6d2e7f2f1a11\n")
	krm := "apiVersion: ocf.capact.io/v1alpha1\nkind: Policy\nmetadata: {name: p}\nspec:\n  scope: GLOBAL\n  " + strings.ReplaceAll(strings.TrimSpace(all), "\n", "\n  ") + "\n"
	for name, tc := range map[string]struct {
		files  map[string]string
		scopes capact.Scopes
		paths  []string
		want   []string
	}{
		"a hub":               {nil, capact.Scopes{}, []string{""}, nil},
		"a policy":            {map[string]string{"p/global.yaml": all}, capact.Scopes{}, []string{""}, []string{"selected " + local}},
		"of two paths":        {map[string]string{"p/global.yaml": all}, capact.Scopes{}, []string{"hub", "p"}, []string{"selected " + local}},
		"files by name":       {map[string]string{"global.yaml": all}, capact.Scopes{}, []string{"hub/interface/queue.yaml", "hub/implementation/local.yaml", "global.yaml"}, []string{"selected " + local}},
		"a policy resource":   {map[string]string{"p/global.yaml": krm}, capact.Scopes{}, []string{""}, []string{"selected " + local}},
		"with instances":      {map[string]string{"p/global.yaml": inject, "p/accounts.yaml": accounts}, capact.Scopes{}, []string{""}, []string{"selected " + cloud}},
		"as JSON":             {map[string]string{"p/global.json": `{"interface": {"rules": [{"interface": {"path": "cap.*"}, "oneOf": [{"implementationConstraints": {"attributes": [{"path": "cap.attribute.local"}]}}]}]}}`}, capact.Scopes{}, []string{"hub", "p/global.json"}, []string{"selected " + local}},
		"rules at the root":   {map[string]string{"p/global.yaml": "rules:\n- interface: {path: cap.interface.queue.install}\n  oneOf: []\n"}, capact.Scopes{}, []string{""}, []string{"error policy/denied p/global.yaml:3:3 rules[0].oneOf"}},
		"rules alone":         {map[string]string{"p/global.yaml": "- interface: {path: cap.interface.queue.install}\n  oneOf: []\n"}, capact.Scopes{}, []string{""}, []string{"error policy/denied p/global.yaml:2:3 [0].oneOf"}},
		"both forms":          {map[string]string{"p/global.yaml": "rules: []\n" + all}, capact.Scopes{}, []string{""}, []string{"error policy/invalid p/global.yaml:1:1 rules", "selected " + local}},
		"without instances":   {map[string]string{"p/global.yaml": inject}, capact.Scopes{}, []string{""}, []string{"info policy/invalid p/global.yaml:9:11 interface.rules[0].oneOf[0].inject.requiredTypeInstances[0].id"}},
		"another instance":    {map[string]string{"p/global.yaml": inject, "p/a.json": `{"id": "a", "typeRef": {"path": "cap.type.cloud.account", "revision": "0.1.0"}}`}, capact.Scopes{}, []string{""}, []string{"error policy/invalid p/global.yaml:9:11 interface.rules[0].oneOf[0].inject.requiredTypeInstances[0].id"}},
		"a misspelt oneOf":    {map[string]string{"p/global.yaml": strings.Replace(all, "oneOf", "oneof", 1)}, capact.Scopes{}, []string{""}, []string{"error policy/invalid p/global.yaml:4:5 interface.rules[0].oneof"}},
		"without a hub":       {map[string]string{"p/global.yaml": all}, capact.Scopes{}, []string{"p"}, []string{"no Interface of Capact is among the files, so nothing is selected by p/global.yaml; name the manifests, too"}},
		"two directories":     {map[string]string{"dev/p.yaml": all, "prod/p.yaml": all}, capact.Scopes{}, []string{""}, []string{"selected " + local, "selected " + local}},
		"two global ones":     {map[string]string{"p/a.yaml": all, "p/b.yaml": all}, capact.Scopes{}, []string{""}, []string{"error policy/invalid p/b.yaml:1:1 "}},
		"scopes":              {map[string]string{"p/a.yaml": all, "p/b.yaml": rulesFor("      []\n")}, capact.Scopes{Files: map[string]string{"p/b.yaml": "ACTION"}}, []string{""}, []string{"warning policy/deny-lost p/b.yaml:4:5 interface.rules[0].oneOf", "selected " + local}},
		"scope of a policy":   {map[string]string{"p/a.yaml": all + "typeInstance: {rules: []}\n"}, capact.Scopes{Default: "WORKFLOW"}, []string{""}, []string{"error policy/no-rule hub/interface/queue.yaml:6:3 metadata.name", "warning policy/unused p/a.yaml:1:1 ", "warning policy/ignored-field p/a.yaml:6:1 typeInstance"}},
		"a manifest twice":    {map[string]string{"more/queue.yaml": queueInterface}, capact.Scopes{}, []string{"hub", "more"}, []string{"warning policy/duplicate more/queue.yaml:6:3 metadata.name"}},
		"a wrong manifest":    {map[string]string{"hub/a.yaml": strings.Replace(strings.Replace(queueInterface, "revision: 0.1.0", "revision: \"1\"", 1), "  prefix: cap.interface.queue\n", "", 1)}, capact.Scopes{}, []string{""}, []string{"error policy/invalid hub/a.yaml:2:1 revision", "error policy/invalid hub/a.yaml:4:1 metadata.prefix"}},
		"a wrong attribute":   {map[string]string{"hub/a.yaml": strings.Replace(strings.Replace(queueLocal, "cap.attribute.local: {revision: 0.1.0}", "cap.attribute.local: {}", 1), "local", "other", 1)}, capact.Scopes{}, []string{""}, []string{"error policy/invalid hub/a.yaml:8:5 metadata.attributes.cap.attribute.local.revision"}},
		"misspelt attributes": {map[string]string{"hub/implementation/local.yaml": strings.Replace(queueLocal, "attributes:", "atributes:", 1)}, capact.Scopes{}, []string{""}, []string{"error policy/invalid hub/implementation/local.yaml:7:3 metadata.atributes"}},
		"a name twice":        {map[string]string{"hub/a.yaml": strings.Replace(queueInterface, "name: install\n", "name: a\n  name: b\n", 1)}, capact.Scopes{}, []string{""}, []string{"error policy/invalid hub/a.yaml:7:3 metadata.name"}},
		"not YAML":            {map[string]string{"hub/a.yaml": "ocfVersion: 0.0.1\nkind: [\n", "p/global.yaml": all}, capact.Scopes{}, []string{""}, []string{"error input/invalid hub/a.yaml:2:0 "}},
		"no kind":             {map[string]string{"hub/a.yaml": strings.Replace(queueInterface, "kind: Interface\n", "", 1)}, capact.Scopes{}, []string{""}, []string{"error input/invalid hub/a.yaml:1:1 "}},
		"a vendor":            {map[string]string{"hub/a.yaml": strings.Replace(queueInterface, "kind: Interface", "kind: Vendor", 1)}, capact.Scopes{}, []string{""}, []string{"left out: 1 manifest of Capact that nothing of a selection depends on (Vendor)"}},
		"a mixed tree":        {map[string]string{"p/global.yaml": all, "web/pack.json": `{"name": "web", "version": "1.0.0", "layer": "addon"}`, "web/values.yaml": "a: [\n", "ci.yaml": "on: push\n"}, capact.Scopes{}, []string{""}, []string{"selected " + local, "error values/invalid-yaml web/values.yaml:1:0 data[values.yaml]", "info pack/catalogue web/pack.json:1:1 data[pack.json]", "not checked: 1 file outside of packages without a resource that packfn reads; --verbose lists them"}},
		"in a package":        {map[string]string{"pkg/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: pkg}\n", "pkg/a.yaml": queueInterface, "pkg/b.yaml": all, "pkg/c.yaml": accounts}, capact.Scopes{}, []string{"pkg"}, []string{"error input/invalid pkg/a.yaml:1:1 ", "error input/invalid pkg/b.yaml:1:1 ", "error input/invalid pkg/c.yaml:1:1 "}},
		"templates in a file": {map[string]string{"a.yaml": "interface: {{ .path }}\nrules: x\n"}, capact.Scopes{}, []string{""}, []string{"not checked: 1 file outside of packages without a resource that packfn reads; --verbose lists them"}},
	} {
		got := checkCapact(t, hubFiles(tc.files), tc.scopes, tc.paths...)
		slices.Sort(got)
		slices.Sort(tc.want)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Two sets of files with policies each choose from the hub, and what is wrong with it is said once.
func TestCapactSets(t *testing.T) {
	set := func(text string) string { return "resources: [" + text + "]\n" }
	all := rulesFor("    - implementationConstraints: {}\n")
	got := checkCapact(t, hubFiles(map[string]string{
		"dev/kustomization.yaml": set("policy.yaml"), "dev/policy.yaml": all, "prod/kustomization.yaml": set("policy.yaml"), "prod/policy.yaml": all,
		"hub/again.yaml": queueInterface,
	}), capact.Scopes{}, "")
	want := []string{"selected cap.implementation.local.queue.install:0.1.0", "selected cap.implementation.local.queue.install:0.1.0", "warning policy/duplicate hub/interface/queue.yaml:6:3 metadata.name"}
	if got = slices.DeleteFunc(got, func(line string) bool { return strings.HasPrefix(line, "not checked") }); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("got %q", got)
	}
}

// A text that an editor holds is checked in the place of its file.
func TestCapactReplaced(t *testing.T) {
	dir := folderOf(t, hubFiles(nil))
	name := filepath.Join(dir, "hub/interface/queue.yaml")
	r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir, Replace: map[string][]byte{name: []byte(strings.Replace(queueInterface, "prefix: cap", "prefix: 'cap ", 1))}})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Path != name {
		t.Errorf("%v, %+v", err, r)
	}
}

// The manifests of the public hub have no fault, but for three that have the path and the revision of
// another one.
func TestPublicHub(t *testing.T) {
	root := filepath.Dir(functiontest.Corpus(t, "hub-manifests")[0])
	var notes []string
	r, err := runNoted([]string{filepath.Join(root, "hub-manifests")}, Options{Functions: suite.All(), Root: root, Note: func(note string) { notes = append(notes, note) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 3 || len(r.Cases) != 169 {
		t.Errorf("%d findings about %d manifests", len(r.Findings), len(r.Cases))
	}
	for _, f := range r.Findings {
		text, err := os.ReadFile(f.Path)
		document, _ := values.Parse(string(text))
		if f.Rule != "policy/duplicate" || err != nil || document == nil || f.Line < 4 || !strings.HasPrefix(strings.Split(string(text), "\n")[f.Line-1], "  name:") {
			t.Errorf("%v, %+v", err, f)
		}
	}
	if want := []string{"left out: 2 manifests of Capact that nothing of a selection depends on (RepoMetadata, Vendor)"}; !slices.Equal(notes, want) {
		t.Errorf("%q", notes)
	}
	count := 0
	err = filepath.WalkDir(filepath.Join(root, "hub-manifests"), func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			count++
		}
		return err
	})
	if err != nil || count != 171 {
		t.Errorf("%d files, %v", count, err)
	}
}
