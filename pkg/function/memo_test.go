package function

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
)

// A Memo runs a function again when, and only when, what a run reads has changed. What the
// function does is done to both lists.
func TestMemo(t *testing.T) {
	const config = `---
apiVersion: fn.kpt.dev/v1alpha1
kind: Demo
metadata: {name: c}
`
	const one, two = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: one}
`, `---
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
`
	const other = `---
apiVersion: v1
kind: Pod
metadata:
  name: p
  annotations: {a: b}
spec: {}
`
	deep := one + config + "x: " + strings.Repeat("[", 101) + strings.Repeat("]", 101) + "\n"
	with := func(old, new string) string { return one + strings.Replace(other, old, new, 1) }
	for name, tc := range map[string]struct {
		first, second string
		again         bool
	}{
		"the same":               {one + two + other + config, one + two + other + config, false},
		"without functionConfig": {one, one, false},
		"a functionConfig":       {one, one + config, true},
		"a value of the config":  {one + config + "a: b\n", one + config + "a: c\n", true},
		"the place of a value":   {one + config + "a: b\n", one + config + "a:  b\n", true},
		"an alias in the config": {
			one + config + `a: &a b
c: *a
`,
			one + config + `a: &a b
c: *a
`,
			false,
		},
		"what an alias means": {
			one + config + `a: &a b
c: &b d
e: *a
`,
			one + config + `a: &a b
c: &b d
e: *b
`,
			true,
		},
		"a config that is too deep": {deep, deep, true},
		"a field of a wanted item":  {one, one + "data: {a: b}\n", true},
		"a wanted item more":        {one, one + two, true},
		"the index of an item":      {one, "---\n" + other + one, true},
		"a field of another item":   {one + other, with("{}", "{c: d}"), false},
		"the kind of another":       {one + other, with("Pod", "Job"), true},
		"the apiVersion of another": {one + other, with(": v1", ": v2"), true},
		"the name of another":       {one + other, with(": p", ": q"), true},
		"the namespace of another": {
			one + other,
			with("name: p", `name: p
  namespace: n`),
			true,
		},
		"an annotation of another":      {one + other, with("a: b", "c: b"), true},
		"its value":                     {one + other, with("a: b", "a: c"), false},
		"an accepted finding":           {with("a: b", AcceptAnnotation+": demo/info"), with("a: b", AcceptAnnotation+": demo/error"), true},
		"an annotation that is no text": {with("a: b", AcceptAnnotation+": [b]"), with("a: b", AcceptAnnotation+": {b: c}"), true},
		"an annotation without a name":  {with("a: b", valuesOfAnnotation+": b"), with("a: b", valuesOfAnnotation+":"), true},
		"a misspelt name of another":    {with("name: p", "nmae: p"), with("name: p", "x: p"), true},
		"a misspelt kind": {
			one + `---
apiVersion: v1
kind: ConfigMpa
`,
			one + `---
# a
apiVersion: v1
kind: ConfigMpa
`,
			true,
		},
		"an item that cannot be read": {one + "---\na\n", one + "---\na\n", false},
		"another that cannot":         {one + "---\na\n", one + "---\nb\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			runs := 0
			f := demo(&stub{config: new(any), wants: func(i *list.Item) bool { return i.Kind() == "ConfigMap" }, process: func(r *Run) {
				runs++
				for _, i := range r.Items() {
					switch i.Name() {
					case "one":
						i.ReplaceText(`apiVersion: v1
kind: ConfigMap
metadata:
  name: changed
`)
					case "two":
						i.Remove()
					}
				}
				r.Add(newResource)
				r.Report(diag.Say("m").Of(demoWarning))
			}})
			f.Reads = []list.GroupKind{{Group: "v1", Kind: "ConfigMap"}}
			memo := NewMemo()
			for i, text := range []string{tc.first, tc.second} {
				want, got := ofFile(t, text), ofFile(t, text)
				wantOutcome := Evaluate(f, want)
				runs = 0
				gotOutcome := memo.Evaluate(f, got)
				if isRun := runs > 0; isRun != (i == 0 || tc.again) {
					t.Errorf("list %d: run %t", i, isRun)
				}
				if diff := cmp.Diff(wantOutcome.Results(), gotOutcome.Results()) + cmp.Diff(texts(want), texts(got)); diff != "" {
					t.Errorf("list %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

// ofFile are the documents of a file, with the functionConfig among them.
func ofFile(t *testing.T, text string) *list.List {
	t.Helper()
	l := &list.List{}
	for _, item := range list.FileItems([]byte(text), "a.yaml") {
		if !item.Is(ConfigGroupVersion, "Demo") {
			l.Items = append(l.Items, item)
		} else if err := configure(l, item); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func texts(l *list.List) []string {
	var all []string
	for _, item := range l.Items {
		all = append(all, string(item.Text()))
	}
	return all
}

// A panic before the run is reported each time.
func TestMemoOfPanic(t *testing.T) {
	memo := NewMemo()
	for range 2 {
		if out := memo.Evaluate(Function{Name: "demo", Kind: "Demo"}, ofFile(t, newResource)); !out.Failed || out.Findings[0].Rule.ID != "internal/panic" {
			t.Errorf("got %+v", out.Findings)
		}
	}
}

// Earlier runs of a function are not looked for all the time if almost none is equal, but again now
// and then: a later part of a fleet may differ.
func TestTally(t *testing.T) {
	looks := func(runs, hitsOfTen int) (first, then, again int) {
		var one tally
		for run := 1; run <= runs; run++ {
			if !one.isWorthLooking() {
				continue
			}
			if one.looks.Add(1)%10 < int64(hitsOfTen) {
				one.hits.Add(1)
			}
			switch {
			case run <= fairTrial:
				first++
			case run < trialsAgain:
				then++
			default:
				again++
			}
		}
		return first, then, again
	}
	if first, then, again := looks(trialsAgain+fairTrial, 0); first != fairTrial || then != 0 || again != fairTrial+1 {
		t.Errorf("without hits it looks %d, %d and %d times", first, then, again)
	}
	if first, then, again := looks(trialsAgain+fairTrial, 2); first+then+again < trialsAgain {
		t.Errorf("with two hits in ten it looks %d, %d and %d times", first, then, again)
	}
}
