package transfer

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
)

// Files whose names are one on some systems, or that some cannot have, are not exported.
func TestFileNames(t *testing.T) {
	for data, want := range map[string]string{
		"values.yaml: a, VALUES.yaml: b": "data[values.yaml] and data[VALUES.yaml] are one file", "con.yaml: a": "Windows has a device", "a.: b": "must be a name of a file", "values.yaml: a, other.yaml: b": "",
	} {
		item := list.FileItems([]byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata: {pack.json: '{\"name\": \"p\"}', "+data+"}\n"), "a.yaml")[0]
		document, err := item.Document()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := export(item, document, (*hydration.Sources).Restored); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// The line that makes kpt quote a text is counted from 1.
func TestQuotedLine(t *testing.T) {
	for text, want := range map[string]int{"a\nb \nc\n": 2, "a\r\nb\n": 1, "a\nb\x01\n": 2, "a\n": 0} {
		if got, why := quotedLine(text); got != want || (why == "") != (want == 0) {
			t.Errorf("%q: got %d, %q", text, got, why)
		}
	}
}

// Packs whose directories are one on some systems are not exported beside each other.
func TestTwins(t *testing.T) {
	packs := func(names ...string) (all []Exported) {
		for _, name := range names {
			all = append(all, Exported{Name: name, Pack: "p-" + name})
		}
		return all
	}
	to := filepath.Join(t.TempDir(), "out")
	for _, names := range [][]string{{"redis", "Redis"}, {"redis", "vault", "redis"}, {"É", "é"}} {
		if _, err := Export(to, packs(names...), false); err == nil || !strings.Contains(err.Error(), "rename one") || !strings.Contains(err.Error(), names[0]) {
			t.Errorf("%q: %v", names, err)
		}
	}
	if _, err := Export(to, packs("redis", "vault"), false); err != nil {
		t.Error(err)
	}
}

// What cannot be a file is an error that names the field. Other resources are not packs.
func TestNotExported(t *testing.T) {
	for text, want := range map[string]string{
		"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\n":                                                   "the Pack has no spec",
		"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec: []\n":                                         "the Pack has no spec",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata: {pack.json: '{\"name\": \"p\"}', values.yaml: {a: 1}}\n":     "data[values.yaml] is not a file",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata: {pack.json: '{\"name\": \"p\"}', ../values.yaml: a}\n":       "data[../values.yaml] is not a file",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: con.yaml}\ndata: {pack.json: '{\"name\": \"p\"}'}\n":                   "the name of the resource: ",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata: {values.yaml: a}\n":                                          "",
		"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: p}\nspec: {packRef: {name: p}, values: {a: b}}\n": "",
	} {
		item := list.FileItems([]byte(text), "a.yaml")[0]
		document, err := item.Document()
		if err != nil {
			t.Fatal(err)
		}
		switch e, err := export(item, document, (*hydration.Sources).Restored); {
		case want == "" && (e != nil || err != nil):
			t.Errorf("%s: %v, %v", text, e, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What is known of the charts is not in a directory: it is made of them.
func TestFactsAreNotExported(t *testing.T) {
	for _, text := range []string{
		"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec: {version: 1.0.0, values: 'a: 1', chartFacts: {charts: {}}}\n",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata: {pack.json: '{\"name\": \"p\"}', values.yaml: 'a: 1', " + facts.FileName + ": 'charts: {}'}\n",
	} {
		item := list.FileItems([]byte(text), "a.yaml")[0]
		document, err := item.Document()
		if err != nil {
			t.Fatal(err)
		}
		e, err := export(item, document, (*hydration.Sources).Restored)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range e.Files {
			names = append(names, f.Name)
		}
		if want := []string{"pack.json", "values.yaml"}; !slices.Equal(names, want) {
			t.Errorf("got %q", names)
		}
	}
}

// An export has the macros of the values, an effective one what they were resolved to. Neither
// has the comments.
func TestExportedMacros(t *testing.T) {
	const values = "a: 'eu-1' # ours # kpt-macro: {{ .spectro.system.cluster.name }}\nb: 1\n"
	for _, resource := range []string{
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata:\n  pack.json: '{\"name\": \"p\"}'\n  values.yaml: |\n    " + strings.ReplaceAll(strings.TrimSpace(values), "\n", "\n    ") + "\n",
		"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec:\n  values: |\n    " + strings.ReplaceAll(strings.TrimSpace(values), "\n", "\n    ") + "\n",
		"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec:\n  values:\n    " + strings.ReplaceAll(strings.TrimSpace(values), "\n", "\n    ") + "\n",
	} {
		for want, of := range map[string]reading{
			"a: '{{ .spectro.system.cluster.name }}' # ours\nb: 1\n": (*hydration.Sources).Restored, "a: 'eu-1' # ours\nb: 1\n": (*hydration.Sources).Bare,
		} {
			item := list.FileItems([]byte(resource), "a.yaml")[0]
			document, err := item.Document()
			if err != nil {
				t.Fatal(err)
			}
			e, err := export(item, document, of)
			if err != nil {
				t.Fatal(err)
			}
			if got := string((&packdir.Pack{Files: e.Files}).File(valuesFile)); got != want && strings.ReplaceAll(want, "'eu-1' # ours", "eu-1 # ours") != got {
				t.Errorf("got %q, want %q of\n%s", got, want, resource)
			}
		}
	}
}
