package preset

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// A case has values.yaml, or values written as in Go in quoted, and presets.yaml, or one preset: remove has the paths
// that it removes, add.yaml is what it adds. at has the keys of the values in the document, and below.yaml and
// below-2.yaml are values below. The outcome is what the document becomes, which the model says, too, and keys that may
// be misspelt. Presets that are applied again change nothing.
func TestApply(t *testing.T) {
	cases.Table(t, "apply/*", func(t *testing.T, c *cases.Case) string {
		text := c.Text("values.yaml")
		if c.Has("quoted") {
			var err error
			if text, err = strconv.Unquote(strings.TrimSpace(c.Text("quoted"))); err != nil {
				t.Fatal(err)
			}
		}
		presets := presetsOf(t, c)
		target := Target{Document: mustParse(t, text), At: values.Keys(strings.Fields(c.Text("at"))...)}
		for _, name := range []string{"below.yaml", "below-2.yaml"} {
			if c.Has(name) {
				target.Below = append(target.Below, tree(t, c.Text(name)))
			}
		}
		got, err := target.Apply(presets...)
		if err != nil {
			return failure(err)
		}
		if !c.Has("at") && !strings.Contains(text, "<<") {
			checkModel(t, c, target.Document, got, presets)
		}
		var notes string
		for range 2 {
			before := notes
			notes = ""
			for _, p := range presets {
				found := misspelt(p, got.Root())
				for i, facts := range functiontest.Facts(found) {
					notes += fmt.Sprintf("%s: %s\n", facts, found[i].Message())
				}
			}
			target.Document = got
			again, err := target.Apply(presets...)
			isSame := again == got || len(target.Below) > 1 && again.Text() == got.Text()
			if err != nil || !isSame || before != "" && before != notes {
				t.Errorf("applied again: %v, %s\n%s", err, notes, cmp.Diff(got.Text(), again.Text()))
			}
		}
		result := got.Text()
		if strings.Contains(result, "\r") || !strings.HasSuffix(result, "\n") || strings.Count(result, "#\n") > 5 {
			result = strconv.Quote(result) + "\n"
		}
		return notes + result
	})
}

// checkModel compares what values become, over those below, with the model.
func checkModel(t *testing.T, c *cases.Case, before, after *values.Document, presets []pack.Preset) {
	t.Helper()
	var layers []values.Layer
	check := func(clean func(any) any) {
		was := values.Merge(append(slices.Clone(layers), values.Layer{Document: before})...)
		is := values.Merge(append(slices.Clone(layers), values.Layer{Document: after})...)
		if diff := cmp.Diff(clean(orEmpty(modelApply(modelValue(was.Root()), presets...))), clean(orEmpty(modelValue(is.Root())))); diff != "" {
			t.Errorf("-model +got:\n%s", diff)
		}
	}
	if !c.Has("below.yaml") {
		check(func(v any) any { return v })
	}
	for _, name := range []string{"below.yaml", "below-2.yaml"} {
		if c.Has(name) {
			layers = []values.Layer{{Document: mustParse(t, c.Text(name))}}
			check(withoutNulls)
		}
	}
}

// presetsOf returns the presets of a case.
func presetsOf(t *testing.T, c *cases.Case) []pack.Preset {
	t.Helper()
	if !c.Has("presets.yaml") {
		if !c.Has("remove") && !c.Has("add.yaml") {
			return []pack.Preset{{Name: "it"}}
		}
		return []pack.Preset{change(t, c.Text("remove"), c.Text("add.yaml"))}
	}
	p := pack.Pack{Presets: pack.File("presets.yaml", c.Text("presets.yaml"))}
	all, findings := p.ReadPresets()
	if len(findings) > 0 {
		t.Fatal(functiontest.Facts(findings))
	}
	return all
}

// failure prints an error, with the line or the path that it is about.
func failure(err error) string {
	if syntax, ok := errors.AsType[*values.SyntaxError](err); ok {
		return fmt.Sprintf("error at line %d: %v", syntax.Line, err)
	}
	if edit, ok := errors.AsType[*values.EditError](err); ok {
		return fmt.Sprintf("error at %s: %v", edit.Position, err)
	}
	if own, ok := errors.AsType[*Error](err); ok {
		return fmt.Sprintf("error of the preset %q at %s: %v", own.Preset.Name, own.Path, err)
	}
	return fmt.Sprintf("error: %v", err)
}

// A case has presets, and in each line names that are asked for. The outcome is what is chosen, and the faults with the
// index of their name.
func TestChoose(t *testing.T) {
	cases.Table(t, "choose", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for line := range strings.Lines(c.Text("names")) {
			line = strings.TrimSpace(line)
			chosen, faults := Choose(presetsOf(t, c), strings.Split(line, "|")...)
			fmt.Fprintf(&b, "%s\n", line)
			for _, choice := range chosen {
				fmt.Fprintf(&b, "  chosen: %s:%s at %d\n", choice.Group, choice.Name, choice.Index)
			}
			for _, f := range faults {
				fmt.Fprintf(&b, "  %d %s: %s\n", f.Index, functiontest.Facts([]diag.Finding{f.Finding})[0], f.Finding.Message())
			}
		}
		return b.String()
	})
}

// A case has presets. The outcome is the names that are given twice, and the paths that presets set to different values.
func TestConflicts(t *testing.T) {
	cases.Table(t, "conflicts", func(t *testing.T, c *cases.Case) string {
		p := pack.Pack{Presets: pack.File("presets.yaml", c.Text("presets.yaml"))}
		presets, _ := p.ReadPresets()
		found := append(duplicates(presets), pathConflicts(presets)...)
		var b strings.Builder
		for i, facts := range functiontest.Facts(found) {
			fmt.Fprintf(&b, "%d:%d %s: %s\n", found[i].Position.Line, found[i].First.Line, facts, found[i].Message())
		}
		return b.String()
	})
}

// A case has values with a comment that names presets. The outcome is what a check of the pack finds.
func TestComments(t *testing.T) {
	cases.Table(t, "comments", func(t *testing.T, c *cases.Case) string {
		p := &pack.Pack{Name: "p", Presets: pack.File("presets.yaml", c.Text("presets.yaml"))}
		if c.Has("values.yaml") {
			p.Values = pack.File("values.yaml", c.Text("values.yaml"))
		}
		var b strings.Builder
		for _, f := range functiontest.Noted(Check(p)) {
			fmt.Fprintf(&b, "%s: %s\n", functiontest.Facts([]diag.Finding{f})[0], f.Message())
		}
		return b.String()
	})
}

// A case has values and a preset. The outcome is the values without what it names, and at how many places that is.
func TestWithout(t *testing.T) {
	cases.Table(t, "without", func(t *testing.T, c *cases.Case) string {
		rest, touched := Without(mustParse(t, c.Text("values.yaml")).Root(), presetsOf(t, c))
		text, _ := values.JSON(rest)
		for _, path := range slices.Sorted(maps.Keys(touched)) {
			text += fmt.Sprintf("\n%s: %d", path, len(touched[path]))
		}
		return text
	})
}

// A case is a pack with a record. The outcome is the pack without its first preset, and the keys that stay. A preset is
// taken back once.
func TestUndo(t *testing.T) {
	cases.Table(t, "undo", func(t *testing.T, c *cases.Case) string {
		item := list.FileItems([]byte(c.Text("vault.yaml")), "vault.yaml")[0]
		p := packsOf(item)[0]
		presets, _ := p.ReadPresets()
		stay, err := Undo(p.Values, presets[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Undo(packsOf(list.FileItems(item.Text(), "vault.yaml")...)[0].Values, presets[0]); err == nil {
			t.Error("it is taken back twice")
		}
		return fmt.Sprintf(`stay: %s
%s`, strings.Join(stay, " "), item.Text())
	})
}

// A case has a functionConfig and resources. The outcome is what the function says and writes, and what a second run
// says if that is something else.
func TestMessages(t *testing.T) {
	cases.Table(t, "messages", func(t *testing.T, c *cases.Case) string {
		config := c.Text("config.yaml")
		input := functiontest.List(config, c.Text("resources.yaml"))
		output, first := functiontest.RunList(t, Function(), input)
		again, second := functiontest.Evaluate(t, Function(), functiontest.List(config, functiontest.Documents(output)))
		if functiontest.Documents(again) != functiontest.Documents(output) {
			t.Errorf("the second run returns\n%s", again)
		}
		said, saidAgain := strings.Join(functiontest.Messages(first), "\n"), strings.Join(functiontest.Messages(second), "\n")
		if strings.Contains(said, "hunter2") {
			t.Error("a message shows a value")
		}
		if saidAgain != said {
			said += "\nthe second run says:\n" + saidAgain
		}
		if output != input {
			said += "\nwritten:\n" + functiontest.Documents(output)
		}
		return said
	})
}

// packsOf reads packs without a run of the function.
func packsOf(items ...*list.Item) []*pack.Pack {
	reader := &packReader{}
	function.Evaluate(function.Function{Name: "read", New: func() function.Processor { return reader }}, &list.List{Items: items})
	return reader.set.Packs
}

type packReader struct{ set *pack.Set }

func (r *packReader) Config() any                { return &struct{}{} }
func (r *packReader) Wants(item *list.Item) bool { return pack.Wants(item) }
func (r *packReader) Process(run *function.Run)  { r.set = pack.Load(run, pack.Choice{}) }
