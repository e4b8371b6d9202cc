package transfer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/capact"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
)

// A second import of files of Capact changes nothing, one of changed files needs --force, and what
// cannot be imported is named.
func TestCapactPlans(t *testing.T) {
	const head = "ocfVersion: 0.0.1\nrevision: 0.1.0\nkind: Type\nmetadata: {prefix: cap.type, name: a}\n"
	const schema = head + "spec:\n  # what it has\n  jsonSchema:\n    value: |-\n      {}\n"
	const imported = "apiVersion: ocf.capact.io/v1alpha1\nkind: Type\nmetadata:\n  name: cap.type.a-0.1.0\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n  path: cap.type.a\n  revision: 0.1.0\n  # what it has\n  jsonSchema:\n    value: |-\n      {}\n"
	const edited = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n---\n# mine\napiVersion: ocf.capact.io/v1alpha1\nkind: Type\nmetadata:\n  name: cap.type.a-0.1.0\n  labels: {team: a}\nspec:\n  path: cap.type.a\n  revision: 0.1.0\n"
	const written, kptfile = "write to/types/cap.type.a-0.1.0.yaml", "to has no Kptfile; kpt needs one: add it with kpt pkg init or --kptfile"
	const secret = `[{"id": "AB", "typeRef": {"path": "cap.type.a", "revision": "0.1.0"}, "latestResourceVersion": {"spec": {"value": "s3cr3t"}}}]`
	for name, tc := range map[string]struct {
		files   map[string]string
		options transfer.Options
		want    []string
		text    map[string]string
	}{
		"new":               {map[string]string{"in/a.yaml": schema}, transfer.Options{}, []string{written, "to: 1 Type of Capact", kptfile}, map[string]string{"types/cap.type.a-0.1.0.yaml": imported}},
		"again":             {map[string]string{"in/a.yaml": schema, "to/types/cap.type.a-0.1.0.yaml": imported}, transfer.Options{}, []string{"to: 1 Type of Capact imported already", kptfile}, nil},
		"changed":           {map[string]string{"in/a.yaml": head, "to/types/cap.type.a-0.1.0.yaml": imported}, transfer.Options{}, []string{"error to has other content for Type/cap.type.a-0.1.0: use --force, which replaces it"}, nil},
		"with force":        {map[string]string{"in/a.yaml": schema, "to/x.yaml": edited}, transfer.Options{Force: true}, []string{"write to/x.yaml", "to: 1 Type of Capact", kptfile}, map[string]string{"x.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n---\n" + strings.Replace(imported, "  annotations:\n    config.kubernetes.io/local-config: \"true\"\n", "  labels: {team: a}\n", 1)}},
		"another file":      {map[string]string{"in/a.yaml": schema, "to/types/cap.type.a-0.1.0.yaml": "# notes\n"}, transfer.Options{}, []string{"error in/a.yaml: to/types/cap.type.a-0.1.0.yaml is there already, and is not the Type cap.type.a-0.1.0; rename the file"}, nil},
		"two of one path":   {map[string]string{"in/a.yaml": head, "in/b.yaml": head}, transfer.Options{}, []string{written, "write to/types/cap.type.a-0.1.0-2.yaml", "to: 2 Types of Capact", kptfile}, nil},
		"JSON":              {map[string]string{"in/a.json": `{"kind": "Type", "ocfVersion": "0.0.1", "revision": "0.1.0", "metadata": {"prefix": "cap.type", "name": "a"}, "spec": {"a": [1, {"b": "x\ny"}]}}`}, transfer.Options{}, []string{written, "to: 1 Type of Capact", kptfile}, map[string]string{"types/cap.type.a-0.1.0.yaml": strings.Replace(imported, "  # what it has\n  jsonSchema:\n    value: |-\n      {}\n", "  a:\n  - 1\n  - b: |-\n      x\n      y\n", 1)}},
		"an instance":       {map[string]string{"in/a.json": secret}, transfer.Options{}, []string{"write to/typeinstances/ab.yaml", "to: 1 TypeInstance of Capact", kptfile}, map[string]string{"typeinstances/ab.yaml": "apiVersion: ocf.capact.io/v1alpha1\nkind: TypeInstance\nmetadata:\n  name: ab\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n  id: AB\n  typeRef:\n    path: cap.type.a\n    revision: 0.1.0\n"}},
		"a Kptfile":         {map[string]string{"in/a.yaml": head}, transfer.Options{Kptfile: true, Exec: true}, []string{written, "write to/Kptfile", "to: 1 Type of Capact", "to/Kptfile: a new Kptfile"}, map[string]string{"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: to\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\npipeline:\n  mutators:\n  - exec: select-implementations\n"}},
		"faults":            {map[string]string{"in/a.yaml": head, "in/b.yaml": "# b\n---\nocfVersion: 0.0.1\nkind: [\n", "in/c.yaml": strings.Replace(head, "revision: 0.1.0\n", "", 1), "in/d.yaml": "a: 1\n---\nrules: []\ninterface: {rules: []}\n", "in/e.yaml": strings.Replace(head, "kind: Type", "kind: Vendor", 1)}, transfer.Options{}, []string{written, "in/b.yaml:4: a value is missing here: write one, or remove the comma or bracket; it is left out", "in/c.yaml:1: a manifest needs kind, revision, metadata.prefix and metadata.name; it is left out", "in/d.yaml:3: rules: the policy has rules for Interfaces in both forms, rules and interface.rules. Move all of them to interface.rules; it is left out", "left out: 1 manifest of Capact that nothing of a selection depends on (Vendor)", "to: 1 Type of Capact", kptfile}, nil},
		"nothing is sound":  {map[string]string{"in/c.yaml": strings.Replace(head, "revision: 0.1.0\n", "", 1)}, transfer.Options{}, []string{"error in/c.yaml:1: a manifest needs kind, revision, metadata.prefix and metadata.name"}, nil},
		"a broken resource": {map[string]string{"in/a.yaml": head, "to/a.yaml": "apiVersion: ocf.capact.io/v1alpha1\nkind: Type\nmetadata: {name: a}\n"}, transfer.Options{}, []string{written, "to: 1 Type of Capact", kptfile}, nil},
	} {
		dir := files(t, tc.files)
		found, err := capact.Find(filepath.Join(dir, "in"), capact.Scopes{}, t.Logf)
		if err != nil {
			t.Fatal(err)
		}
		tc.options.Capact = found
		got := planned(t, dir, tc.options)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, tc.want)
		}
		for file, want := range tc.text {
			if text, err := os.ReadFile(filepath.Join(dir, "to", file)); err != nil || string(text) != want {
				t.Errorf("%s: %s: %v\n%s\nwant\n%s", name, file, err, text, want)
			}
		}
		if strings.Contains(fmt.Sprint(got), "s3cr3t") {
			t.Errorf("%s: shows a secret", name)
		}
	}
}
