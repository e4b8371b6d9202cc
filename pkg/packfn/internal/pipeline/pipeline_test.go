package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/values"
)

func read(t *testing.T, files map[string]string) *kptpackage.Package {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := kptpackage.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\npipeline:\n"

// Steps come in the order of kpt, with the functions that they run and their
// configurations.
func TestSteps(t *testing.T) {
	p := read(t, map[string]string{
		"Kptfile": kptfile + `  validators:
  - exec: /usr/bin/check-resources
  mutators:
  - image: ghcr.io/krm-packs/resolve-macros:v1.2.3
    configMap: {missing: error}
  - image: ghcr.io/krm-packs/packfn@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
    configPath: sub/presets.yaml
  - exec: packfn inject-config
  - exec: packfn
  - image: example.com/set-labels:v1
`,
		"sub/presets.yaml": "apiVersion: fn.kpt.dev/v1alpha1\nkind: ApplyPreset\nmetadata: {name: x}\n",
		"a/b/Kptfile":      kptfile + "  mutators:\n  - {exec: apply-preset}\n",
		"a/Kptfile":        kptfile + "  validators:\n  - {image: packfn, configPath: set.yaml}\n",
		"a/set.yaml":       "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: x}\n",
	})
	steps, faults := Steps(p, functions)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	var got []string
	for _, s := range steps {
		got = append(got, fmt.Sprintf("%s %s %s %v %s %s", s.Package, s.Field, s.Function.Name, s.Mutator, s.ConfigFile, values.Text(values.Field(s.Config, "kind"))))
	}
	want := []string{
		"a/b pipeline.mutators[0] apply-preset true  ",
		"a pipeline.validators[0] expand-variant-set false a/set.yaml PackageVariantSet",
		". pipeline.mutators[0] resolve-macros true  ConfigMap",
		". pipeline.mutators[1] apply-preset true sub/presets.yaml ApplyPreset",
		". pipeline.mutators[2] inject-config true  ",
		". pipeline.mutators[3]  true  ",
		". pipeline.mutators[4]  true  ",
		". pipeline.validators[0] check-resources false  ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The packages beside each other come in the order of their names, and before the one around
// them.
func TestStepsOfPackages(t *testing.T) {
	files := map[string]string{}
	for _, dir := range []string{"d", "b", "", "a", "c", "b/y", "b/x", "e"} {
		files[filepath.Join(dir, "Kptfile")] = kptfile + "  mutators:\n  - exec: apply-preset\n"
	}
	steps, faults := Steps(read(t, files), functions)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	var got []string
	for _, s := range steps {
		got = append(got, s.Package)
	}
	if diff := cmp.Diff([]string{"a", "b/x", "b/y", "b", "c", "d", "e", "."}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStepsFaults(t *testing.T) {
	for config, want := range map[string]string{
		"":                        "configPath c.yaml must contain one resource, got 0",
		"a: [":                    "configPath c.yaml: line 1",
		"kind: A\n---\nkind: B\n": "configPath c.yaml must contain one resource, got 2",
	} {
		p := read(t, map[string]string{"Kptfile": kptfile + "  mutators:\n  - {exec: a, configPath: c.yaml}\n", "c.yaml": config})
		if _, faults := Steps(p, nil); len(faults) != 1 || !strings.Contains(faults[0].Error(), want) {
			t.Errorf("%q: got %v, want %s", config, faults, want)
		}
	}
	// A configPath is that of a file of the package itself.
	for _, name := range []string{"absent.yaml", "sub/c.yaml"} {
		p := read(t, map[string]string{"Kptfile": kptfile + "  mutators:\n  - {exec: a, configPath: " + name + "}\n", "sub/Kptfile": kptfile, "sub/c.yaml": "kind: A\n"})
		if _, faults := Steps(p, nil); len(faults) != 1 || !strings.HasSuffix(faults[0].Error(), "configPath "+name+" does not exist in the package") {
			t.Errorf("%s: got %v", name, faults)
		}
	}
}

// Selectors choose as in kpt: one of them must match, and no exclusion.
func TestSelects(t *testing.T) {
	item := list.FileItems([]byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: n\n  labels: {x: y}\n  annotations: {k: v}\n"), "a.yaml")[0]
	type selector = kptpackage.Selector
	for _, tc := range []struct {
		selectors, exclude []selector
		want               bool
	}{
		{nil, nil, true},
		{[]selector{{Kind: "ConfigMap", APIVersion: "v1", Name: "a", Namespace: "n"}}, nil, true},
		{[]selector{{Kind: "Secret"}, {Name: "a"}}, nil, true},
		{[]selector{{Kind: "ConfigMap", Name: "b"}}, nil, false},
		{[]selector{{Labels: map[string]string{"x": "y"}, Annotations: map[string]string{"k": "v"}}}, nil, true},
		{[]selector{{Labels: map[string]string{"x": "z"}}}, nil, false},
		{[]selector{{Annotations: map[string]string{"other": ""}}}, nil, false},
		{nil, []selector{{Kind: "ConfigMap"}}, false},
		{nil, []selector{{Kind: "Secret"}}, true},
	} {
		step := Step{Entry: kptpackage.Function{Selectors: tc.selectors, Exclude: tc.exclude}}
		if got, err := step.Selects(item); got != tc.want || err != nil {
			t.Errorf("%+v without %+v: got %v, %v", tc.selectors, tc.exclude, got, err)
		}
	}
}

func TestWithin(t *testing.T) {
	for pair, want := range map[[2]string]bool{{"a", "."}: true, {"a/b", "a"}: true, {"ab", "a"}: false, {".", "a"}: false, {"a", "a"}: true} {
		if got := Within(pair[0], pair[1]); got != want {
			t.Errorf("%v: %v", pair, got)
		}
	}
}

// configRef names exactly one resource of the package itself.
func TestConfigRef(t *testing.T) {
	large := func(name, namespace string) string {
		return "apiVersion: fn.kpt.dev/v1alpha1\nkind: ApplyPreset\nmetadata: {name: " + name + ", namespace: " + namespace + "}\n"
	}
	for ref, want := range map[string]string{
		"{kind: ApplyPreset, name: a}":                                                  "sub/fn.yaml 1",
		"{kind: ApplyPreset, name: b, namespace: two}":                                  "sub/other.yaml 0",
		"{apiVersion: fn.kpt.dev/v1alpha1, kind: ApplyPreset, name: b, namespace: one}": "sub/fn.yaml 2",
		"{kind: ApplyPreset, name: b}":                                                  "matches 2 resources (fn.yaml, other.yaml), want one",
		"{kind: ApplyPreset, name: absent}":                                             "does not exist in the package; broken.yaml: cannot be read: ",
		"{kind: ApplyPreset, name: mian}":                                               `does not exist in the package (did you mean "main"?)`,
		"{kind: AplyPreset, name: main}":                                                `does not exist in the package (did you mean "ApplyPreset"?)`,
		"{kind: ApplyPreset, name: below}":                                              "does not exist in the package",
		"{apiVersion: v1, kind: ApplyPreset, name: a}":                                  "does not exist in the package",
	} {
		p := read(t, map[string]string{
			"sub/Kptfile":       kptfile + "  mutators:\n  - exec: apply-preset\n    configRef: " + ref + "\n",
			"sub/fn.yaml":       "apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\n" + large("a", "x") + "---\n" + large("b", "one"),
			"sub/other.yaml":    large("b", "two") + "---\n" + large("main", "one"),
			"sub/broken.yaml":   "apiVersion: v1\nkind: [\n",
			"sub/below/Kptfile": kptfile[:strings.Index(kptfile, "pipeline")],
			"sub/below/fn.yaml": large("below", "x"),
		})
		steps, faults := Steps(p, functions)
		if err := errors.Join(faults...); err != nil {
			if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "Kptfile: line 6: pipeline.mutators[0]: configRef ") {
				t.Errorf("%s: %v, want %s", ref, err, want)
			}
			continue
		}
		if got := fmt.Sprint(steps[0].ConfigFile, " ", steps[0].ConfigIndex); got != want || steps[0].Config == nil {
			t.Errorf("%s: got %s, want %s", ref, got, want)
		}
	}
}

// A selector chooses by the path of the file from the root package. An empty exclude
// excludes nothing.
func TestSelectorOfFile(t *testing.T) {
	entry := func(text string) kptpackage.Function {
		k, err := kptpackage.ParseKptfile([]byte(kptfile + "  mutators:\n  - {exec: a, " + text + "}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return k.Mutators[0]
	}
	item := list.FileItem([]byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\n"), "dir/a.yaml", 0).InPackage("/sub")
	for text, want := range map[string]bool{
		"selectors: [{resourceFileRegexp: ^sub/dir/a}]":           true,
		"selectors: [{resourceFileRegexp: dir}]":                  true,
		"selectors: [{resourceFileRegexp: ^dir}]":                 false,
		"selectors: [{resourceFileRegexp: a.yaml$, kind: B}]":     false,
		"selectors: [{resourceFileRegexp: ''}]":                   true,
		"exclude: [{resourceFileRegexp: yaml$}]":                  false,
		"exclude: [{resourceFileRegexp: json$}]":                  true,
		"exclude: [{resourceFileRegexp: ''}]":                     true,
		"exclude: [{}]":                                           true,
		"selectors: [{kind: A}], exclude: [{}, {name: a}, {}]":    false,
		"selectors: [{}, {resourceFileRegexp: x}], exclude: [{}]": true,
	} {
		step := Step{Entry: entry(text)}
		if got, err := step.Selects(item); got != want || err != nil {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
}

// A message names five of many hidden resources, and a finding names the field that hides
// them. What only looks like a pack is left out.
func TestHides(t *testing.T) {
	files := map[string]string{"Kptfile": kptfile + "  validators:\n  - exec: validate-pack-values\n    selectors: [{kind: ConfigMap}]\n    exclude: [{kind: A}, {name: c}]\n"}
	for _, name := range []string{"p1", "p2", "p3", "p4", "p5", "p6"} {
		files[name+".yaml"] = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: " + name + "}\n"
	}
	files["c.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {pack.json: '{}'}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {note: of pack.json}\n"
	p := read(t, files)
	steps, faults := Steps(p, functions)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	var items []*list.Item
	for _, file := range p.Files {
		items = append(items, file.Items()...)
	}
	hidden := steps[0].Hides(items)
	if len(hidden) != 2 {
		t.Fatalf("%+v", hidden)
	}
	for i, want := range []struct{ by, has string }{
		{"exclude[1]", "hides ConfigMap c (c.yaml) from validate-pack-values"},
		{"selectors", "Pack p5 (p5.yaml) and 1 more from"},
	} {
		f := hidden[i].finding()
		if hidden[i].by != want.by || !strings.Contains(f.Message(), want.has) {
			t.Errorf("%s: %s", hidden[i].by, f.Message())
		}
	}
}

// kpt gives an item once for each selector that chooses it, and not at all if it is excluded.
func TestCount(t *testing.T) {
	item := list.FileItems([]byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\n"), "a.yaml")[0]
	a, b, none := kptpackage.Selector{Name: "a"}, kptpackage.Selector{Name: "b"}, kptpackage.Selector{}
	for name, tc := range map[string]struct {
		selectors, exclude []kptpackage.Selector
		want               int
	}{
		"no selector":       {nil, nil, 1},
		"one":               {[]kptpackage.Selector{a, b}, nil, 1},
		"two":               {[]kptpackage.Selector{a, {Kind: "A"}}, nil, 2},
		"another":           {[]kptpackage.Selector{b}, nil, 0},
		"excluded":          {nil, []kptpackage.Selector{b, a}, 0},
		"chosen, excluded":  {[]kptpackage.Selector{a}, []kptpackage.Selector{a}, 0},
		"nothing excluded":  {nil, []kptpackage.Selector{none, b}, 1},
		"an empty selector": {[]kptpackage.Selector{none}, nil, 1},
	} {
		s := &Step{Entry: kptpackage.Function{Selectors: tc.selectors, Exclude: tc.exclude}}
		if got, err := s.Count(item); got != tc.want || err != nil {
			t.Errorf("%s: got %d, %v", name, got, err)
		}
	}
}
