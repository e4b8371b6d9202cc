package preset

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
)

// Records that cannot be read, and presets that only one version has, are left as they are.
func TestCarryLeaves(t *testing.T) {
	const leaf = `"leaves":{"a":{"before":"-","after":"11111111"}}}`
	const entry = `":ha@000000000000@1":{`
	record := func(entries string) string { return "{" + entries + "}" }
	for _, tc := range []struct{ name, before, after, want string }{
		{"a preset of both", record(entry + `"upstream":"c1",` + leaf), record(entry + leaf), `"upstream":"c1"`},
		{"another preset", record(`":other@000000000000@1":{"upstream":"c1",` + leaf), record(entry + leaf), ""},
		{"a record before that is none", "[]", record(entry + leaf), ""},
		{"a record before that is not JSON", "{", record(entry + leaf), ""},
		{"a record that is none", record(entry + `"upstream":"c1",` + leaf), "[]", ""},
		{"no record", record(entry + `"upstream":"c1",` + leaf), "", ""},
		{"no record before", "", record(entry + leaf), ""},
	} {
		load := func(record string) (*pack.Source, *list.Item) {
			text := "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: p\n  annotations:\n    packs.kpt.dev/preset-leaves: '" + record + "'\nspec:\n  version: 1.0.0\n  values: {a: 1}\n"
			items := list.FileItems([]byte(text), "pack.yaml")
			return pack.Load(resources(items), pack.Choice{}).Packs[0].OwnValues(), items[0]
		}
		before, _ := load(tc.before)
		after, item := load(tc.after)
		was := string(item.Text())
		if err := CarryLeaves(before, after); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if got := string(item.Text()); tc.want == "" && got != was || !strings.Contains(got, tc.want) {
			t.Errorf("%s: got\n%s", tc.name, got)
		}
	}
}

// resources are a run over resources without a configuration.
type resources []*list.Item

func (r resources) Items() []*list.Item             { return r }
func (r resources) Report(...diag.Finding)          {}
func (r resources) Guard(_ diag.Resource, f func()) { f() }
func (r resources) ConfigInvalid(diag.Finding)      {}
func (r resources) ConfigPath(field string) string  { return field }
func (r resources) Skip(diag.Resource)              {}
