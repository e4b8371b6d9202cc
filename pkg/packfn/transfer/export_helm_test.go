package transfer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
)

// helmFiles returns what an export for Helm has, by the names of files, and its notes.
func helmFiles(t *testing.T, all map[string]string) (map[string]string, []string, error) {
	t.Helper()
	p, err := kptpackage.Read(files(t, all))
	if err != nil {
		t.Fatal(err)
	}
	exported, notes, err := transfer.Helm(p, suite.All())
	found := map[string]string{}
	for _, one := range exported {
		for _, f := range one.Files {
			found[one.Name+"/"+f.Name] = string(f.Text)
		}
	}
	return found, notes, err
}

// Each chart has the effective values below its key, as any reader of YAML takes them.
func TestHelm(t *testing.T) {
	const record = `, annotations: {packs.kpt.dev/imported: '{"version":"1.0.0","sha256":{"pack.json":"x"},"charts":{"charts/web-2.0.0.tgz":"d1","charts/cache":"d2","manifests/a.yaml":"d3"}}'}`
	found, notes, err := helmFiles(t, map[string]string{
		"Kptfile": kptfile,
		"p.yaml": strings.Replace(`apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: p}
spec:
  name: shop
  version: 1.0.0
  values: |
    pack: {namespace: "a|b", releaseNameOverride: {web: front}}
    shared: &shared {x: yes}
    list: &list [1.10, 0x1F]
    charts:
      web:
        # how many
        port: 080 # odd
        text: "1.10"
        same: *shared
        merged: {<<: *shared, y: '{{ .spectro.var.Y }}'}
        list: *list
        date: 2024-01-01
      inert: {a: 1}
  chartFacts:
    charts:
      web: {name: web, version: 2.0.0, reads: '*'}
      redis: {name: cache, version: 1.0.0, reads: '*'}
    manifests: {a: '*'}
`, "name: p}", "name: p"+record+"}", 1),
		"over.yaml": strings.Replace(strings.Replace(over, "NAME", "site", 1), "name: p", "name: shop", 1) + "  values: {charts: {web: {text: null, list: [2]}}}\n",
		"none.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: none}\nspec: {version: 1.0.0, values: {a: 1}}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"p/web/values.yaml":   "# how many\nport: 080 # odd\ntext: null\nsame: {x: yes}\nmerged: {y: '{{ .spectro.var.Y }}', x: yes}\nlist: [2]\ndate: 2024-01-01\n",
		"p/redis/values.yaml": "{}\n",
		"p/README.md": "# shop 1.0.0\n\nThe values of its charts, as packfn export --as helm wrote them.\n\n| values | chart | version | sha256 | release | namespace |\n|---|---|---|---|---|---|\n" +
			"| redis/values.yaml | cache | 1.0.0 | d2 | cache | a\\|b |\n| web/values.yaml | web | 2.0.0 | d1 | front | a\\|b |\n",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"none: the pack has no charts",
		"p: the manifests of the pack are not in a chart; packfn template prints them",
		"p: 1 value with a macro, which no mutator of the package resolves",
	}, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// Without facts the charts are the mappings in the values. What cannot be written is an error.
func TestHelmOfUnknownCharts(t *testing.T) {
	for spec, want := range map[string]string{
		"values: {charts: {web: {a: 1}, flag: true}}":                                                           "p/web/values.yaml",
		"values: {charts: {web: {a: 1}}}, chartFacts: {charts: {db: {name: db, reads: '*'}}, incomplete: true}": "p/db/values.yaml p/web/values.yaml",
		"values: {charts: {web: 1}}, chartFacts: {charts: {web: {name: web, reads: '*'}}}":                      "error: p: charts.web: got a number",
		"values: {charts: {../web: {}}}":                                                                        "error: p: charts.../web: ",
		"values: {charts: {web: {}, WEB: {}}}":                                                                  "error: p: the folder of charts.web and another file are one on some systems",
		"values: {charts: {ReadMe.md: {}}}":                                                                     "error: p: the folder of charts.ReadMe.md and another file",
		"values: {}, chartFacts: {charts: {web: [1]}}":                                                          "error: p: ",
	} {
		found, _, err := helmFiles(t, map[string]string{"Kptfile": kptfile, "p.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec: {version: 1.0.0, " + spec + "}\n"})
		var names []string
		for _, name := range []string{"p/db/values.yaml", "p/web/values.yaml"} {
			if found[name] != "" {
				names = append(names, name)
			}
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want && (err == nil || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: got %s, want %s", spec, got, want)
		}
	}
}
