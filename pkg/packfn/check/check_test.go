package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/rule"
)

const (
	kptfileHead = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"
	packText    = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: NAME, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  version: 1.0.0
  values: |
    port: 7
  schema: |
    port:
      schema: '{{ format "${number:[1-5]}" }}'
  presets:
  - {name: small, add: "port: 5\n"}
`
	valuesText = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: site, annotations: {config.kubernetes.io/local-config: \"true\"}}\nspec: {packRef: {name: a}, values: {port: 8}}\n"
)

const validatePackValues = "apiVersion: fn.kpt.dev/v1alpha1\nkind: ValidatePackValues\nmetadata: {name: v}\nspec:\n  unknownKeys: warning\n"

// applied makes a resource one that kpt applies.
func applied(text string) string {
	return strings.Replace(text, ", annotations: {config.kubernetes.io/local-config: \"true\"}", "", 1)
}

func packNamed(name string) string { return strings.ReplaceAll(packText, "NAME", name) }

// folderOf writes files into a new folder, and returns it.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, files)
	return dir
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "packfn/check")) }

// runNoted is [Run], whose messages go to the golden list: those of rules that packfn has, and of those
// that functions report with what it adds to a list alone.
func runNoted(paths []string, options Options) (*report.Report, error) {
	r, err := Run(paths, options)
	if err != nil {
		return nil, err
	}
	for _, f := range r.Findings {
		if by := rule.Of(f.Rule).By; strings.HasPrefix(by, "packfn ") || f.Function == "" || slices.Contains(withPackfn, f.Rule) {
			functiontest.Note(f.Rule, below(options.Root, f.Message))
		}
	}
	return r, nil
}

var withPackfn = []string{}

// below returns a text with the paths in a folder relative to it.
func below(dir, text string) string { return strings.NewReplacer(dir+"/", "", dir, ".").Replace(text) }

// checked writes files, checks the folder, and returns the findings without infos, and the
// notes.
func checked(t *testing.T, options Options, files map[string]string) (found, notes []string) {
	t.Helper()
	return checkedWith(t, options, files, func(severity, id string) bool { return severity != string(diag.Info) || id == rule.Accepted.ID })
}

// checkedWith is checked with the findings that keep chooses by their severities and rules.
func checkedWith(t *testing.T, options Options, files map[string]string, keep func(severity, id string) bool) (found, notes []string) {
	t.Helper()
	dir := folderOf(t, files)
	options.Functions, options.Root = suite.All(), dir
	options.Note = func(line string) { notes = append(notes, below(dir, line)) }
	r, err := runNoted([]string{dir}, options)
	if err != nil {
		return []string{below(dir, err.Error())}, notes
	}
	for _, f := range r.Findings {
		if keep(string(f.Severity), f.Rule) {
			found = append(found, fmt.Sprintf("%s %s %s:%d", f.Severity, f.Rule, f.File, f.Line))
		}
	}
	return found, notes
}

func TestRun(t *testing.T) {
	validator := func(text string) string {
		return kptfileHead + "pipeline:\n  validators:\n  - exec: validate-pack-values\n" + text
	}
	const format = "error values/format "
	for _, tc := range []struct {
		name    string
		options Options
		files   map[string]string
		want    []string
	}{
		{"a pack", Options{}, map[string]string{"Kptfile": kptfileHead, "a.yaml": packNamed("a")}, []string{format + "a.yaml:7"}},
		{"an override that a selector hides", Options{}, map[string]string{"Kptfile": validator("    selectors: [{kind: Pack}]\n"), "a.yaml": packNamed("a"), "b.yaml": valuesText},
			[]string{"warning pipeline/hidden Kptfile:8", format + "a.yaml:7"}},
		{"a pack that is excluded", Options{}, map[string]string{"Kptfile": validator("    exclude:\n    - kind: X\n    - name: a\n"), "a.yaml": packNamed("a"), "b.yaml": packNamed("b")},
			[]string{"warning pipeline/hidden Kptfile:10", format + "b.yaml:7"}},
		{"a pack that selectors choose and an exclusion hides", Options{}, map[string]string{"Kptfile": validator("    selectors: [{kind: Pack}]\n    exclude: [{name: a}]\n"), "a.yaml": packNamed("a"), "b.yaml": packNamed("b")},
			[]string{"warning pipeline/hidden Kptfile:9", format + "b.yaml:7"}},
		{"two packs that one exclusion hides", Options{}, map[string]string{"Kptfile": validator("    exclude: [{name: z}, {kind: Pack}]\n"), "a.yaml": packNamed("a"), "b.yaml": packNamed("b")},
			[]string{"warning pipeline/hidden Kptfile:8"}},
		{"an excluded pack that is accepted", Options{}, map[string]string{
			"Kptfile": strings.Replace(validator("    exclude:\n    - name: a\n"), "  name: p\n", "  name: p\n  annotations: {packs.kpt.dev/accept: \"pipeline/hidden: tested elsewhere\"}\n", 1), "a.yaml": packNamed("a")},
			[]string{"info accepted Kptfile:10"}},
		{"an acceptance without use", Options{}, map[string]string{
			"Kptfile": strings.Replace(validator(""), "  name: p\n", "  name: p\n  annotations: {packs.kpt.dev/accept: \"pipeline/hidden: tested elsewhere\"}\n", 1)},
			[]string{"warning accept/unused Kptfile:5"}},
		{"selectors that hide no pack", Options{}, map[string]string{"Kptfile": validator("    exclude: [{kind: Secret}]\n"), "a.yaml": packNamed("a"),
			"b.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: b}\n"}, []string{format + "a.yaml:7"}},
		{"hidden from a function that reads no packs", Options{}, map[string]string{
			"Kptfile": kptfileHead + "pipeline:\n  validators:\n  - exec: select-implementations\n    selectors: [{kind: Secret}]\n", "a.yaml": packNamed("a")}, []string{format + "a.yaml:7"}},
		{"hidden from another program", Options{}, map[string]string{
			"Kptfile": kptfileHead + "pipeline:\n  validators:\n  - exec: other\n    selectors: [{kind: Secret}]\n", "a.yaml": packNamed("a")}, []string{format + "a.yaml:7"}},
		{"hidden from a mutator", Options{Rendered: true}, map[string]string{
			"Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: small}\n    selectors: [{name: a}]\n", "a.yaml": packNamed("a"), "b.yaml": packNamed("b")},
			[]string{"warning pipeline/hidden Kptfile:9", format + "b.yaml:7"}},
		{"the same as written", Options{}, map[string]string{
			"Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: small}\n    selectors: [{name: a}]\n", "a.yaml": packNamed("a"), "b.yaml": packNamed("b")},
			[]string{"warning pipeline/hidden Kptfile:9", format + "a.yaml:7", format + "b.yaml:7"}},
		{"a file that a regular expression selects", Options{}, map[string]string{"Kptfile": validator("    selectors: [{resourceFileRegexp: ^sub/}]\n"), "a.yaml": packNamed("a"), "sub/b.yaml": packNamed("b")},
			[]string{"warning pipeline/hidden Kptfile:8", format + "sub/b.yaml:7"}},
		{"an unknown field below", Options{}, map[string]string{"Kptfile": kptfileHead, "sub/Kptfile": "# first\n" + kptfileHead + "new: 1\n", "sub/a.yaml": packNamed("a")},
			[]string{"warning kptfile/unknown-field sub/Kptfile:6", format + "sub/a.yaml:7"}},
		{"an unknown field of a Kptfile without a name", Options{}, map[string]string{"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nnew: 1\n"}, []string{"warning kptfile/unknown-field Kptfile:3"}},
		{"of two packages in a folder", Options{}, map[string]string{"x/Kptfile": kptfileHead + "new: 1\n", "y/Kptfile": validator("    selectors: [{kind: X}]\n"), "y/a.yaml": packNamed("a")},
			[]string{"warning kptfile/unknown-field x/Kptfile:5", "warning pipeline/hidden y/Kptfile:8"}},

		{"only a rule, and an input that cannot be read", Options{Only: []string{"values/unknown-format"}},
			map[string]string{"Kptfile": kptfileHead, "a.yaml": packNamed("a"), "b.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: b}\nspec: {vesion: 1.0.0}\n---\nkind: [\n"},
			[]string{"error input/invalid b.yaml:4", "error input/invalid b.yaml:6"}},
		{"chosen packs of one of two packages", Options{Packs: []string{"a"}},
			map[string]string{"x/Kptfile": kptfileHead, "x/a.yaml": packNamed("a"), "y/Kptfile": kptfileHead, "y/b.yaml": packNamed("b")}, []string{format + "x/a.yaml:7"}},
		{"a functionConfig that is not first in its file", Options{}, map[string]string{
			"Kptfile": validator("    configRef: {kind: ValidatePackValues, name: v}\n"),
			"fn.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n---\napiVersion: fn.kpt.dev/v1alpha1\nkind: ValidatePackValues\nmetadata: {name: v}\nspec: {unknownKey: warning}\n"},
			[]string{"warning resource/not-local fn.yaml:7", "error config/invalid fn.yaml:8"}},
		{"functionConfigs that kpt applies", Options{}, map[string]string{
			"Kptfile": validator("    configPath: a.yaml\n  - exec: check-resources\n    configRef: {kind: ConfigMap, name: b}\n  - exec: check-dependencies\n    configPath: d.yaml\n  - exec: select-implementations\n    configPath: e.yaml\n"),
			"a.yaml":  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "b.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: b}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n",
			"c.yaml": "apiVersion: fn.kpt.dev/v1\nkind: Other\nmetadata: {name: c}\n---\napiVersion: fn.kpt.devs/v1\nkind: Other\nmetadata: {name: d}\n",
			"d.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d, annotations: {config.kubernetes.io/local-config: \"true\"}}\n",
			"e.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: e, annotations: {config.kubernetes.io/local-config: \"false\"}}\n"},
			[]string{"warning resource/not-local a.yaml:3", "warning resource/not-local b.yaml:7", "warning resource/not-local c.yaml:3"}},
		{"a configPath as mutators leave it", Options{Rendered: true}, map[string]string{
			"Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: inject-config\n    configPath: i.yaml\n  validators:\n  - exec: validate-pack-values\n    configPath: v.yaml\n",
			"a.yaml":  packNamed("a") + "---\n" + strings.Replace(valuesText, "port: 8", "prt: 3", 1),
			"v.yaml":  "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: v\n  annotations:\n    kpt.dev/config-injection: required\ndata:\n  unknownKeys: ignore\n",
			"i.yaml": "apiVersion: fn.kpt.dev/v1alpha1\nkind: InjectConfig\nmetadata: {name: i}\nspec:\n  packageVariant:\n    metadata: {name: v}\n    spec:\n      upstream: {repo: a, package: b, workspaceName: v1}\n" +
				"      downstream: {repo: a, package: c}\n      injectors: [{kind: ConfigMap, name: o}]\n  objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: o}, data: {unknownKeys: error}}]\n"},
			[]string{format + "a.yaml:7", "error values/unknown-key a.yaml:17", "warning resource/not-local i.yaml:3", "warning resource/not-local v.yaml:5"}},
		{"a rule that is switched off", Options{Only: []string{"values/format"}, Severity: map[string]diag.Severity{"values/format": diag.Off}},
			map[string]string{"Kptfile": kptfileHead, "a.yaml": packNamed("a")}, nil},
		{"a pack that is not there, next to one that is", Options{Packs: []string{"a", "z"}}, map[string]string{"Kptfile": kptfileHead, "a.yaml": packNamed("a")},
			[]string{`--packs: no pack named "z". Available: "a"`}},
		{"a pack that is not there", Options{Packs: []string{"z"}}, map[string]string{"Kptfile": kptfileHead, "a.yaml": packNamed("a")},
			[]string{`--packs: no pack named "z". Available: "a"`}},
		{"a functionConfig without content", Options{}, map[string]string{"Kptfile": validator("    configPath: v.yaml\n"), "v.yaml": "# nothing\n", "a.yaml": packNamed("a")}, []string{"error input/invalid Kptfile:7", "error values/format a.yaml:7"}},
		{"below a package whose pipeline names the check", Options{}, map[string]string{
			"Kptfile": kptfileHead, "x/Kptfile": validator("    configMap: {severity: values/format=warning}\n"), "x/y/Kptfile": kptfileHead, "x/y/a.yaml": packNamed("a"), "z/Kptfile": kptfileHead, "z/b.yaml": packNamed("b")},
			[]string{"warning values/format x/y/a.yaml:7", format + "z/b.yaml:7"}},
		{"two functionConfigs outside of packages", Options{}, map[string]string{
			"a.yaml": validatePackValues, "b.yaml": validatePackValues, "c.yaml": packNamed("a") + "---\n" + strings.Replace(valuesText, "{port: 8}", "{other: 8}", 1)}, []string{format + "c.yaml:7"}},
		{"a functionConfig outside of packages", Options{}, map[string]string{
			"a.yaml": validatePackValues, "c.yaml": packNamed("a") + "---\n" + strings.Replace(valuesText, "{port: 8}", "{other: 8}", 1)}, []string{format + "c.yaml:7", "warning values/unknown-key c.yaml:17"}},
		{"a value that a pack directory lacks", Options{AsDeployed: true}, map[string]string{
			"p/pack.json": `{"name": "p", "version": "1.0.0"}`, "p/values.yaml": "a: 1\nregistry:\n  port: 7\n", "p/schema.yaml": "registry.host:\n  schema: '{{ required }}'\n"}, []string{"error values/required p/values.yaml:2"}},
		{"a pack directory in git's own files", Options{}, map[string]string{".git/p/pack.json": "{", ".git/p/values.yaml": "a: [\n", "x/Kptfile": kptfileHead}, nil},
		{"an override of a chosen pack, which kpt applies", Options{Packs: []string{"a"}}, map[string]string{
			"Kptfile": kptfileHead, "a.yaml": packNamed("a") + "---\n" + strings.Replace(applied(valuesText), "port: 8", "port: 3", 1), "b.yaml": packNamed("b") + "---\n" + strings.Replace(applied(valuesText), "name: a", "name: b", 1)},
			[]string{"warning resource/not-local a.yaml:16"}},
		{"a value of a chart that a preset reads by a macro", Options{}, map[string]string{
			"p/pack.json": `{"name": "p", "version": "1.0.0", "charts": ["charts/c"]}`, "p/charts/c/Chart.yaml": "name: c\nversion: 1.0.0\n", "p/charts/c/values.yaml": "used: 1\n", "p/charts/c/templates/a.yaml": "{{ .Values.used }}\n",
			"p/values.yaml": "charts:\n  c:\n    used: 1\n    one: 1\n    two: 2\n", "p/presets.yaml": "presets:\n- name: a\n  add: |\n    charts:\n      c:\n        used: '{{ .spectro.pack.p.charts.c.one }}'\n"},
			[]string{"warning values/inert p/values.yaml:5"}},
		{"a key that the schema of a chart requires", Options{AsDeployed: true}, map[string]string{
			"p/pack.json": `{"name": "p", "version": "1.0.0", "charts": ["charts/c"]}`, "p/charts/c/Chart.yaml": "name: c\nversion: 1.0.0\n", "p/charts/c/values.yaml": "db: {}\n", "p/charts/c/templates/a.yaml": "{{ .Values.db.host }}\n",
			"p/charts/c/values.schema.json": `{"properties": {"db": {"properties": {"user": {}}, "required": ["host"]}}}`, "p/values.yaml": "charts:\n  c:\n    # the database\n    db: {user: a}\n"},
			[]string{"error values/chart-schema p/values.yaml:4"}},
		{"of two packs for the cluster the chosen one", Options{Packs: []string{"a"}}, map[string]string{
			"Kptfile": kptfileHead, "a.yaml": applied(packNamed("a")), "b.yaml": applied(packNamed("b"))},
			[]string{"warning resource/not-local a.yaml:3", format + "a.yaml:7"}},
		{"chosen packs in place of those that a pipeline chooses", Options{Packs: []string{"b"}}, map[string]string{
			"Kptfile": validator("    configMap: {packs: a, severity: values/format=warning}\n"), "a.yaml": packNamed("a"), "b.yaml": packNamed("b")}, []string{"warning values/format b.yaml:7"}},
		{"chosen packs, and a functionConfig in a file", Options{Packs: []string{"b"}}, map[string]string{
			"Kptfile": validator("    configPath: v.yaml\n"), "v.yaml": validatePackValues + "  severity: {values/format: warning}\n", "a.yaml": packNamed("a"), "b.yaml": packNamed("b")}, []string{"warning values/format b.yaml:7"}},
		{"a functionConfig that is not there", Options{}, map[string]string{"Kptfile": validator("    configPath: v.yaml\n"), "a.yaml": packNamed("a")}, []string{"error input/invalid Kptfile:7", "error values/format a.yaml:7"}},
		{"a selector that is not a regular expression", Options{}, map[string]string{"Kptfile": validator("    selectors: [{resourceFileRegexp: '('}]\n"), "a.yaml": packNamed("a")}, []string{"error input/invalid Kptfile:8", "error values/format a.yaml:7"}},
		{"a Kptfile that cannot be read where only a render looks", Options{Rendered: true}, map[string]string{
			"Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: small}\n", ".krmignore": "sub\n", "sub/Kptfile": "kind: [\n", "a.yaml": packNamed("a")}, []string{"error values/format a.yaml:7", "error input/invalid sub/Kptfile:1"}},
		{"a mutator without a configuration file", Options{Rendered: true}, map[string]string{
			"Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configPath: c.yaml\n", "a.yaml": packNamed("a")}, []string{"error input/invalid Kptfile:7", "error values/format a.yaml:7"}},
		{"a pack directory whose name is not UTF-8", Options{}, map[string]string{"\xff/pack.json": "{"}, []string{"error input/invalid \xff/pack.json:1"}},
		{"the same, and chosen packs", Options{Packs: []string{"a"}}, map[string]string{"\xff/pack.json": "{"}, []string{`--packs: no pack named "a"`}},
		{"a pack directory with a file that is not UTF-8", Options{}, map[string]string{"p/pack.json": "{}", "p/values.yaml": "\xff"}, []string{"error input/invalid p/values.yaml:0"}},
		{"no resource", Options{}, map[string]string{"a.txt": "a"}, []string{".: no resource and no pack is here. Give a package, a file of resources or a pack directory"}},
		{"a file without resources", Options{}, map[string]string{"a.yaml": "# nothing\n"}, []string{".: no resource and no pack is here. Give a package, a file of resources or a pack directory"}},
		{"a chart alone", Options{}, map[string]string{"c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "c/templates/a.yaml": packNamed("a")}, nil},
		{"no pack of the name", Options{Packs: []string{"x"}}, map[string]string{"a.yaml": packNamed("b"), "b.yaml": packNamed("a"), "c.yaml": packNamed("b")}, []string{`--packs: no pack named "x". Available: "a", "b"`}},
		{"half a pack", Options{}, map[string]string{"pack.jsn": "{}", "values.yaml": "a: 1\n"}, []string{". holds half a pack: it has values.yaml, but no pack.json; rename pack.jsn"}},
		{"a pack directory of a package", Options{}, map[string]string{"Kptfile": kptfileHead, "p/pack.json": "{", "p/values.yaml": "a: [\n"}, []string{"error input/invalid p/pack.json:1", "error input/invalid p/values.yaml:1"}},
		{"files beside a pack directory", Options{}, map[string]string{"p/pack.json": `{"name": "p", "version": "1.0.0"}`, "p/values.yaml": "a: 1\n", "p/more/a.yaml": packNamed("a"), "q.yaml": packNamed("q")}, []string{format + "q.yaml:7"}},
		{"an acceptance beside an input that cannot be read", Options{}, map[string]string{"Kptfile": kptfileHead,
			"a.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a, annotations: {config.kubernetes.io/local-config: \"true\", packs.kpt.dev/accept: \"values/format port: right\"}}\nspec:\n  version: 1.0.0\n  values: \"a: [\"\n  schema: {port: {schema: '{{ format \"${number:[1-5]}\" }}'}}\n"},
			[]string{"error values/invalid-yaml a.yaml:6"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, _ := checked(t, tc.options, tc.files)
			if diff := cmp.Diff(tc.want, found); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A case is a resource that a check reads.
func TestCases(t *testing.T) {
	dir := folderOf(t, map[string]string{"Kptfile": kptfileHead, "a.yaml": packNamed("a"), "b.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: b}\n"})
	r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, one := range r.Cases {
		got = append(got, fmt.Sprintf("%s %s %s %s", one.Function, one.File, one.Resource.Kind, one.Resource.Name))
	}
	if want := []string{
		"validate-pack-values Kptfile Kptfile p", "validate-pack-values a.yaml Pack a", "check-dependencies Kptfile Kptfile p", "check-dependencies a.yaml Pack a",
		"check-resources Kptfile Kptfile p", "check-resources a.yaml Pack a", "select-implementations Kptfile Kptfile p", "check-pipeline Kptfile Kptfile p", "check-packs a.yaml Pack a",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Options that name a rule which nothing that ran can report say so.
func TestSwitchedOff(t *testing.T) {
	severity := func(id string) Options {
		return Options{Severity: map[string]diag.Severity{id: diag.Warning}, Rendered: true}
	}
	config := func(text string) map[string]string {
		return map[string]string{"a.yaml": packNamed("a"), "Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: small}\n  validators:\n  - exec: validate-pack-values\n    configMap: {" + text + "}\n"}
	}
	asWritten := severity("preset/applied")
	asWritten.Rendered = false
	off := severity("values/unknown-key")
	off.Severity["values/unknown-key"] = diag.Off
	for _, tc := range []struct {
		name    string
		options Options
		files   map[string]string
		want    string
	}{
		{"not switched on", severity("values/unknown-key"), config("severity: \"\""), "--severity values/unknown-key: nothing that ran reports this rule; set unknownKeys in the functionConfig of validate-pack-values"},
		{"switched on to ignore", severity("values/unknown-key"), config("unknownKeys: ignore"), "--severity values/unknown-key: nothing that ran reports this rule; set unknownKeys in the functionConfig of validate-pack-values"},
		{"switched on", severity("values/unknown-key"), config("unknownKeys: warning"), ""},
		{"switched off", off, config("unknownKeys: ignore"), ""},
		{"a check", severity("values/format"), config("unknownKeys: ignore"), ""},
		{"a mutator that runs", severity("preset/applied"), config("unknownKeys: ignore"), ""},
		{"a mutator that does not", asWritten, config("unknownKeys: ignore"), "--severity preset/applied: nothing that ran reports this rule; apply-preset reports it, as a mutator of a package"},
		{"no charts", Options{Only: []string{"values/chart-missing"}}, config("unknownKeys: ignore"), "--only values/chart-missing: nothing that ran reports this rule; check a pack directory, or name one by --charts"},
		{"no Kptfile", Options{Only: []string{"pipeline/hidden"}}, map[string]string{"a.yaml": packNamed("a")}, "--only pipeline/hidden: nothing that ran reports this rule; it is about the Kptfiles of packages"},
		{"a mutator that packfn does not know", Options{Rendered: true}, map[string]string{"a.yaml": packNamed("a"), "Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: sed\n"}, ".: mutators of other suites do not run (sed): what they change is checked as it is without them"},
		{"a field that packfn does not know, and a mutator", Options{Rendered: true}, map[string]string{"a.yaml": packNamed("a"), "Kptfile": kptfileHead + "new: 1\npipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: small}\n"}, ".: the mutators do not run, because packfn does not know a field of Kptfile"},
		{"a mutator that finds errors", Options{Rendered: true}, map[string]string{"a.yaml": packNamed("a"), "Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: large}\n"}, ".: the pipeline stops at the errors of a mutator, so packfn checks the package as it is on disk"},
		{"a Kptfile", Options{Only: []string{"pipeline/hidden", "input/invalid", "accept/unused"}}, config("unknownKeys: ignore"), ""},
	} {
		_, notes := checked(t, tc.options, tc.files)
		if got := strings.Join(notes, "\n"); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

// The place of a key is that of its first character, also in the first column.
func TestPlace(t *testing.T) {
	dir := folderOf(t, map[string]string{"pack.json": `{"name": "a", "version": "1.0.0"}`, "values.yaml": "x: 1\nport: 7\n"})
	options := Options{Functions: suite.All(), Root: dir}
	packs, err := Packs([]string{dir}, options)
	if err != nil || len(packs) != 1 {
		t.Fatalf("%d packs: %v", len(packs), err)
	}
	origin := packs[0].OwnValues().Origin
	for at, want := range map[diag.Position]string{{Line: 2, Column: 1}: "values.yaml:2:1", {Line: 2}: "values.yaml:2", {Line: 2, Column: 7}: "values.yaml:2:7"} {
		if got := packs[0].Place(&options, origin, "port", at); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A function that has nothing to do says so to kpt, and not to those who run all checks.
func TestNothingToDo(t *testing.T) {
	dir := folderOf(t, map[string]string{"Kptfile": kptfileHead, "a.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"})
	if r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir}); err != nil || len(r.Findings) > 0 {
		t.Errorf("%v, %v", err, r.Findings)
	}
}

// A placeholder that a pack ships is for its users: a warning about what is deployed.
func TestPlaceholderOfPack(t *testing.T) {
	dir := folderOf(t, map[string]string{"pack.json": `{"name": "p", "version": "1.0.0"}`, "values.yaml": "token: REPLACE_ME\n"})
	for want, deployed := range map[diag.Severity]bool{diag.Info: false, diag.Warning: true} {
		r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir, AsDeployed: deployed})
		isIt := func(f report.Finding) bool {
			return f.Rule == "values/placeholder" && f.Severity == want && f.Line == 1
		}
		if err != nil || !slices.ContainsFunc(r.Findings, isIt) {
			t.Errorf("as deployed %v: %v, %+v", deployed, err, r.Findings)
		}
	}
}

// What a published pack cannot have yet is an info about its directory, and an error in
// --as-deployed. Its other faults are errors in both.
func TestDeployed(t *testing.T) {
	const asks = `{"name": "p", "version": "1.0.0", "constraints": {`
	for _, tc := range []struct {
		rule   string
		files  map[string]string
		always bool
	}{
		{"dependency/missing", map[string]string{"pack.json": asks + `"dependencies": [{"packName": "z", "type": "required"}]}}`}, false},
		{"resources/no-pool", map[string]string{"pack.json": asks + `"resources": [{"type": "cpu", "minLimit": 10}]}}`}, false},
		{"requirement/unsatisfied", map[string]string{"pack.json": asks + `}}`, "dependencies.yaml": "dependencies: [{type: olm.label, value: {label: secured}}]\n"}, false},
		{"values/required", map[string]string{"pack.json": asks + `}}`, "schema.yaml": "host: {schema: '{{ required }}'}\n"}, false},
		{"dependency/invalid", map[string]string{"pack.json": asks + `"dependencies": [{"packName": "z", "type": "requird"}]}}`}, true},
		{"resources/invalid", map[string]string{"pack.json": asks + `"resources": [{"type": "cpus", "minLimit": 10}]}}`}, true},
		{"values/format", map[string]string{"pack.json": asks + `}}`, "schema.yaml": "port: {schema: '{{ format \"${number}\" }}'}\n"}, true},
	} {
		tc.files["values.yaml"] = "host: ''\nport: x\n"
		for _, deployed := range []bool{false, true} {
			want := diag.Info
			if deployed || tc.always {
				want = diag.Error
			}
			dir := folderOf(t, tc.files)
			r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir, AsDeployed: deployed})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(r.Findings, func(f report.Finding) bool { return f.Rule == tc.rule })
			if at < 0 || r.Findings[at].Severity != want {
				t.Errorf("%s, as deployed %v: want %s, got %v", tc.rule, deployed, want, r.Findings)
			}
			// A severity that the user has set counts.
			r, err = runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir, AsDeployed: deployed, Severity: map[string]diag.Severity{tc.rule: diag.Warning}})
			if err != nil {
				t.Fatal(err)
			}
			if at := slices.IndexFunc(r.Findings, func(f report.Finding) bool { return f.Rule == tc.rule }); at < 0 || r.Findings[at].Severity != diag.Warning {
				t.Errorf("%s, as deployed %v, as a warning: got %v", tc.rule, deployed, r.Findings)
			}
		}
	}
}

// Options that name what does not exist are refused.
func TestValidate(t *testing.T) {
	severity := func(id string, severity diag.Severity) Options {
		return Options{Severity: map[string]diag.Severity{id: severity}}
	}
	for _, tc := range []struct {
		options Options
		want    string
	}{
		{Options{Only: []string{"values/format", "input/invalid", "accept/unused", "preset/applied", "values/inert"}}, ""},
		{Options{Only: []string{"values/formt"}}, `--only: unknown rule "values/formt"`},
		{Options{Only: []string{"upgrade/format"}}, `--only: unknown rule "upgrade/format"`},
		{severity("values/format", diag.Error), ""}, {severity("values/format", diag.Warning), ""}, {severity("values/format", diag.Info), ""}, {severity("values/format", diag.Off), ""},
		{severity("values/format", "warn"), `--severity values/format: must be "error", "warning", "info" or "off", got "warn"`},
		{severity("values/formt", diag.Error), `--severity values/formt: unknown rule "values/formt"`},
		{severity("upgrade/format", diag.Error), `--severity upgrade/format: unknown rule "upgrade/format"`},
		{severity("input/invalid", diag.Warning), "--severity input/invalid: the severity of input/invalid cannot be changed"},
	} {
		got := ""
		if err := tc.options.Validate(); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tc.want) || got != "" && tc.want == "" {
			t.Errorf("%v %v: got %q, want %q", tc.options.Only, tc.options.Severity, got, tc.want)
		}
	}
}

// Paths are relative to the root of the git tree around the working directory.
func TestRoot(t *testing.T) {
	dir := folderOf(t, map[string]string{"a/b/c": "", "d/e/f": "", "a/.git/HEAD": ""})
	for working, want := range map[string]string{"a/b": "a", "a": "a", "d/e": "d/e"} {
		t.Chdir(filepath.Join(dir, working))
		if got, err := Root(); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%s: got %s %v, want %s", working, got, err, want)
		}
	}
}
