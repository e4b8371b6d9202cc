package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/report"
)

const (
	packJSON = `{"name": "p", "version": "1.0.0"}`
	broken   = "a: [\n"
)

// repository is an ordinary one: what is not for the suite is not a finding.
func repository() map[string]string {
	return map[string]string{
		".github/workflows/ci.yaml":          "on: push\njobs: {}\n",
		".git/config.yaml":                   broken,
		"docker-compose.yml":                 "services: {web: {image: a}}\n",
		"package.json":                       `{"name": "x", "metadata": {}}`,
		"charts/app/Chart.yaml":              "apiVersion: v2\nname: app\nversion: 1.0.0\n",
		"charts/app/values.yaml":             "replicas: 1\n",
		"charts/app/templates/a.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n{{- if .Values.x }}\n  labels: {a: packs.kpt.dev}\n{{- end }}\n",
		"charts/app/templates/pack.yaml":     packNamed("in-a-chart"),
		"kustomize/base/kustomization.yaml":  "resources: [deployment.yaml]\n",
		"kustomize/base/deployment.yaml":     "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n",
		"kustomize/prod/kustomization.yaml":  "resources: [../base]\npatches: [{path: patch.yaml}]\n",
		"kustomize/prod/patch.yaml":          "- op: remove\n  path: /metadata\n",
		"kustomize/prod/config.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {values.yaml: 'a: ['}\n",
		"tests/broken.yaml":                  broken,
		"tests/broken-metadata.yaml":         "metadata: [\n",
		"tests/latin.yaml":                   "a: \xe9\n",
		"tests/empty.yaml":                   "",
		"schemas/pack.json":                  `{"$schema": "x", "properties": {"metadata": {}}}`,
		"platform/Kptfile":                   kptfileHead,
		"platform/.krmignore":                "/packs\nnotes.yaml\n",
		"platform/notes.yaml":                broken,
		"platform/a.yaml":                    packNamed("a"),
		"platform/packs/p-1.0.0/pack.json":   packJSON,
		"platform/packs/p-1.0.0/values.yaml": "port: 7\n",
		"platform/packs/p-1.0.0/schema.yaml": "port: {schema: '{{ format \"${number:[1-5]}\" }}'}\n",
		"edge/one/Kptfile":                   kptfileHead,
		"edge/one/a.yaml":                    packNamed("a"),
		"edge/two/Kptfile":                   kptfileHead,
		"packs/q-1.0.0/pack.json":            strings.Replace(packJSON, `"p"`, `"q"`, 1),
		"packs/q-1.0.0/values.yaml":          "port: 7\n",
		"packs/q-1.0.0/schema.yaml":          "port: {schema: '{{ format \"${number:[1-5]}\" }}'}\n",
		"packs/q-1.0.0/charts/c/Chart.yaml":  "name: c\n",
		"packs/q-1.0.0/charts/c/values.yaml": broken,
	}
}

func TestRepository(t *testing.T) {
	judged := []string{
		"error values/format edge/one/a.yaml:7", "error values/format packs/q-1.0.0/values.yaml:1",
		"error values/format platform/a.yaml:7", "error values/format platform/packs/p-1.0.0/values.yaml:1",
	}
	found, notes := checked(t, Options{AsDeployed: true}, repository())
	if diff := cmp.Diff(judged, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The chart of four files, the kustomizations of three beside themselves, the tests of four, and four more.
	if want := []string{"not checked: 15 files outside of packages without a resource that packfn reads; --verbose lists them"}; !slices.Equal(notes, want) {
		t.Errorf("got %q, want %q", notes, want)
	}
	_, notes = checked(t, Options{AsDeployed: true, Verbose: true}, repository())
	if len(notes) != 15 {
		t.Errorf("%d notes: %q", len(notes), notes)
	}
	for name, why := range map[string]string{
		"charts/app/values.yaml":     "it is in the chart charts/app",
		"tests/latin.yaml":           "is not UTF-8",
		"tests/broken-metadata.yaml": "it cannot be parsed",
		"docker-compose.yml":         "it has no resource that packfn reads",
	} {
		if !slices.ContainsFunc(notes, func(note string) bool {
			return strings.HasPrefix(note, name) && strings.Contains(note, "is not checked") && strings.Contains(note, why)
		}) {
			t.Errorf("%s: no note says %q: %q", name, why, notes)
		}
	}
}

// A .krmignore hides files and folders, also in a folder that is not a package. A pack directory
// whose files it hides one by one is judged, too.
func TestHidden(t *testing.T) {
	pack := func(dir string, files map[string]string) {
		files[dir+"/pack.json"], files[dir+"/values.yaml"] = packJSON, "port: 7\n"
		files[dir+"/schema.yaml"] = "port: {schema: '{{ format \"${number:[1-5]}\" }}'}\n"
	}
	inPackage := map[string]string{"Kptfile": kptfileHead, ".krmignore": "packs/*/*\n", "a.yaml": packNamed("a")}
	pack("packs/p-1.0.0", inPackage)
	outside := map[string]string{".krmignore": "/old\nb.yaml\n", "a.yaml": packNamed("a"), "b.yaml": packNamed("b"), "old/Kptfile": kptfileHead, "old/c.yaml": packNamed("c")}
	pack("old/packs/p", outside)
	for name, tc := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"in a package": {inPackage, []string{"error values/format a.yaml:7", "error values/format packs/p-1.0.0/values.yaml:1"}},
		"outside":      {outside, []string{"error values/format a.yaml:7"}},
	} {
		if found, notes := checked(t, Options{AsDeployed: true}, tc.files); !slices.Equal(found, tc.want) || notes != nil {
			t.Errorf("%s: got %q, %q", name, found, notes)
		}
	}
}

// Outside of packages a file is judged if it has a resource of the suite, or would have one but
// for a slip.
func TestJudged(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		isJudged   bool
	}{
		{"a pack", packNamed("a"), true},
		{"a pack in a ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  pack.json: '{'\n", true},
		{"a second document that is not a resource", packNamed("a") + "---\na: b\n", true},
		{"a misspelt group", "apiVersion: pack.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\n", true},
		{"a misspelt kind", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pakc\nmetadata: {name: a}\n", true},
		{"a misspelt apiVersion", "apiVersoin: apps/v1\nkind: Deployment\nmetadata: {name: a}\n", true},
		{"a misspelt kind without metadata", "apiVersion: apps/v1\nknid: Deployment\n", false},
		{"no apiVersion", "kind: ClusterContext\nmetadata: {name: a}\n", true},
		{"no apiVersion of another kind", "kind: Deployment\nmetadata: {name: a}\n", false},
		{"a kind of Capact", "apiVersion: ocf.capact.io/v0.0.1\nkind: Policy\nmetadata: {name: a}\nspec: {x: 1}\n", true},
		{"a PackageVariant", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadat: {name: a}\n", true},
		{"the kind of another group", "apiVersion: kyverno.io/v1\nkind: Policy\nmetadata: {name: a}\nspec: {x: 1}\n", false},
		{"text that cannot be parsed, of the suite", "apiVersion: packs.kpt.dev/v1alpha1\nkind: [\n", true},
		{"text that cannot be parsed, of another group", "apiVersion: apps/v1\nmetadata:\nkind: [\n", false},
		{"a workflow that names the suite", "on: push\nenv: {group: packs.kpt.dev, metadata: x}\n", false},
	} {
		if found, notes := checked(t, Options{}, map[string]string{"x.yaml": tc.text}); len(found) > 0 != tc.isJudged || len(notes) > 0 == tc.isJudged {
			t.Errorf("%s: got %q, %q", tc.name, found, notes)
		}
	}
}

// Inside of a package kpt reads every file. An error says how to hide one from it.
func TestIgnoreHint(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p/Kptfile": kptfileHead, "p/values.yaml": "a: 1\n", "p/x/y.yaml": broken,
		"p/app/Chart.yaml": "name: app\n", "p/app/templates/a.yaml": "{{ x }}\n",
		"p/sub/Kptfile": kptfileHead, "p/sub/packs/q/pack.json": packJSON, "p/sub/packs/q/values.yaml": "a: 1\n",
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"p/values.yaml: ; add the line values.yaml to .krmignore", "p/x/y.yaml: ; add the line x/y.yaml to .krmignore",
		"p/app/Chart.yaml: add the line app/ to .krmignore", "p/app/templates/a.yaml: add the line app/ to .krmignore",
		"p/sub/packs/q/pack.json: add the line packs/q/ to sub/.krmignore", "p/sub/packs/q/values.yaml: add the line packs/q/ to sub/.krmignore",
	} {
		name, words, _ := strings.Cut(want, ": ")
		found := false
		for _, f := range r.Findings {
			found = found || f.File == name && f.Rule == "input/invalid" && strings.Contains(f.Message, strings.TrimPrefix(words, "; "))
		}
		if !found {
			t.Errorf("%s: no finding says %q: %+v", name, words, r.Findings)
		}
	}
}

// What the user names is judged, and what the user excludes is not.
func TestExcluded(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"old/a.yaml": packNamed("a"), "old/p/Kptfile": kptfileHead, "old/p/b.yaml": packNamed("b"), "new/p/Kptfile": kptfileHead, "new/p/c.yaml": packNamed("c"), "x.yaml": "a: 1\n"} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	for _, tc := range []struct {
		paths, want []string
		notes       string
	}{
		{[]string{"."}, []string{"new/p/c.yaml"}, "1 file outside of packages without a resource that packfn reads, 1 excluded path;"},
		{[]string{"old"}, []string{"old/a.yaml", "old/p/b.yaml"}, ""},
		{[]string{"old/p"}, []string{"old/p/b.yaml"}, ""},
		{[]string{"old/a.yaml"}, []string{"old/a.yaml"}, ""},
		{[]string{"x.yaml"}, []string{"x.yaml"}, ""},
	} {
		var notes, found, paths []string
		for _, name := range tc.paths {
			paths = append(paths, filepath.Join(dir, name))
		}
		r, err := runNoted(paths, Options{Functions: suite.All(), Root: dir, Note: func(line string) { notes = append(notes, line) },
			Excluded: func(name string, _ bool) bool { return strings.HasPrefix(name, filepath.Join(dir, "old")) }})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if f.Severity == "error" {
				found = append(found, f.File)
			}
		}
		if !slices.Equal(found, tc.want) || !strings.Contains(strings.Join(notes, "\n"), tc.notes) || tc.notes == "" && notes != nil {
			t.Errorf("%v: got %q, %q", tc.paths, found, notes)
		}
	}
}

// kpt reads the files of a package, so they cannot be excluded there. Only resources are
// counted as excluded.
func TestExcludedInPackage(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"p/Kptfile": kptfileHead, "p/old.yaml": packNamed("a"), "old.txt": "", "old.yaml": "a: 1\n"} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	var notes []string
	_, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir, Note: func(line string) { notes = append(notes, line) },
		Excluded: func(name string, _ bool) bool { return strings.HasPrefix(filepath.Base(name), "old") }})
	want := []string{filepath.Join(dir, "p/old.yaml") + " is not excluded, because kpt reads it: add it to the .krmignore of its package", "not checked: 1 excluded path; --verbose lists them"}
	if err != nil || !slices.Equal(notes, want) {
		t.Errorf("got %q, %v", notes, err)
	}
}

// Of two functionConfigs among files that the user names the second is an error at its place.
func TestSecondConfig(t *testing.T) {
	dir := folderOf(t, map[string]string{"a.yaml": validatePackValues, "b.yaml": validatePackValues, "p.yaml": packNamed("p")})
	r, err := runNoted([]string{filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml"), filepath.Join(dir, "p.yaml")}, Options{Functions: suite.All(), Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(r.Findings, func(f report.Finding) bool {
		return strings.Contains(f.Message, "this is the second ValidatePackValues")
	})
	if at < 0 || r.Findings[at].File != "b.yaml" || r.Findings[at].Line != 1 {
		t.Errorf("got %+v", r.Findings)
	}
}

// A folder without anything to read is an error.
func TestNothing(t *testing.T) {
	for want, files := range map[string]map[string]string{
		"no resource and no pack is here": {"a.txt": ""},
		"kpt cannot read the pattern":     {"a.yaml": packNamed("a"), ".krmignore": "a\n!/\n"},
	} {
		dir := t.TempDir()
		paths := []string{dir}
		for name, text := range files {
			writeFile(t, filepath.Join(dir, name), text)
		}
		if _, err := runNoted(paths, Options{Functions: suite.All(), Root: dir}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// One functionConfig among the files that the user names is used. Of several that were found none
// is.
func TestConfigOfFiles(t *testing.T) {
	files := map[string]string{"a.yaml": validatePackValues, "c.yaml": packNamed("a") + "---\n" + strings.Replace(valuesText, "{port: 8}", "{other: 8}", 1)}
	dir := folderOf(t, files)
	r, err := runNoted([]string{filepath.Join(dir, "a.yaml"), filepath.Join(dir, "c.yaml")}, Options{Functions: suite.All(), Root: dir})
	if err != nil || !strings.HasPrefix(r.Summary(), "1 error, 1 warning, ") {
		t.Errorf("a functionConfig that is named: got %+v, %v", r, err)
	}
	files["b.yaml"] = validatePackValues
	if _, notes := checked(t, Options{}, files); !slices.Contains(notes, ".: 2 files outside of packages are a ValidatePackValues; none is used. Name the files to check with one") {
		t.Errorf("two functionConfigs: got %q", notes)
	}
}
