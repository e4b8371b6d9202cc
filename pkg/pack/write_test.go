package pack

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// writer is a function that edits the packs of a list.
type writer struct {
	probe
	edit func(*Set) error
	err  error
}

func (w *writer) Process(run *function.Run) {
	w.probe.Process(run)
	w.err = w.edit(w.Set)
}

// edited runs edit over the packs of a list of one item, and returns the item.
func edited(t *testing.T, item string, edit func(*Set) error) (string, error) {
	t.Helper()
	const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
	l, err := list.Read([]byte(head + "- " + strings.ReplaceAll(strings.TrimRight(item, "\n"), "\n", "\n  ") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{edit: edit}
	function.Evaluate(function.Function{Name: "probe", Kind: "Probe", New: func() function.Processor { return w }}, l)
	var b strings.Builder
	if err := l.Write(&b, nil); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.TrimPrefix(b.String(), head+"- "), "\n  ", "\n"), w.err
}

// set makes an edit that sets a key.
func set(key, text string) func(*values.Document, []values.Step) (*values.Document, error) {
	return func(d *values.Document, at []values.Step) (*values.Document, error) {
		value, err := values.Parse(text)
		if err != nil {
			return nil, err
		}
		return d.Set(append(at[:len(at):len(at)], values.Step{Key: key}), value)
	}
}

const written = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec:\n"

// What is edited keeps its style, and everything else its bytes.
func TestEdit(t *testing.T) {
	const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault}\ndata:\n  pack.json: '{\"name\": \"vault\"}' # ours\n"
	for _, tc := range []struct{ name, item, want string }{
		{"a block", configMap + "  values.yaml: |-\n    a: 1 # one\n\n  z: y\n", configMap + "  values.yaml: |-\n    a: 2 # one\n\n  z: y\n"},
		{"double quotes", configMap + "  values.yaml: \"a: 1\\nb: 'x'  \\n\"\n", configMap + "  values.yaml: \"a: 2\\nb: 'x'  \\n\"\n"},
		{"an empty text", configMap + "  values.yaml: ''\n", configMap + "  values.yaml: |\n    a: 2\n"},
		{"none in a ConfigMap", configMap, configMap + "  values.yaml: |\n    a: 2\n"},
		{"null in a ConfigMap", configMap + "  values.yaml:\n", configMap + "  values.yaml: |\n    a: 2\n"},
		{"a map", written + "  values:\n    # one\n    a: 1\n  z: y\n", written + "  values:\n    # one\n    a: 2\n  z: y\n"},
		{"a map in one line", written + "  values: {a: 1, b: 'x'}\n", written + "  values: {a: 2, b: 'x'}\n"},
		{"none in a Pack", written + "  z: y\n", written + "  z: y\n  values:\n    a: 2\n"},
		{"no change", written + "  values: {a: 2}\n", written + "  values: {a: 2}\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := edited(t, tc.item, func(s *Set) error { return s.Packs[0].OwnValues().Edit(set("a", "2")) })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Edits of one resource compose, and each sees what those before it wrote.
func TestEditsCompose(t *testing.T) {
	item := written + "  values: {a: 1}\n  schema: |\n    # ours\n    x: 1\n  dependencies: ['y']\n"
	got, err := edited(t, item, func(s *Set) error {
		p := s.Packs[0]
		for _, edit := range []func() error{
			func() error { return p.Schema.Edit(set("w", "2")) },
			func() error { return p.Values.Edit(set("b", "2")) },
			func() error { return p.Schema.Edit(set("x", "3")) },
			func() error { return p.Values.Edit(set("a", "3")) },
		} {
			if err := edit(); err != nil {
				return err
			}
		}
		d, err := p.Values.Mapping()
		if err != nil || values.Text(values.Field(d.Root(), "a")) != "3" || !strings.Contains(p.Schema.Text(), "x: 3") {
			t.Errorf("the sources do not hold what was written (%v)", err)
		}
		return nil
	})
	if want := written + "  values: {a: 3, b: 2}\n  schema: |\n    # ours\n    x: 3\n    w: 2\n  dependencies: ['y']\n"; err != nil || got != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
}

// A text that is shared is not changed in two places.
func TestEditRefused(t *testing.T) {
	item := written + "  values: &v |\n    a: 1\n  other: *v\n"
	got, err := edited(t, item, func(s *Set) error { return s.Packs[0].Values.Edit(set("a", "2")) })
	var refused *values.EditError
	if !errors.As(err, &refused) || !strings.Contains(refused.Reason, "&v") || refused.Position.Line != 0 {
		t.Errorf("got %v", err) // lines of a resource mislead
	}
	if got != item {
		t.Errorf("it changed:\n%s", got)
	}
	if err := packOf("a: 1").Values.Edit(set("a", "2")); err == nil {
		t.Error("a source that was not loaded was written")
	}
}

func TestAnnotateWithoutAResource(t *testing.T) {
	if err := packOf("a: 1").Values.Annotate(map[string]string{"x": "y"}); err == nil || !strings.Contains(err.Error(), "values.yaml cannot be written") {
		t.Errorf("got %v", err)
	}
}

// An annotation is set beside others, and the values can be edited before and after.
func TestAnnotate(t *testing.T) {
	for _, tc := range []struct{ name, item, want string }{
		{"the first", written + "  values: {a: 1}\n", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault, annotations: {x: 'it''s'}}\nspec:\n  values: {a: 2, b: 3}\n"},
		{"another one", strings.Replace(written, "{name: vault}", "\n  name: vault\n  annotations:\n    y: z # why", 1) + "  values:\n    a: 1\n",
			strings.Replace(written, "{name: vault}", "\n  name: vault\n  annotations:\n    y: z # why\n    x: 'it''s'", 1) + "  values:\n    a: 2\n    b: 3\n"},
		{"the same", strings.Replace(written, "{name: vault}", "{name: vault, annotations: {x: \"old\"}}", 1) + "  values: |\n    a: 1\n",
			strings.Replace(written, "{name: vault}", "{name: vault, annotations: {x: \"it's\"}}", 1) + "  values: |\n    a: 2\n    b: 3\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := edited(t, tc.item, func(s *Set) error {
				own := s.Packs[0].Values
				if err := own.Edit(set("a", "2")); err != nil {
					return err
				}
				if err := own.Annotate(map[string]string{"x": "it's"}); err != nil {
					return err
				}
				return own.Edit(set("b", "3"))
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
