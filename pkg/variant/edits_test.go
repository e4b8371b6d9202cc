package variant

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/values"
)

// A case is before.yaml and one edit: the packageContext or the pipeline of spec.yaml, conditions.yaml with gates, sorted
// as Porch does, the status, or source.yaml, which is injected; left is why nothing is. The outcome is the text, or what
// is found, and the condition of a point. The same edit again changes nothing.
func TestEdits(t *testing.T) {
	cases.Table(t, "edits/*", func(t *testing.T, c *cases.Case) string {
		before := c.Text("before.yaml")
		if c.Has("crlf") {
			before = strings.ReplaceAll(before, "\n", "\r\n")
		}
		after, condition, faults := edited(t, c, parse(t, before))
		if len(faults) > 0 {
			if after != nil && after.Text() != before {
				t.Errorf("with faults it became %q", after.Text())
			}
			var b strings.Builder
			for i, facts := range functiontest.Facts(faults) {
				fmt.Fprintf(&b, "%s: %s\n", facts, faults[i].Message())
			}
			return b.String()
		}
		if again, _, faults := edited(t, c, after); faults != nil || again.Text() != after.Text() {
			t.Errorf("again: %v\n%s", faults, again.Text())
		}
		text := after.Text()
		if c.Has("crlf") {
			if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
				t.Errorf("other line breaks: %q", text)
			}
			text = strings.ReplaceAll(text, "\r\n", "\n")
		}
		return text + condition
	})
}

// edited makes the edit of a case.
func edited(t *testing.T, c *cases.Case, d *values.Document) (after *values.Document, condition string, faults []diag.Finding) {
	t.Helper()
	switch {
	case c.Has("spec.yaml"):
		v := readValid(t, "  "+c.Text("spec.yaml"))
		v.Name = "my-pv"
		if !v.Spec.PackageContext.isEmpty() {
			after, faults = v.Spec.PackageContext.apply(d)
			return after, "", faults
		}
		after, faults = v.ApplyPipeline(d)
		return after, "", faults
	case c.Has("conditions.yaml"):
		var all []Condition
		var gates []string
		edit := parse(t, c.Text("conditions.yaml")).Root()
		for _, n := range values.Field(edit, "conditions").Content {
			field := func(name string) string { return values.Text(values.Field(n, name)) }
			all = append(all, Condition{field("type"), field("status"), field("reason"), field("message")})
		}
		for _, n := range values.Field(edit, "gates").Content {
			gates = append(gates, values.Text(n))
		}
		if after, faults = applyConditions(d, all, gates); faults == nil && c.Has("sorted") {
			after, faults = sortConditionsOf(after)
		}
		return after, "", faults
	case c.Has("status"):
		after, faults = applyStatus(d)
		return after, "", faults
	}
	p, fault := readPoint(d.Root())
	if fault != nil || p.Required != strings.Contains(d.Text(), "config-injection: required") {
		t.Fatalf("no point: %+v %v", p, fault)
	}
	var in *Injection
	if c.Has("left") {
		in, faults = leave(p, d, strings.TrimSpace(c.Text("left")))
	} else {
		in, faults = inject(p, d, Object{"ex.com/v1", "Thing", "default", "src"}, parse(t, c.Text("source.yaml")).Root(), false)
	}
	if faults != nil {
		return d, "", faults
	}
	return in.Document, fmt.Sprintf(`---
%+v
`, in.Condition), nil
}

// A line is the kind of a point and the injectors of a PackageVariant. The test has
// the in-cluster objects. The outcome is the chosen object, or the reason why none
// is chosen.
func TestChoices(t *testing.T) {
	c := &Cluster{}
	for i, o := range []Object{
		{"v1", "ConfigMap", "", "foo"}, {"v1", "ConfigMap", "default", "bar"},
		{"ex.com/v1", "Thing", "default", "foo"}, {"ex.com/v1", "Thing", "default", "bar"},
		{"ex.com/v1", "Thing", "other", "far"}, {"ex.com/v2", "Thing", "default", "newer"},
	} {
		if _, isDuplicate := c.Add(o, i); isDuplicate {
			t.Fatal("duplicate", o)
		}
	}
	if other, isDuplicate := c.Add(Object{"v1", "ConfigMap", "default", "foo"}, 9); !isDuplicate || other != 0 {
		t.Error("no namespace is the default one")
	}
	cases.Table(t, "choices", func(t *testing.T, of *cases.Case) string {
		var b strings.Builder
		for line := range strings.Lines(of.Text("injectors")) {
			kind, injectors, _ := strings.Cut(strings.TrimSpace(line), ": ")
			point := map[string]Point{"ConfigMap": {APIVersion: "v1", Kind: "ConfigMap", Name: "p"}, "Thing": {APIVersion: "ex.com/v1", Kind: "Thing", Name: "q"}}[kind]
			v := readValid(t, "  injectors: "+injectors+"\n")
			v.Namespace = cmp.Or(strings.TrimSpace(of.Text("namespace")), v.Namespace)
			chosen, place, ok, why := v.Choose(point, c)
			if ok {
				why = fmt.Sprintf("object %d, %s", place, chosen)
			}
			fmt.Fprintf(&b, "$ %s: %s\n%s\n", kind, injectors, why)
		}
		return b.String()
	})
}

// As TestCases, with the function as it previews what Porch does. The outcome is what is found, and what the
// resources become.
func TestPorch(t *testing.T) {
	cases.Table(t, "porch", func(t *testing.T, c *cases.Case) string {
		output, outcome := functiontest.Evaluate(t, Preview{AsPorch: true}.Function(), functiontest.List(c.Text("config.yaml"), c.Text("resources.yaml")))
		var b strings.Builder
		for i, facts := range functiontest.Facts(outcome.Findings) {
			fmt.Fprintf(&b, "%s: %s\n", facts, outcome.Findings[i].Message())
		}
		return b.String() + functiontest.Documents(output)
	})
}

// What no validation has let through does not touch kpt's keys either.
func TestContextNeverTouchesReservedKeys(t *testing.T) {
	const before = `data:
  name: a
  package-path: b
`
	for _, c := range []PackageContext{
		{Data: Texts{"name": "x", "package-path": "y"}},
		{RemoveKeys: []string{"name", "package-path"}},
	} {
		got, faults := c.apply(parse(t, before))
		if faults != nil || got.Text() != before {
			t.Errorf("%v\n%s", faults, got.Text())
		}
	}
}
