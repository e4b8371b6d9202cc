package packfn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shop writes a package with a pack of every feature.
func shop(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "p/shop.yaml"), `apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
data:
  pack.json: |
    {
      "name": "shop", "version": "1.0.0", "layer": "addon",
      "constraints": {"resources": [{"type": "cpu", "components": [
        {"resourceRequestParamRef": "server.cpu", "replicaCountParamRef": "server.replicas"}]}]}
    }
  values.yaml: |
    server:
      replicas: 1
      cpu: 100m
    token: hunter2
    host: 'x{{ .spectro.var.HOST | default "hunter2" }}'
    empty: ""
    list:
    - hunter2
  schema.yaml: |
    server.replicas:
      schema: '{{ required | format "${number:[1-5]}" | hints "how many" }}'
    token:
      schema: '{{ format "${string}" }}'
    mode:
      schema: '{{ format "${list:[a,b]}" }}'
  presets.yaml: |
    presets:
    - name: ha
      displayName: High availability
      group: size
      remove: [empty]
      add: |
        server: {replicas: 3}
`)
	write(t, filepath.Join(dir, "p/prod.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: prod\nspec:\n  packRef:\n    name: shop\n  values:\n    server:\n      replicas: 5\n    token: hunter2\n")
	return dir
}

// table reads the rows of a table, with the runs of blanks between cells as bars.
func table(text string) []string {
	var rows []string
	for line := range strings.Lines(text) {
		var cells []string
		for cell := range strings.SplitSeq(strings.TrimSpace(line), "  ") {
			if cell = strings.TrimSpace(cell); cell != "" {
				cells = append(cells, cell)
			}
		}
		rows = append(rows, strings.Join(cells, " | "))
	}
	return rows
}

func TestList(t *testing.T) {
	dir := shop(t)
	for kind, want := range map[string][]string{
		"packs":   {"PACK | VERSION | LAYER | PRESETS | OVERRIDES | FILE", "shop | 1.0.0 | addon | 1 | 1 | p/shop.yaml:6:3"},
		"presets": {"PACK | PRESET | APPLIED | DISPLAY NAME | FILE", "shop | size:ha | - | High availability | p/shop.yaml:30:7"},
		"macros":  {"PACK | KEY | READS | FILE", "shop | host | .spectro.var.HOST | p/shop.yaml:17:11"},
		"values": {
			"PACK | KEY | DEFAULT | ACCEPTED | PRESETS | HINTS",
			"shop | server.replicas | 1 | required, a number from 1 to 5 | size:ha | how many",
			"shop | server.cpu | 100m | - | -",
			"shop | token | ••• | a string | -",
			"shop | host | ••• | - | -",
			"shop | empty | \"\" | - | size:ha",
			"shop | list | a list of 1 | - | -",
			"shop | mode | (absent) | a or b | -",
		},
	} {
		for _, args := range [][]string{{"list", kind, "p"}, {"list", kind}} {
			got := packfn(t, dir, args...).want(t, 0)
			if diff := cmp.Diff(want, table(got.stdout)); diff != "" {
				t.Errorf("%v: (-want +got):\n%s", args, diff)
			}
		}
	}
	if got := packfn(t, dir, "list", "values", "--show-values").want(t, 0); !slices.Contains(table(got.stdout), "shop | token | hunter2 | a string | -") {
		t.Errorf("--show-values:\n%s", got.stdout)
	}
	packfn(t, t.TempDir(), "list", "values").want(t, 2, "no resource and no pack is here")
	packfn(t, dir, "list", "valuse").want(t, 2, "valuse")
	if got := packfn(t, dir, "list", "presets", testPack("vault-0.6.0")).want(t, 0); !strings.Contains(got.stdout, "size:ha") || !strings.Contains(got.stdout, "presets.yaml:2:3") {
		t.Errorf("a pack directory:\n%s", got.stdout)
	}
}

func TestWhy(t *testing.T) {
	dir := shop(t)
	got := packfn(t, dir, "why", "shop", "server.replicas", "p").want(t, 0).stdout
	want := `shop 1.0.0: server.replicas = 5

layers (a later one overrides an earlier one):
  p/shop.yaml:14:17  ConfigMap shop   1  
  p/prod.yaml:10:17  PackValues prod  5  used
preset: size:ha sets it (p/shop.yaml:30:7)
schema: required, a number from 1 to 5 (p/shop.yaml:22:5)
hint: how many
read by: validate-pack-values
read by: check-resources, constraints.resources[0].components[0].replicaCountParamRef (p/shop.yaml:10:75)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for key, words := range map[string][]string{
		"token": {"token = •••", "p/prod.yaml:11:12", "schema: a string"},
		"host":  {"host = •••", "macro: reads .spectro.var.HOST"},
		"mode":  {"mode = (absent)", "schema: a or b"},
	} {
		got := packfn(t, dir, "why", "shop", key, "p").want(t, 0)
		for _, word := range words {
			if !strings.Contains(got.stdout, word) {
				t.Errorf("%s lacks %q:\n%s", key, word, got.stdout)
			}
		}
	}
	if got := packfn(t, dir, "why", "shop", "token", "p", "--show-values").want(t, 0); !strings.Contains(got.stdout, "shop 1.0.0: token = hunter2\n") {
		t.Errorf("--show-values:\n%s", got.stdout)
	}
	write(t, filepath.Join(dir, "empty/Kptfile"), kptfileText)
	packfn(t, dir, "list", "values", "empty").want(t, 2, "empty has no packs")
	packfn(t, dir, "why", "shpo", "token").want(t, 2, `no pack named "shpo" (did you mean "shop"?)`)
	packfn(t, dir, "why", "shop", "tokne").want(t, 2, `Did you mean "token"`)
	packfn(t, dir, "why", "shop").want(t, 2, "Usage: packfn why PACK KEY")
}

// No command shows what may be a secret.
func TestNoSecrets(t *testing.T) {
	dir := shop(t)
	for _, args := range [][]string{{"check", "p"}, {"list", "values"}, {"list", "macros"}, {"list", "presets"}, {"why", "shop", "host"}, {"why", "shop", "list"}, {"fix", "p", "--dry-run"}} {
		if got := packfn(t, dir, args...); strings.Contains(got.stdout+got.stderr, "hunter2") {
			t.Errorf("%v:\n%s%s", args, got.stdout, got.stderr)
		}
	}
}

func TestExplain(t *testing.T) {
	for _, id := range []string{"values/format", "config/invalid", "upgrade/preset"} {
		if got := packfn(t, "", "explain", id).want(t, 0); !strings.HasPrefix(got.stdout, id) || !strings.Contains(got.stdout, "\nExample:\n") || !strings.Contains(got.stdout, "\nFix:\n") {
			t.Errorf("%s:\n%s", id, got.stdout)
		}
	}
	packfn(t, "", "explain", "values/formt").want(t, 2, `Did you mean "values/format"`)
	if got := packfn(t, "", "explain").want(t, 0); got.stdout != packfn(t, "", "list", "rules").stdout {
		t.Errorf("without a rule:\n%s", got.stdout)
	}
}

func TestSchema(t *testing.T) {
	dir := shop(t)
	got := packfn(t, dir, "schema", "shop", "p").want(t, 0)
	if got.stderr != "" {
		t.Errorf("a note about a pack without charts: %s", got.stderr)
	}
	var schema struct {
		Title      string
		Properties struct {
			Server struct {
				Required   []string
				Properties map[string]struct {
					Description      string
					Default, Maximum any
				}
			}
			Token map[string]any
		}
	}
	if err := json.Unmarshal([]byte(got.stdout), &schema); err != nil {
		t.Fatal(err)
	}
	server := schema.Properties.Server
	replicas := server.Properties["replicas"]
	if schema.Title != "Values of shop 1.0.0" || !slices.Equal(server.Required, []string{"replicas"}) || replicas.Description != "how many" || replicas.Maximum != 5. || replicas.Default != 1. || server.Properties["cpu"].Default != "100m" {
		t.Errorf("got %+v", schema)
	}
	if strings.Contains(got.stdout, "hunter2") {
		t.Errorf("a secret is shown:\n%s", got.stdout)
	}
	if again := packfn(t, filepath.Join(dir, "p"), "schema", "shop").want(t, 0); again.stdout != got.stdout {
		t.Errorf("in the package:\n%s", again.stdout)
	}
	packfn(t, dir, "schema", "shpo", "p").want(t, 2, `no pack named "shpo" (did you mean "shop"?)`)
	packfn(t, dir, "schema", "shop", "q").want(t, 2, "q: no such file")
	packfn(t, dir, "schema").want(t, 2, "Usage: packfn schema PACK")
	packfn(t, t.TempDir(), "schema", "shop").want(t, 2, "no resource and no pack is here")
	packfn(t, dir, "schema", "vault", testPack("vault-0.6.0"), testPack("vault-0.7.0")).want(t, 2, `2 packs are named "vault"`, "vault-0.7.0/pack.json", "name the path of one")
}

// The keys that charts read are those of the charts of a directory, and after an import those
// of the facts.
func TestSchemaCharts(t *testing.T) {
	dir := t.TempDir()
	writeCharts(t, dir)
	write(t, filepath.Join(dir, "web/charts/web/templates/b.yaml"), "{{ .Values.ingress.host }}\n")
	before := packfn(t, dir, "schema", "web", "web").want(t, 0, "web/pack.json:3:1", "absent.tgz")
	if !strings.Contains(before.stdout, `"ingress": {`) || !strings.Contains(before.stdout, `"host": {}`) {
		t.Errorf("the key of the chart is missing:\n%s", before.stdout)
	}
	packfn(t, dir, "import", "web", "--to", "p").want(t, 0)
	if after := packfn(t, dir, "schema", "web", "p").want(t, 0); after.stdout != before.stdout {
		t.Errorf("after the import: (-directory +package):\n%s", cmp.Diff(before.stdout, after.stdout))
	}
	file := filepath.Join(dir, "p/web.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "  chart-facts.yaml: |\n")
	write(t, file, head+"  chart-facts.yaml: '[1]'\n")
	packfn(t, dir, "schema", "web", "p").want(t, 0, "must be a map, got a list", "Import the pack again")
	write(t, file, head)
	packfn(t, dir, "schema", "web", "p").want(t, 0, "web: what its charts read is unknown")
	write(t, filepath.Join(dir, "web/schema.yaml"), "charts: {schema: '{{ requierd }}'}\n")
	packfn(t, dir, "schema", "web", "web").want(t, 0, "web/schema.yaml:1:", "requierd")
}
