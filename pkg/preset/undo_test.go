package preset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
)

// What a preset added is deleted. What else it did, or became of it since, stays and is named.
func TestUndo(t *testing.T) {
	ha := named("size", "ha", change(t, "gone", "replicas: 3\nbackup: {on: true}\nzone:\nsame: 1"))
	const marker = "# spectrocloud.com/enabled-presets: "
	for _, tc := range []struct {
		name, text string
		old, new   string // an edit after the preset was applied
		want       string
		kept       string
	}{
		{"what it added", marker + "Mode:api\nsame: 1\n", "", "", marker + "Mode:api\nsame: 1\nbackup: {}\n", ""},
		{"the only entry of the comment", marker + "size:small\nsame: 1\n", "", "", strings.TrimSpace(marker) + "\nsame: 1\nbackup: {}\n", ""},
		{"what it replaced and removed", "replicas: 1\ngone: 1\nsame: 1\n", "", "", "replicas: 3\nsame: 1\nbackup: {}\n", "gone replicas"},
		{"an edit", "same: 1\n", "replicas: 3", "replicas: 4", "same: 1\nreplicas: 4\nbackup: {}\n", "replicas"},
		{"a map in the place of a value", "same: 1\n", "replicas: 3", "replicas: {a: 3}", "same: 1\nreplicas: {a: 3}\nbackup: {}\n", "replicas"},
		{"a value in the place of a map", "same: 1\n", "backup: {on: true}", "backup: on", "same: 1\nbackup: on\n", ""},
		{"what is gone", "same: 1\n", "replicas: 3\n", "", "same: 1\nbackup: {}\n", ""},
	} {
		applied, err := Target{Document: mustParse(t, tc.text)}.ApplyOnce(once(nil, ha))
		if err != nil {
			t.Fatal(err)
		}
		source, item := sourceOf(strings.Replace(applied.Document.Text(), tc.old, tc.new, 1), applied.Record.String(), applied.Leaves.String())
		kept, err := Undo(source, "size:ha")
		if diff := cmp.Diff(tc.want, source.Text()) + cmp.Diff(tc.kept, strings.Join(kept, " ")); err != nil || diff != "" {
			t.Errorf("%s: %v, -want +got:\n%s", tc.name, err, diff)
		}
		if record := recordOf(item); record != "" {
			t.Errorf("%s: it is still recorded: %s", tc.name, record)
		}
	}
}

// A preset that is recorded without leaves leaves all values, and what cannot be read is not
// changed.
func TestUndoWithoutLeaves(t *testing.T) {
	source, item := sourceOf("a: 1\n", `[":it@0123@1","g:other@45@1"]`, "")
	kept, err := Undo(source, "it")
	if err != nil || strings.Join(kept, " ") != "all values" || source.Text() != "a: 1\n" || recordOf(item) != `["g:other@45@1"]` {
		t.Errorf("got %q, %v, %s", kept, err, recordOf(item))
	}
	for _, tc := range []struct{ record, leaves, name string }{
		{"[", "", "it"}, {`[":it@0123@1"]`, "[]", "it"}, {`[":it@0123@1"]`, "", "other"}, {"", "", "it"},
	} {
		source, item := sourceOf("a: 1\n", tc.record, tc.leaves)
		if kept, err := Undo(source, tc.name); err == nil || recordOf(item) != tc.record+tc.leaves {
			t.Errorf("%s: got %q, and %s", tc.record, kept, recordOf(item))
		}
	}
}

// sourceOf is the values of a Pack with what is recorded of them, and the Pack.
func sourceOf(text, record, leaves string) (*pack.Source, *list.Item) {
	items := list.FileItems([]byte("apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: p\n  annotations:\n    "+
		RecordAnnotation+": '"+record+"'\n    "+LeavesAnnotation+": '"+leaves+"'\nspec:\n  values: |\n    "+
		strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")+"\n"), "a.yaml")
	return pack.Load(resources(items), pack.Choice{}).Packs[0].Values, items[0]
}

// recordOf is what a Pack records as its text has it.
func recordOf(item *list.Item) string {
	again := list.FileItems(item.Text(), "a.yaml")[0]
	return again.Annotation(RecordAnnotation) + again.Annotation(LeavesAnnotation)
}
