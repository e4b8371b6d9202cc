package transfer

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/facts"
	"github.com/krm-packs/functions/pkg/list"
)

// Files whose names are one on some systems, or that some cannot have, are not exported.
func TestFileNames(t *testing.T) {
	for data, want := range map[string]string{
		"values.yaml: a, VALUES.yaml: b": "data[values.yaml] and data[VALUES.yaml] are one file", "con.yaml: a": "Windows has a device", "a.: b": "want a name of a file", "values.yaml: a, other.yaml: b": "",
	} {
		item := list.FileItems([]byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata: {pack.json: '{\"name\": \"p\"}', "+data+"}\n"), "a.yaml")[0]
		document, err := item.Document()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := export(item, document); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// What is recorded of presets has the commit at which the older version had it.
func TestCarryLeaves(t *testing.T) {
	text := func(upstream, after string) []byte {
		leaves := `{":ha@000000000000@1":{` + upstream + `"leaves":{"a":{"before":"-","after":"` + after + `"}}}}`
		return []byte("apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: p\n  annotations:\n    packs.kpt.dev/preset-leaves: '" + leaves + "'\nspec:\n  version: 1.0.0\n  values:\n    a: 1\n")
	}
	got, err := carryLeaves(text(`"upstream":"c1",`, "11111111"), text("", "22222222"), "p.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(got), `"upstream":"c1"`) || !strings.Contains(string(got), "22222222") || strings.Contains(string(got), "11111111") {
		t.Errorf("got\n%s", got)
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
		switch e, err := export(item, document); {
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
		e, err := export(item, document)
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
