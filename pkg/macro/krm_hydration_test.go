package macro

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// file is a file of a package.
type file struct{ path, text string }

// packageOf are the files of a package in the order of the arguments: path, text, path, text.
func packageOf(pathsAndTexts ...string) []file {
	var files []file
	for i := 0; i < len(pathsAndTexts); i += 2 {
		files = append(files, file{pathsAndTexts[i], strings.TrimSpace(pathsAndTexts[i+1]) + "\n"})
	}
	return files
}

// runFiles runs the function over files as a client does that says where they are.
func runFiles(t testing.TB, config string, files []file) ([]file, function.Outcome) {
	t.Helper()
	l := &list.List{}
	for _, f := range files {
		l.Items = append(l.Items, list.FileItems([]byte(f.text), f.path)...)
	}
	if config != "" {
		d, err := values.Parse(config)
		if err != nil {
			t.Fatal(err)
		}
		l.SetConfig(d.Root())
	}
	outcome := function.Evaluate(Function(), l)
	var out []file
	for i, item := range l.Items {
		out = append(out, file{files[i].path, string(item.Text())})
	}
	return out, outcome
}

// textOf returns what a file has behind `values.yaml: |`, or the whole file.
func textOf(files []file, path string) string {
	for _, f := range files {
		if f.path == path {
			if _, text, ok := strings.Cut(f.text, "  values.yaml: |\n    "); ok {
				return strings.TrimSuffix(strings.ReplaceAll(text, "\n    ", "\n"), "\n")
			}
			return f.text
		}
	}
	return ""
}

const (
	name   = "{{ .spectro.system.cluster.name }}"
	region = "{{ .spectro.system.cloud.region }}"
	// stepsOf is a Kptfile with a step that keeps macros before one with the region.
	twoSteps = kptfile + `pipeline:
  mutators:
  - exec: resolve-macros
    configMap: {system.cluster.name: eu-1, missing: keep}
  - image: example.com/resolve-macros:v1
    configMap: {system.cloud.region: eu}
`
	first  = "{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {system.cluster.name: eu-1, missing: keep}}"
	second = "{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {system.cloud.region: eu}}"
)

func TestSourcesAreKept(t *testing.T) {
	cluster := func(name string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec:\n  system: {cluster: {name: " + name + "}}\n"
	}
	for _, tc := range []struct {
		name, config string
		files        []file
		want         string   // of the file a.yaml
		results      []string // facts
	}{
		{"the first time", "", packageOf("c.yaml", cluster("eu-1"), "a.yaml", packOf("a", "host: '"+name+".example.com' # ours")),
			"host: 'eu-1.example.com' # ours # kpt-macro: " + name + ".example.com", nil},
		{"another fact", "", packageOf("c.yaml", cluster("eu-2"), "a.yaml", packOf("a", "host: 'eu-1.example.com' # ours # kpt-macro: "+name+".example.com")),
			"host: 'eu-2.example.com' # ours # kpt-macro: " + name + ".example.com", nil},
		{"the value was edited", "", packageOf("c.yaml", cluster("eu-1"), "a.yaml", packOf("a", "host: mine # kpt-macro: "+name)), "host: eu-1 # kpt-macro: " + name, nil},
		{"a macro of the user", "", packageOf("c.yaml", cluster("eu-1"), "a.yaml", packOf("a", "host: 'x-"+name+"' # kpt-macro: "+name)), "host: 'x-eu-1' # kpt-macro: x-" + name, nil},
		{"a typed pack", "", packageOf("c.yaml", cluster("eu-2"), "a.yaml", typedPack("a", "host: eu-1 # kpt-macro: "+name+"\nhosts: ['eu-1', x] # kpt-macro: [\""+name+"\",\"x\"]")),
			typedPack("a", "host: eu-2 # kpt-macro: "+name+"\nhosts: ['eu-2', x] # kpt-macro: [\""+name+"\",\"x\"]") + "\n", nil},
		{"a chain", "", packageOf("c.yaml", cluster("eu-2"), "a.yaml", packOf("a", "x: eu-1. # kpt-macro: {{ .spectro.pack.b.y }}."), "b.yaml", packOf("b", "y: eu-1 # kpt-macro: "+name)),
			"x: eu-2. # kpt-macro: {{ .spectro.pack.b.y }}.", nil},
		{"a chain to a value that was edited", "", packageOf("c.yaml", cluster("eu-2"), "a.yaml", packOf("a", "x: eu-1. # kpt-macro: {{ .spectro.pack.b.y }}."), "b.yaml", packOf("b", "y: mine")),
			"x: mine. # kpt-macro: {{ .spectro.pack.b.y }}.", nil},
		{"a fact that is not in this run", "", packageOf("a.yaml", packOf("a", "x: eu-1 # kpt-macro: "+name)), "x: eu-1 # kpt-macro: " + name,
			[]string{"info macro/kept ConfigMap/a a.yaml#0 data[values.yaml] key=x at=1:22 pack=a macro=.spectro.system.cluster.name"}},
		{"facts that are not in this run", "", packageOf("a.yaml", packOf("a", "x: eu-1 # kpt-macro: "+name+"\ny: v # kpt-macro: {{ .spectro.var.V }}\nz: w # kpt-macro: {{ .spectro.pack.b.y }}")),
			"x: eu-1 # kpt-macro: " + name + "\ny: v # kpt-macro: {{ .spectro.var.V }}\nz: w # kpt-macro: {{ .spectro.pack.b.y }}",
			[]string{"info macro/kept ConfigMap/a a.yaml#0 data[values.yaml] key=x at=1:22 macro=\".spectro.pack.b.y .spectro.system.cluster.name .spectro.var.V\""}},
		{"a chain to a value that stays", "", packageOf("a.yaml", packOf("a", "x: old. # kpt-macro: {{ .spectro.pack.b.y }}."), "b.yaml", packOf("b", "y: eu-1 # kpt-macro: "+name)),
			"x: eu-1. # kpt-macro: {{ .spectro.pack.b.y }}.", []string{"info macro/kept ConfigMap/b b.yaml#0 data[values.yaml] key=y at=1:22 pack=b macro=.spectro.system.cluster.name"}},
		{"a chain to a value that is empty in the pack", "", packageOf("a.yaml", packOf("a", "x: old # kpt-macro: {{ .spectro.pack.b.y | default \"d\" }}"), "b.yaml", packOf("b", "z: 1")),
			"x: d # kpt-macro: {{ .spectro.pack.b.y | default \"d\" }}", nil},
		{"a pack that is there twice", "", packageOf("a.yaml", packOf("a", "x: old # kpt-macro: {{ .spectro.pack.b.y }}"), "b.yaml", packOf("b", "y: 1"), "b2.yaml", strings.Replace(packOf("b", "y: 1"), "name: b\n", "name: b2\n", 1)),
			"x: old # kpt-macro: {{ .spectro.pack.b.y }}", []string{"info macro/kept ConfigMap/a a.yaml#0 data[values.yaml] key=x at=1:21 pack=a macro=.spectro.pack.b.y"}},
		{"a fact that no one has", "", packageOf("a.yaml", packOf("a", "x: eu-1 # kpt-macro: {{ .spectro.system.cluster.nmae }}")), "x: eu-1 # kpt-macro: {{ .spectro.system.cluster.nmae }}",
			[]string{`error macro/unknown ConfigMap/a a.yaml#0 data[values.yaml] key=x at=1:25 unknown="system name \"cluster.nmae\"" want="cluster.name, cluster.uid or cluster.kubevip" near=cluster.name pack=a macro=.spectro.system.cluster.nmae`}},
		{"a source that does not parse", "", packageOf("a.yaml", packOf("a", "x: eu-1 # kpt-macro: {{ .spectro.var.X | }}\ny: z # kpt-macro: {{ .spectro.var.X")), "x: eu-1 # kpt-macro: {{ .spectro.var.X | }}\ny: z # kpt-macro: {{ .spectro.var.X",
			[]string{`error macro/invalid ConfigMap/a a.yaml#0 data[values.yaml] key=x at=1:41 got="the end of the macro" want="a value or a function" pack=a`, `error macro/invalid ConfigMap/a a.yaml#0 data[values.yaml] key=y at=2:19 pack=a`}},
		{"comments without a source", "", packageOf("a.yaml", packOf("a", "x: eu-1 # kpt-macro: see above\ny: z # kpt-macro: \"{{ .spectro.var.X")), "x: eu-1 # kpt-macro: see above\ny: z # kpt-macro: \"{{ .spectro.var.X",
			[]string{`warning macro/invalid ConfigMap/a a.yaml#0 data[values.yaml] at=1:22 pack=a`, `warning macro/invalid ConfigMap/a a.yaml#0 data[values.yaml] at=2:19 pack=a`}},
		{"data that has a macro", "{apiVersion: v1, kind: ConfigMap, metadata: {name: f}, data: {variables.V: '{{ .spectro.var.W }}'}}", packageOf("a.yaml", packOf("a", "x: eu-1 # kpt-macro: {{ .spectro.var.V }}")), "x: eu-1 # kpt-macro: {{ .spectro.var.V }}",
			[]string{`error macro/invalid ConfigMap/a a.yaml#0 data[values.yaml] key=x at=1:25 got="a string with a macro for .spectro.var.V" want="plain text" pack=a macro=.spectro.var.V`}},
		{"JSON has no comments", "", packageOf("c.yaml", cluster("eu-1"), "a.yaml", packOf("a", "{x: '"+name+"', y: ['"+name+"']}")), "{x: 'eu-1', y: ['eu-1']}",
			[]string{"info macro/unrecorded ConfigMap/a a.yaml#0 data[values.yaml] pack=a"}},
		{"chosen resources", typedConfig + "  resources: [{kind: Pod}]", packageOf("c.yaml", cluster("eu-2"), "a.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  x: eu-1 # kpt-macro: "+name+"\n"),
			"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  x: eu-2 # kpt-macro: " + name + "\n", nil},
		{"packs that are not chosen, without a pipeline", typedConfig + "  packs: [b]", packageOf("c.yaml", cluster("eu-2"), "a.yaml", packOf("a", "x: eu-1 # kpt-macro: "+name), "b.yaml", packOf("b", "y: 1")), "x: eu-1 # kpt-macro: " + name, nil},
		{"waiting", "", packageOf("Kptfile", kptfile, "c.yaml", point("spec: {}"), "a.yaml", packOf("a", "x: 'eu-1' # ours # kpt-macro: "+name+"\ny: 1 # kpt-macro: {{ .spectro.var.V }}")), "x: '" + name + "' # ours\ny: \"{{ .spectro.var.V }}\"",
			[]string{"info macro/waiting ClusterContext/one c.yaml#0 metadata.annotations[kpt.dev/config-injection]"}},
		{"waiting, with a source that is wrong in itself", "", packageOf("Kptfile", kptfile, "c.yaml", point("spec: {}"), "a.yaml", packOf("a", "x: 'eu-1' # kpt-macro: {{ .spectro.var.V | uper }}")), "x: 'eu-1' # kpt-macro: {{ .spectro.var.V | uper }}",
			[]string{`error macro/invalid ConfigMap/a a.yaml#0 data[values.yaml] key=x at=1:44 unknown="function \"uper\"" want="upper, lower, tuple, unset, urlParse and 184 more" near=upper pack=a macro=uper`, "info macro/waiting ClusterContext/one c.yaml#0 metadata.annotations[kpt.dev/config-injection]"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, outcome := runFiles(t, tc.config, tc.files)
			if diff := cmp.Diff(tc.want, textOf(got, "a.yaml")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tc.results, functiontest.Facts(functiontest.Noted(outcome.Findings))); diff != "" {
				t.Errorf("findings -want +got:\n%s", diff)
			}
			again, second := runFiles(t, tc.config, got)
			if diff := cmp.Diff(got, again, cmp.AllowUnexported(file{})); diff != "" {
				t.Errorf("the second run: -first +second:\n%s", diff)
			}
			if diff := cmp.Diff(functiontest.Messages(outcome), functiontest.Messages(second)); diff != "" && tc.name != "JSON has no comments" {
				t.Errorf("findings of the second run: -first +second:\n%s", diff)
			}
		})
	}
}

// TestSteps: which step a run is decides whether the sources are put back.
func TestSteps(t *testing.T) {
	const source = "x: 'eu-0-us' # kpt-macro: " + name + "-" + region
	for _, tc := range []struct{ name, kptfile, config, before, after string }{
		{"the first step keeps what it cannot resolve", twoSteps, first, source, "x: 'eu-1-" + region + "' # kpt-macro: " + name + "-" + region},
		{"again", twoSteps, first, "x: 'eu-0-" + region + "' # kpt-macro: " + name + "-" + region, "x: 'eu-1-" + region + "' # kpt-macro: " + name + "-" + region},
		{"nothing can be resolved", twoSteps, first, "x: 'us' # ours # kpt-macro: " + region, "x: '" + region + "' # ours"},
		{"a macro of the user in the first step", twoSteps, first, "x: 'y" + region + "' # kpt-macro: " + name + "-" + region, "x: 'y" + region + "'"},
		{"the later step resolves what is left", twoSteps, second, "x: 'eu-1-" + region + "' # kpt-macro: " + name + "-" + region, "x: 'eu-1-eu' # kpt-macro: " + name + "-" + region},
		{"and no more", twoSteps, second, source, source},
		{"the later step keeps the source of what it resolves", twoSteps, second, "x: 'y-" + region + "'", "x: 'y-eu' # kpt-macro: y-" + region},
		{"not a step", twoSteps, "{apiVersion: v1, kind: ConfigMap, metadata: {name: f}, data: {system.cluster.name: e, system.cloud.region: e}}", source, "x: 'e-e' # kpt-macro: " + name + "-" + region},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, outcome := runFiles(t, tc.config, packageOf("Kptfile", tc.kptfile, "a.yaml", packOf("a", tc.before)))
			if text := textOf(got, "a.yaml"); text != tc.after || outcome.Failed {
				t.Errorf("got %s\nwant %s\n%v", text, tc.after, functiontest.Messages(outcome))
			}
		})
	}
	// All input of a first step is put back, a later one resolves what it chooses.
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  x: eu-0 # kpt-macro: " + name + "\n"
	kptfile := kptfile + "pipeline:\n  mutators:\n  - exec: resolve-macros\n    configMap: {packs: b, system.cluster.name: eu-1}\n  - exec: packfn resolve-macros\n    configPath: all.yaml\n"
	config := strings.TrimLeft(strings.Replace(typedConfig, "{name: resolve}", "{name: resolve, annotations: {config.kubernetes.io/path: all.yaml}}", 1), "\n") + "  system: {cluster: {name: eu-2}}\n  resources: [{kind: Pod}]\n"
	files := packageOf("Kptfile", kptfile, "a.yaml", packOf("a", "x: eu-0 # kpt-macro: "+name), "b.yaml", packOf("b", "x: eu-0 # kpt-macro: "+name), "p.yaml", pod, "sub/Kptfile", kptfile, "sub/a.yaml", packOf("s", "x: eu-0 # kpt-macro: "+name+"\ny: '"+name+"'"), "all.yaml", config)
	got, outcome := runFiles(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {packs: b, system.cluster.name: eu-1}}", files)
	if outcome.Failed {
		t.Fatal(functiontest.Messages(outcome))
	}
	for path, want := range map[string]string{
		"a.yaml": "x: \"" + name + "\"", "b.yaml": "x: eu-1 # kpt-macro: " + name, "p.yaml": strings.Replace(pod, "eu-0 # kpt-macro: "+name, "\""+name+"\"", 1),
		"sub/a.yaml": "x: eu-0 # kpt-macro: " + name + "\ny: '" + name + "'",
	} {
		if text := textOf(got, path); text != want {
			t.Errorf("%s after the first step: %s", path, text)
		}
	}
	got, outcome = runFiles(t, config, got)
	if outcome.Failed {
		t.Fatal(functiontest.Messages(outcome))
	}
	for path, want := range map[string]string{
		"a.yaml": "x: \"eu-2\" # kpt-macro: " + name, "b.yaml": "x: eu-1 # kpt-macro: " + name, "p.yaml": strings.Replace(pod, "eu-0", "\"eu-2\"", 1),
		"sub/a.yaml": "x: eu-0 # kpt-macro: " + name + "\ny: 'eu-2' # kpt-macro: " + name,
	} {
		if text := textOf(got, path); text != want {
			t.Errorf("%s after the second step: %s", path, text)
		}
	}
}

// A client that has no files, as kustomize, gets no new comments.
func TestWithoutFiles(t *testing.T) {
	const config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: f}, data: {system.cluster.name: eu-2}}"
	output, outcome := functiontest.Evaluate(t, Function(), functiontest.List(config, packOf("a", "x: '"+name+"'\ny: eu-1 # kpt-macro: "+name+"\nz: 'z"+name+"' # kpt-macro: "+name)))
	if want := "x: 'eu-2'\n      y: eu-2 # kpt-macro: " + name + "\n      z: 'zeu-2'\n"; !strings.Contains(output, want) || outcome.Failed {
		t.Errorf("got %s", output)
	}
}
