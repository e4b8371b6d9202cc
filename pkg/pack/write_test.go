package pack

import (
	"errors"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/cases"
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
	const head = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`
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

// A line of steps is an edit of a pack, `set own|values|schema KEY VALUE` or `annotate NAME VALUE`. The outcome is the
// resource, in which what is not edited keeps its bytes, or the error. own are the values, also if the pack has none.
func TestEdits(t *testing.T) {
	cases.Table(t, "edits", func(t *testing.T, c *cases.Case) string {
		got, err := edited(t, c.Text("item.yaml"), func(s *Set) error {
			p, wanted := s.Packs[0], map[string]string{}
			sources := map[string]*Source{"own": p.OwnValues(), "values": p.Values, "schema": p.Schema}
			for step := range strings.Lines(c.Text("steps")) {
				words := strings.Fields(step)
				var err error
				if words[0] == "annotate" {
					err = p.Values.Annotate(map[string]string{words[1]: words[2]})
				} else {
					err = sources[words[1]].Edit(set(words[2], words[3]))
					wanted[words[1]+" "+words[2]] = words[3]
				}
				if err != nil {
					return err
				}
			}
			for key, value := range wanted {
				name, key, _ := strings.Cut(key, " ")
				d, err := sources[name].Mapping()
				if err != nil || values.Text(values.Field(d.Root(), key)) != value {
					t.Errorf("%s does not have what was written to %s: %v", name, key, err)
				}
			}
			return nil
		})
		if failed, ok := errors.AsType[*values.EditError](err); ok {
			if got != strings.TrimRight(c.Text("item.yaml"), "\n")+"\n" || failed.Position.Line != 0 { // lines of a resource mislead
				t.Errorf("at %s it changed:\n%s", failed.Position, got)
			}
			return err.Error()
		}
		if err != nil {
			t.Fatal(err)
		}
		return got
	})
}

// A source that was not loaded cannot be written.
func TestWithoutAResource(t *testing.T) {
	if err := packOf("a: 1").Values.Edit(set("a", "2")); err == nil {
		t.Error("it was written")
	}
	if err := packOf("a: 1").Values.Annotate(map[string]string{"x": "y"}); err == nil || !strings.Contains(err.Error(), "values.yaml cannot be written") {
		t.Errorf("got %v", err)
	}
}
