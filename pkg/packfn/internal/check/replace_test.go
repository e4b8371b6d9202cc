package check

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/policy"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// errorsOf runs one check over a folder, and returns the errors as `RULE FILE:LINE`, or why it could not run.
func errorsOf(dir string, f function.Function, options Options) (found []string) {
	options.Functions, options.Root = []function.Function{f}, dir
	r, err := Run([]string{dir}, options)
	if err != nil {
		return []string{below(dir, err.Error())}
	}
	for _, f := range r.Findings {
		if f.Severity == diag.Error {
			found = append(found, fmt.Sprintf("%s %s:%d", f.Rule, f.File, f.Line))
		}
	}
	return found
}

const (
	bundle = `schema: olm.bundle
name: NAME.v1.0.0
package: NAME
properties:
- {type: olm.package, value: {packageName: NAME, version: 1.0.0}}
`
	requirement = "- {type: olm.package.required, value: {packageName: blue, versionRange: '>=2.0.0'}}\n"
	implement   = `ocfVersion: 0.0.1
revision: 0.1.0
kind: Interface
metadata:
  prefix: cap.interface.queue
  name: install
spec: {}
`
)

func bundleNamed(name, properties string) string {
	return "---\n" + strings.ReplaceAll(bundle, "NAME", name) + properties
}

// Texts that an editor holds are read in place of files, also in place of Kptfiles,
// pack directories, bundles and manifests of Capact. The progress counts units.
func TestReplace(t *testing.T) {
	const context = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: prod}
spec: {system: {kubernetes: {version: 1.31.0}}}
`
	const format = "values/format "
	files := map[string]string{
		"x/Kptfile":     kptfileHead,
		"x/a.yaml":      packNamed("a"),
		"b.yaml":        packNamed("b"),
		"k.yaml":        context,
		"l.yaml":        context,
		"p/pack.json":   `{"name": "p", "version": "1.0.0"}`,
		"p/values.yaml": "port: 7\n",
		"p/schema.yaml": `port:
  schema: '{{ format "${number:[1-5]}" }}'
`,
	}
	const a, b, p = format + "x/a.yaml:7", format + "b.yaml:7", format + "p/values.yaml:1"
	bundles := map[string]string{
		"c.yaml": bundleNamed("blue", ""),
		"red/metadata/dependencies.yaml": `dependencies:
- {type: olm.package, value: {packageName: blue, version: '>=2.0.0'}}
`,
		"red/metadata/annotations.yaml": `annotations:
  operators.operatorframework.io.bundle.package.v1: red
`,
		"red/manifests/a.yaml": `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: red.v1.0.0}
spec: {version: 1.0.0}
`,
	}
	fixed := func(text string) string { return strings.Replace(text, "port: 7", "port: 3", 1) }
	for _, tc := range []struct {
		name     string
		function function.Function
		files    map[string]string
		replace  map[string]string
		want     []string
	}{
		{"nothing", schema.Function(), files, nil, []string{b, p, a}},
		{"a file of a package", schema.Function(), files, map[string]string{"x/a.yaml": fixed(packNamed("a"))}, []string{b, p}},
		{"a file of no package", schema.Function(), files, map[string]string{"b.yaml": fixed(packNamed("b"))}, []string{p, a}},
		{"a ClusterContext among several", dependency.Function(), files, map[string]string{"k.yaml": strings.Replace(context, "kubernetes:", "kubernets:", 1)}, []string{"input/invalid k.yaml:4"}},
		{"a file of a pack directory", schema.Function(), files, map[string]string{"p/values.yaml": "port: 3\n"}, []string{b, a}},
		{
			"a Kptfile", schema.Function(), files,
			map[string]string{"x/Kptfile": kptfileHead + `pipeline:
  validators:
  - exec: validate-pack-values
    configMap: {severity: values/format=info}
`},
			[]string{b, p},
		},
		{"a Kptfile that cannot be read", schema.Function(), files, map[string]string{"x/Kptfile": kptfileHead + "pipeline: [\n"}, []string{b, p, "input/invalid x/Kptfile:5", a}},
		{"files of a bundle and of a catalog", dependency.Function(), bundles, map[string]string{"red/metadata/dependencies.yaml": "dependencies: []\n", "c.yaml": bundleNamed("teal", strings.Replace(requirement, "blue", "red", 1))}, []string{"requirement/unsatisfied c.yaml:7"}},
		{"a manifest of Capact", policy.Function(), map[string]string{"hub/queue.yaml": implement}, map[string]string{"hub/queue.yaml": strings.Replace(implement, "prefix: cap", "prefix: 'cap ", 1)}, []string{"input/invalid hub/queue.yaml:5"}},
	} {
		dir := folderOf(t, tc.files)
		options := Options{Files: Files{Replace: map[string][]byte{}}}
		for name, text := range tc.replace {
			options.Replace[filepath.Join(dir, name)] = []byte(text)
		}
		var progress []string
		options.Progress = func(done, total int) { progress = append(progress, fmt.Sprint(done, "/", total)) }
		got := errorsOf(dir, tc.function, options)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
		if diff := cmp.Diff([]string{"0/5", "1/5", "2/5", "3/5", "4/5"}, progress); diff != "" && tc.files["x/Kptfile"] != "" {
			t.Errorf("%s: progress: -want +got:\n%s", tc.name, diff)
		}
	}
}

// A catalog that is too large to be read as a whole is read, a document that is too large by itself is a finding, and a
// rule sees a large property.
func TestLargeCatalog(t *testing.T) {
	const rule = `- {type: large, value: {name: blue, text: %s}}
- {type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == "large" && p.value.name == "%s" && size(p.value.text) > 5000)'}}}
`
	for name, tc := range map[string]struct{ text, want string }{
		"a large document":             {bundleNamed("blue", "") + bundleNamed("teal", "- {type: picture, value: "+strings.Repeat("x", values.MaxBytes)+"}\n") + bundleNamed("red", requirement), "[input/invalid c.yaml:7 requirement/unsatisfied c.yaml:20]"},
		"a large property":             {bundleNamed("red", fmt.Sprintf(rule, strings.Repeat("x", 6000), "blue")), "[]"},
		"a large property of the name": {bundleNamed("red", fmt.Sprintf(rule, strings.Repeat("x", 6000), "teal")), "[constraint/unsatisfied c.yaml:8]"},
	} {
		if got := fmt.Sprint(errorsOf(folderOf(t, map[string]string{"c.yaml": tc.text}), dependency.Function(), Options{})); got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
}

// Of too many documents of catalogs the rest is not checked, which is an error at the catalog that has them.
func TestManyDocuments(t *testing.T) {
	many := strings.Repeat(`---
{"schema": "olm.package"}
`, olm.MaxDocuments-1)
	asked := bundleNamed("red", strings.Replace(requirement, "blue", "red", 1))
	for name, tc := range map[string]struct{ text, want string }{
		"as many as allowed": {asked + many, "[requirement/unsatisfied a.yaml:7]"},
		"one more": {
			asked + many + `---
schema: olm.package
`,
			"[input/invalid a.yaml:0 requirement/unsatisfied a.yaml:7]",
		},
	} {
		if got := fmt.Sprint(errorsOf(folderOf(t, map[string]string{"a.yaml": tc.text}), dependency.Function(), Options{})); got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
}

// A pack whose charts are not at hand is recorded as not checked, at its resource. An archive at hand is used.
func TestSkipCharts(t *testing.T) {
	dir := folderOf(t, map[string]string{"web.yaml": strings.Replace(packNamed("web"), "spec:\n", `spec:
  charts: [charts/web]
`, 1)})
	chart := folderOf(t, map[string]string{"pack.json": `{"name": "web", "version": "1.0.0", "charts": ["charts/web"]}`, "charts/web/Chart.yaml": "name: web\n", "charts/web/templates/a.yaml": "{{ .Values.port }}"})
	archive := func(name, version string) string {
		if name+version == "web1.0.0" {
			return chart
		}
		return ""
	}
	for name, tc := range map[string]struct {
		options Options
		want    string
	}{
		"registries": {Options{Library: Library{Registries: []string{"oci://a/b"}}}, "[chart web.yaml:1 Pack web: the charts of web 1.0.0 were not looked at (the cache has no archive of it from oci://a/b): import"},
		"an archive": {Options{Library: Library{Archive: archive}}, "[]"},
		"neither":    {Options{}, "[chart web.yaml:1 Pack web: the charts of web 1.0.0 were not looked at: import its directory again"},
	} {
		tc.options.Functions, tc.options.Root = []function.Function{schema.Function()}, dir
		r, err := Run([]string{dir}, tc.options)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(skippedIn(r)); !strings.HasPrefix(got, tc.want) || r.Sum().Packs != 1 || (r.Sum().Charts == 1) != (tc.want == "[]") {
			t.Errorf("%s: got %s, checked %s", name, got, r.Sum())
		}
	}
}

// skippedIn returns a line for each thing that a report says was not checked.
func skippedIn(r *report.Report) (lines []string) {
	for _, s := range r.Skipped {
		lines = append(lines, fmt.Sprintf("%s %s:%d %s: %s", s.Reason, s.File, s.Line, s.Resource, s.Message))
	}
	return lines
}
