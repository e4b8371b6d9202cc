package packfn

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Lists of kubectl are their items, in check, fix and the functions by themselves. kpt reads none
// in a package.
func TestLists(t *testing.T) {
	dir := t.TempDir()
	const pack = `- apiVersion: packs.kpt.dev/v1alpha1
  kind: Pack
  metadata:
    name: vault
    annotations: {config.kubernetes.io/local-config: "true"}
  spec:
    version: 1.0.0
    values:
      port: 7
      mode: fats
    schema:
      port: {schema: '{{ format "${number:[1-5]}" }}'}
      mode: {schema: '{{ format "${list:[fast,slow]}" }}'}
`
	write(t, filepath.Join(dir, "list.yaml"), "apiVersion: v1\nkind: List\nitems:\n"+pack)
	write(t, filepath.Join(dir, "typed.yaml"), strings.NewReplacer("vault", "other", "- apiVersion: packs.kpt.dev/v1alpha1\n  kind: Pack\n  metadata", "- metadata").Replace("apiVersion: packs.kpt.dev/v1alpha1\nkind: PackList\nitems:\n"+pack))
	write(t, filepath.Join(dir, "list.json"), `{
  "kind": "List", "apiVersion": "v1",
  "items": [
    {"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "Pack", "metadata": {"name": "third", "annotations": {"config.kubernetes.io/local-config": "true"}},
     "spec": {"version": "1.0.0", "values": {"port": 7}, "schema": {"port": {"schema": "{{ format \"${number:[1-5]}\" }}"}}}}
  ]
}
`)
	want := []string{
		"list.json:5:54 spec.values.port", "list.yaml:12:13 spec.values.port", "list.yaml:13:13 spec.values.mode", "typed.yaml:10:13 spec.values.port", "typed.yaml:11:13 spec.values.mode",
	}
	var got []string
	for _, f := range findings(t, dir, 1, ".") {
		got = append(got, fmt.Sprintf("%s:%d:%d %s", f.File, f.Line, f.Column, f.Field))
		if f.Rule != "values/format" {
			t.Errorf("%s: %s", f.Rule, f.Message)
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	packfn(t, dir, "fix", "list.yaml").want(t, 1)
	text, err := os.ReadFile(filepath.Join(dir, "list.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != "apiVersion: v1\nkind: List\nitems:\n"+strings.Replace(pack, "fats", "fast", 1) {
		t.Errorf("got\n%s", text)
	}
	if out := packfn(t, dir, "validate-pack-values", "list.json").want(t, 1).stdout; !strings.Contains(out, "Pack third: spec.values.port: must be a number from 1 to 5, got 7") {
		t.Errorf("got %s", out)
	}
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "p/list.yaml"), "apiVersion: v1\nkind: List\nitems:\n"+pack)
	for _, command := range []string{"check", "render"} {
		if f := readFindings(t, packfn(t, dir, command, "p", "--format", "json").want(t, 1)); len(f) != 1 || f[0].File != "p/list.yaml" || !strings.Contains(f[0].Message, "kpt reads no List in a package; write its items") {
			t.Errorf("%s: %+v", command, f)
		}
	}
}
