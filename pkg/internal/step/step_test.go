package step

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
)

func TestProgram(t *testing.T) {
	for _, tc := range []struct{ image, exec, want string }{
		{"", "", ""},
		{"ghcr.io/krm-packs/resolve-macros:v0.1.0", "", "resolve-macros"},
		{"localhost:5000/a/resolve-macros@sha256:abc", "", "resolve-macros"},
		{"resolve-macros:v1@sha256:abc", "", "resolve-macros"},
		{"", "resolve-macros", "resolve-macros"},
		{"", "/opt/bin/resolve-macros --flag", "resolve-macros"},
		{"", `"/my programs/resolve-macros" -x`, "resolve-macros"},
		{"other", "packfn resolve-macros", "packfn"},
		{"", `unclosed "`, ""},
		{"", `""`, ""},
	} {
		if got := Program(tc.image, tc.exec); got != tc.want {
			t.Errorf("%q, %q: got %q, want %q", tc.image, tc.exec, got, tc.want)
		}
	}
}

// at returns a document of a file of the root package, or of another one.
func at(file, document string) string {
	annotations := "    internal.config.kubernetes.io/path: " + file[strings.LastIndexByte(file, '|')+1:] + "\n"
	if folder, _, isKpt := strings.Cut(file, "|"); isKpt {
		annotations += "    internal.config.kubernetes.io/package-path: " + folder + "\n"
	}
	if strings.Contains(document, "  annotations:\n") {
		return strings.Replace(document, "  annotations:\n", "  annotations:\n"+annotations, 1)
	}
	return strings.Replace(document, "metadata:\n", `metadata:
  annotations:
`+annotations, 1)
}

func kptfile(name, mutators string) string {
	return `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: ` + name + `
pipeline:
  mutators:
` + mutators
}

const (
	local = `  annotations:
    config.kubernetes.io/local-config: "true"
`
	config = `apiVersion: fn.kpt.dev/v1alpha1
kind: ResolveMacros
metadata:
  name: NAME
` + local + `spec:
  missing: keep
`
)

func named(name string) string { return strings.Replace(config, "NAME", name, 1) }

func data(lines string) string {
	return `apiVersion: v1
kind: ConfigMap
metadata:
  name: function-input
data:
` + lines
}

// A run is the step of the pipeline that has its configuration. It is the first one if no step
// before it runs the function over all resources.
func TestFind(t *testing.T) {
	const (
		plain = "  - exec: resolve-macros\n"
		first = `  - image: example.com/resolve-macros:v1
    configMap: {missing: keep}
`
		second = `  - exec: resolve-macros
    configMap: {variables.A: 1}
`
		byFile = `  - exec: resolve-macros
    configPath: first.yaml
  - exec: resolve-macros
    configPath: ./second.yaml
`
		byRef = `  - exec: resolve-macros
    configRef: {kind: ResolveMacros, name: first}
  - exec: resolve-macros
    configRef: {kind: ResolveMacros, name: second}
`
		narrow = `  - exec: resolve-macros
    configMap: {missing: keep}
    selectors: [{kind: ConfigMap}]
`
		excluded = `  - exec: resolve-macros
    configMap: {missing: keep}
    exclude: [{kind: ConfigMap}]
`
		when = `  - exec: resolve-macros
    configMap: {missing: keep}
    when: 'true'
`
		other = `  - exec: apply-preset
    configMap: {web: ha}
`
		suite = `  - image: example.com/packfn:v1
    configPath: first.yaml
  - exec: packfn resolve-macros
    configPath: second.yaml
`
	)
	configs := at("first.yaml", named("first")) + "---\n" + at("second.yaml", named("second"))
	for _, tc := range []struct {
		name, documents, config string
		file                    string // of the configuration
		isKnown, isFirst        bool
	}{
		{"no Kptfile", configs, data("  a: b\n"), "", false, true},
		{"a Kptfile without the function", at("Kptfile", kptfile("p", other)), data("  web: ha\n"), "", false, true},
		{
			"a Kptfile that is no YAML that kpt takes",
			at("Kptfile", `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
pipeline: {mutators: x}
`),
			"", "", false, true,
		},
		{"a configuration of another run", at("Kptfile", kptfile("p", first)), data("  missing: error\n"), "", false, true},
		{"the only step", at("Kptfile", kptfile("p", plain)), "", "", true, true},
		{
			"an empty configuration", at("Kptfile", kptfile("p", plain)),
			`apiVersion: v1
kind: ConfigMap
metadata:
  name: function-input
`,
			"", true, true,
		},
		{"the first", at("Kptfile", kptfile("p", first+other+second)), data("  missing: keep\n"), "", true, true},
		{"the second", at("Kptfile", kptfile("p", first+other+second)), data("  variables.A: '1'\n"), "", true, false},
		{"the second without a configuration", at("Kptfile", kptfile("p", first+plain)), "", "", true, false},
		{"two equal ones", at("Kptfile", kptfile("p", first+first)), data("  missing: keep\n"), "", true, true},
		{"a file, by packfn", at("Kptfile", kptfile("p", byFile)) + "---\n" + configs, named("second"), "second.yaml", true, false},
		{"the first file, by packfn", at("Kptfile", kptfile("p", byFile)) + "---\n" + configs, named("first"), "first.yaml", true, true},
		{"a file that is not the step's", at("Kptfile", kptfile("p", byFile)) + "---\n" + configs, named("second"), "third.yaml", false, true},
		{"a file, by kpt", at("/w/p|Kptfile", kptfile("p", byFile)) + "---\n" + at("/w/p|first.yaml", named("first")) + "---\n" + at("/w/p|second.yaml", named("second")), named("second"), "", true, false},
		{"the first file, by kpt", at("/w/p|Kptfile", kptfile("p", byFile)) + "---\n" + at("/w/p|first.yaml", named("first")) + "---\n" + at("/w/p|second.yaml", named("second")), named("first"), "", true, true},
		{"a file that the client took out", at("Kptfile", kptfile("p", byFile)), named("second"), "", true, true},
		{"a reference", at("Kptfile", kptfile("p", byRef)) + "---\n" + configs, named("second"), "", true, false},
		{"a reference, by packfn", at("Kptfile", kptfile("p", byRef)) + "---\n" + configs, named("first"), "first.yaml", true, true},
		{"after a step with selectors", at("Kptfile", kptfile("p", narrow+second)), data("  variables.A: '1'\n"), "", true, true},
		{"after a step with exclude", at("Kptfile", kptfile("p", excluded+second)), data("  variables.A: '1'\n"), "", true, true},
		{"after a step with when", at("Kptfile", kptfile("p", when+second)), data("  variables.A: '1'\n"), "", true, true},
		{"after a step with selectors, and one without", at("Kptfile", kptfile("p", narrow+plain+second)), data("  variables.A: '1'\n"), "", true, false},
		{"the suite as one program", at("Kptfile", kptfile("p", suite)) + "---\n" + configs, named("second"), "", true, false},
		{"the suite, by its kind", at("Kptfile", kptfile("p", suite)) + "---\n" + configs, named("first"), "", true, true},
	} {
		p := find(t, tc.documents, tc.config, tc.file)
		if got := p.IsFirst(injection.Place{File: "a.yaml"}); p.IsKnown != tc.isKnown || got != tc.isFirst {
			t.Errorf("%s: known %t, want %t; first %t, want %t", tc.name, p.IsKnown, tc.isKnown, got, tc.isFirst)
		}
		if !p.First().IsFirst(injection.Place{File: "a.yaml"}) {
			t.Errorf("%s: the first position is not first", tc.name)
		}
	}
}

// A subpackage whose pipeline runs the function has done so before its parent does.
func TestSubpackages(t *testing.T) {
	sub := kptfile("sub", "  - exec: resolve-macros\n")
	other := kptfile("other", "  - exec: apply-preset\n")
	root := kptfile("p", "  - exec: resolve-macros\n")
	for name, documents := range map[string]string{
		"by paths":       at("Kptfile", root) + "---\n" + at("sub/Kptfile", sub) + "---\n" + at("other/Kptfile", other),
		"by their roots": at("/w/p|Kptfile", root) + "---\n" + at("/w/p/sub|Kptfile", sub) + "---\n" + at("/w/p/other|Kptfile", other),
	} {
		p := find(t, documents, "", "")
		place := func(dir string) injection.Place {
			if strings.Contains(documents, "package-path") {
				return injection.Place{Package: "/w/p" + dir, File: "a.yaml"}
			}
			return injection.Place{File: strings.TrimPrefix(dir+"/a.yaml", "/")}
		}
		for dir, want := range map[string]bool{"": true, "/sub": false, "/sub/deeper": false, "/subs": true, "/other": true} {
			if got := p.IsFirst(place(dir)); got != want {
				t.Errorf("%s: first in %q is %t", name, dir, got)
			}
		}
	}
}

// Without a Kptfile nothing is known, but a client with packages may have hidden it.
func TestMayBeStep(t *testing.T) {
	for documents, want := range map[string]bool{
		at("a.yaml", data("  a: b\n")):      false,
		at("/w/p|a.yaml", data("  a: b\n")): true,
		at("/w/p|a.yaml", data("  a: b\n")) + "---\n" + at("/w/p|Kptfile", kptfile("p", "  - exec: other\n")): false,
	} {
		if p := find(t, documents, "", ""); p.MayBeStep != want || p.IsKnown {
			t.Errorf("got %+v for\n%s", p, documents)
		}
	}
}

// find returns the position of a run of resolve-macros over documents.
func find(t *testing.T, documents, config, file string) Position {
	t.Helper()
	var b strings.Builder
	b.WriteString(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
	for _, document := range strings.Split(documents, "---\n") {
		b.WriteString("- " + strings.ReplaceAll(strings.TrimRight(document, "\n"), "\n", "\n  ") + "\n")
	}
	if config != "" {
		b.WriteString("functionConfig:\n  " + strings.ReplaceAll(strings.TrimRight(config, "\n"), "\n", "\n  ") + "\n")
	}
	l, err := list.Read([]byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	c := Config{Root: l.Config()}
	if c.Root != nil {
		c.Resource = l.ConfigResource()
	}
	c.Resource.File = file
	return Find(Function{Name: "resolve-macros", Kind: "ResolveMacros"}, l.Items, c)
}
