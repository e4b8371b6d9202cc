package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

func TestSettings(t *testing.T) {
	const head = `{"name": "p", "version": "1.0.0"`
	const known = head + `, "layer": "kernel", "cloudTypes": ["custom", "tencent", "all"],
		"constraints": {"dependencies": [{"packName": "p", "type": "upgrade", "maxVersion": "2.0"}], "resources": [{"type": "cpu", "components": [{"scheduleType": "control-plane", "resourceRequestParamRef": "cpu"}]}]}}`
	const right = "pack:\n  namespace: a\n  additionalNamespaces: b\n  namespaceLabels: {a: 'x=y,z=1', '{{ .spectro.var.N }}': '{{ .spectro.var.L }}'}\n  namespaceAnnotations: {a: b=c}\n  releaseNameOverride: {c: d}\n" +
		"  content:\n    images: [{image: 'a:1'}]\n    charts: [{repo: https://example.com, name: c, version: 1.0.0}, {repository: x, name: d}]\n  spectrocloud.com/install-priority: \"-1\"\n  spectrocloud.com/display-name: P\n  k8sHardening: true\n"
	const settings, images = "warning pack/settings values.yaml: ", "warning pack/images values.yaml: "
	for _, tc := range []struct {
		name, old, new, metadata string
		want                     []string
	}{
		{"all known fields", "", "", known, nil},
		{"namespaces as a list", "additionalNamespaces: b", "additionalNamespaces: [b, c]", "", nil},
		{"namespaces as a map", "additionalNamespaces: b", "additionalNamespaces: {b: 1}", "", nil},
		{"a number for a namespace", "additionalNamespaces: b", "additionalNamespaces: 3", "", []string{settings + "pack.additionalNamespaces: must be a string, got a number"}},
		{"a macro", "releaseNameOverride: {c: d}", "releaseNameOverride: '{{ .spectro.var.R }}'", "", nil},
		{"a priority that is a number", `"-1"`, "10", "", nil},
		{"a priority in hexadecimal", `"-1"`, "0x10", "", nil},
		{"a priority that is a macro", `"-1"`, "'{{ .spectro.var.P }}'", "", nil},
		{"a priority that is a list", `"-1"`, "[1]", "", []string{settings + "pack.spectrocloud.com/install-priority: must be an integer, got a list"}},
		{"no field", right, "pack: {}\n", "", nil},
		{"null", "namespaceLabels: {a: 'x=y,z=1', '{{ .spectro.var.N }}': '{{ .spectro.var.L }}'}", "namespaceLabels:", "", nil},
		{"a list of labels", "namespaceAnnotations: {a: b=c}", "namespaceAnnotations: [a]", "", []string{settings + "pack.namespaceAnnotations: must be a map, got a list"}},
		{"labels in a map", "namespaceAnnotations: {a: b=c}", "namespaceAnnotations: {a: {b: c}}", "", []string{settings + "pack.namespaceAnnotations.a: must be a string, got a map"}},
		{"a label that is a number", "namespaceAnnotations: {a: b=c}", "namespaceAnnotations: {a: 1}", "", []string{settings + "pack.namespaceAnnotations.a: must be a string, got a number"}},
		{"a priority that is not a number", `"-1"`, "first", "", []string{settings + "pack.spectrocloud.com/install-priority: must be an integer, got a string"}},
		{"a misspelt field", "namespaceLabels", "namespaceLables", "", []string{settings + `pack.namespaceLables: unknown field "namespaceLables"`}},
		{"a misspelt priority", "install-priority", "instal-priority", "", []string{settings + `pack.spectrocloud.com/instal-priority: unknown field`}},
		{"a misspelt override", "releaseNameOverride", "releaseNameOverrides", "", []string{settings + `pack.releaseNameOverrides: unknown field`}},
		{"images that are texts", "[{image: 'a:1'}]", "[a:1]", "", []string{images + "pack.content.images[0]: must be a map, got a string"}},
		{"images that are not a list", "[{image: 'a:1'}]", "{image: 'a:1'}", "", []string{images + "pack.content.images: must be a list, got a map"}},
		{"charts that are not a list", "charts: [{repo: https://example.com, name: c, version: 1.0.0}, {repository: x, name: d}]", "charts: c", "", []string{settings + "pack.content.charts: must be a list, got a string"}},
		{"a version of a chart", "version: 1.0.0", "version: 1.0", "", []string{settings + "pack.content.charts[0].version: must be a string, got a number"}},
		{"pack is not a map", right, "pack: a\n", "", []string{settings + "pack: must be a map, got a string"}},
		{"a misspelt layer", "", "", head + `, "layer": "kernal"}`, []string{`warning pack/settings pack.json: layer: must be "os", "k8s", "cni", "csi", "addon" or "kernel", got "kernal"`}},
		{"a layer of a newer Palette", "", "", head + `, "layer": "gpu"}`, nil},
		{"a misspelt cloud", "", "", head + `, "cloudTypes": ["vshpere", "oci", "gk"]}`, []string{`warning pack/settings pack.json: cloudTypes[0]: must be "vsphere", "azure", "eks", "gcp", "gke" and 14 more, got "vshpere"`}},
		{"misspelt cloudTypes", "", "", head + `, "cloudType": ["aws"]}`, []string{`warning pack/settings pack.json: cloudType: unknown field "cloudType"`}},
		{"one cloud", "", "", head + `, "cloudTypes": "aws"}`, []string{`warning pack/settings pack.json: cloudTypes: must be a list, got a string`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			text := strings.Replace(right, tc.old, tc.new, 1)
			if tc.old != "" && text == right {
				t.Fatal("nothing is replaced")
			}
			if tc.metadata == "" {
				tc.metadata = head + "}"
			}
			writeFile(t, filepath.Join(dir, "pack.json"), tc.metadata)
			writeFile(t, filepath.Join(dir, "values.yaml"), text+"cpu: 1\n")
			r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, f := range r.Findings {
				if f.Severity != "info" {
					found = append(found, string(f.Severity)+" "+f.Rule+" "+f.File+": "+f.Message)
				}
			}
			same := slices.EqualFunc(found, tc.want, func(got, want string) bool { return strings.HasPrefix(got, want) })
			if !same {
				t.Errorf("got %q, want %q", found, tc.want)
			}
		})
	}
}

// Overrides are judged too, at their lines.
func TestSettingsOfOverrides(t *testing.T) {
	found, _ := checked(t, Options{}, map[string]string{"Kptfile": kptfileHead, "a.yaml": strings.Replace(packNamed("a"), "port: 7", "port: 3", 1),
		"b.yaml": strings.Replace(valuesText, "{port: 8}", "{pack: {namespaceLabels: {a: 1}}}", 1)})
	if want := []string{"warning pack/settings b.yaml:4"}; !slices.Equal(found, want) {
		t.Errorf("got %q, want %q", found, want)
	}
}

// An entry alone is read as in the whole text.
func TestPart(t *testing.T) {
	for _, tc := range []struct {
		text   string
		isPart bool
	}{
		{"", true},
		{"a: 1\n", true},
		{"pack: {a: 1}\n", true},
		{"# of the pack\na:\n  pack: 1\n\npack:\n  # kept\n  b: &x 1\n  c: *x\nd:\n- 2\n", false}, // a list in the first column
		{"a:\n  - 1\npack:\n  b: 1\n\n# the next\nd: 2\n", true},
		{"a: 1\r\npack:\r\n  b: 1\r\nd: 2\r\n", true},
		{"a: 1\rpack: 2\n", false},
		{"a: 1\u2028pack: 2\n", false},
		{"---\npack: 1\n", false},
		{"\"pack\": 1\n", false},
		{"{pack: 1}\n", false},
		{"a: &x 1\npack: *x\n", true},
		{"pack: 1\npack: 2\n", false},
		{"pack : 1\n", false},
		{"text: |\n  pack: 1\npack: |\n  a\n\n  b\n", true},
		{"a: [\n  1\n]\npack: 1\n", false},
	} {
		t.Run(tc.text, func(t *testing.T) {
			if _, isPart := part(tc.text, "pack"); isPart != tc.isPart {
				t.Errorf("got %v", isPart)
			}
			checkPart(t, tc.text)
		})
	}
}

func TestPartOfPublicPacks(t *testing.T) {
	parts := 0
	for _, file := range functiontest.Corpus(t, "packs/*/values.yaml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, isPart := part(string(text), "pack"); isPart {
			parts++
		}
		checkPart(t, string(text))
	}
	t.Logf("%d texts are read in part", parts)
}

func checkPart(t *testing.T, text string) {
	t.Helper()
	source := pack.File("values.yaml", text)
	var whole *yaml.Node
	if document, err := source.Mapping(); err == nil {
		whole = document.Root()
	}
	options := cmpopts.IgnoreFields(yaml.Node{}, "Alias", "HeadComment", "LineComment", "FootComment")
	if diff := cmp.Diff(values.Field(whole, "pack"), values.Field(entry(source, "pack"), "pack"), options); diff != "" {
		t.Errorf("%q: the whole text and a part differ (-whole +part):\n%s", text, diff)
	}
}
