package function_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// colors is a function that knows two fields and the colors that they may have.
func colors(change func(*function.Run), more ...string) *processor {
	known := append([]string{"red", "green"}, more...)
	return &processor{process: func(r *function.Run) {
		for _, item := range r.Items() {
			document, err := item.Document()
			if err != nil {
				panic(err)
			}
			data := values.Field(document.Root(), "data")
			for at := 0; data != nil && at < len(data.Content); at += 2 {
				key, value := data.Content[at], data.Content[at+1]
				if key.Value != "color" {
					r.Report(diag.Unknown("field", key.Value, []string{"color"}).About(item.Resource(), "data."+key.Value).Of(rule.InputInvalid))
				} else if value.Value != "red" && value.Value != "green" {
					r.Report(diag.GotName(value.Value, known).About(item.Resource(), "data.color").Of(rule.InputInvalid))
				}
			}
		}
		if change != nil {
			change(r)
		}
	}}
}

func colored(data string) string { return oneResource + "data: " + data + "\n" }

// What a misspelt name hides is found in the same run, where it is written. Names that may be
// one of several, and texts that are not written as they read, are not corrected.
func TestJudgeOn(t *testing.T) {
	const resource, want = "error input/invalid ConfigMap/one data.", ` want="red or green"`
	for _, tc := range []struct {
		name, data string
		want       []string
	}{
		{"a key", "{colro: blue}", []string{resource + `colro unknown="field \"colro\"" want=color near=color`, resource + `colro got="\"blue\""` + want + ` after="\"colro\" is corrected to \"color\""`}},
		{"a key in quotes", `{"colro": blue}`, []string{resource + `colro unknown="field \"colro\"" want=color near=color`, resource + `colro got="\"blue\""` + want + ` after="\"colro\" is corrected to \"color\""`}},
		{"a key, and its value", "{colro: gren}", []string{resource + `colro unknown="field \"colro\"" want=color near=color`, resource + `colro got="\"gren\""` + want + ` near=green after="\"colro\" is corrected to \"color\""`}},
		{"a key that is escaped", `{"c\x6flro": blue}`, []string{resource + `colro unknown="field \"colro\"" want=color near=color`}},
		{"a key beside the right one", "{colro: blue, color: red}", []string{resource + `colro unknown="field \"colro\"" want=color near=color`}},
		{"another key", "{shape: blue}", []string{resource + `shape unknown="field \"shape\"" want=color`}},
	} {
		p := colors(nil)
		got := functiontest.Facts(functiontest.Run(t, p.function(), "", colored(tc.data)).Findings)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}

// A name that two names are equally near to is not corrected.
func TestJudgeOnIsCertain(t *testing.T) {
	runs := 0
	p := colors(func(*function.Run) { runs++ }, "greed")
	if functiontest.Run(t, p.function(), "", colored("{color: gree}")); runs != 1 {
		t.Errorf("%d runs over an ambiguous name", runs)
	}
	runs = 0
	p = colors(func(*function.Run) { runs++ })
	if functiontest.Run(t, p.function(), "", colored("{color: gree}")); runs != 2 {
		t.Errorf("%d runs over a name with one candidate", runs)
	}
}

// Two findings about one name correct it once, also if the right name begins with it.
func TestJudgeOnOnce(t *testing.T) {
	p := colors(func(r *function.Run) {
		for _, item := range r.Items() {
			r.Report(diag.GotName("gree", []string{"green"}).About(item.Resource(), "data.color").For("other").Of(rule.InputInvalid))
		}
	})
	for _, f := range functiontest.Facts(functiontest.Run(t, p.function(), "", colored("{color: gree}")).Findings) {
		if strings.Contains(f, "greenn") {
			t.Errorf("got %s", f)
		}
	}
}

// Judging on writes nothing, and what fails in it is not reported.
func TestJudgeOnWritesNothing(t *testing.T) {
	for name, fail := range map[string]bool{"changes": false, "a panic": true} {
		runs := 0
		f := colors(func(r *function.Run) {
			if runs++; runs == 1 {
				return
			}
			for _, item := range r.Items() {
				item.ReplaceText(colored("{color: changed}"))
			}
			r.Add(strings.Replace(oneResource, "name: one", "name: more", 1))
			if fail {
				panic("in the second run")
			}
		}).function()
		f.KeepsChanges, f.Mutates = true, true
		input := functiontest.List("", colored("{color: gren}"))
		output, outcome := functiontest.Evaluate(t, f, input)
		if output != input || runs != 2 || len(outcome.Findings) != 1 {
			t.Errorf("%s: %d runs, findings %q, output\n%s", name, runs, functiontest.Facts(outcome.Findings), output)
		}
	}
}

// The functionConfig is corrected, too, and stays as it is for the caller.
func TestJudgeOnConfig(t *testing.T) {
	p := colors(nil)
	f := p.function()
	outcome := functiontest.Run(t, f, typedConfig+"spec: {severty: {demo/error: loud}}\n", oneResource)
	want := []string{
		`error config/invalid Demo/c spec.severty unknown="field \"severty\"" want="severity, mode, packs, force, count, labels or targets" near=severity`,
		`error config/invalid Demo/c spec.severty.demo/error got="\"loud\" for demo/error" want="error, warning, info or off" after="\"severty\" is corrected to \"severity\""`,
	}
	if diff := cmp.Diff(want, functiontest.Facts(outcome.Findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What is found says after which corrections: those around it, else those of its resource,
// else all.
func TestJudgeOnSaysAfterWhat(t *testing.T) {
	// Each field of data, and of the document in text, has one field, name, which is red.
	p := &processor{process: func(r *function.Run) {
		all := 0
		for _, item := range r.Items() {
			document, err := item.Document()
			if err != nil {
				panic(err)
			}
			text, err := values.Parse(values.Text(values.Field(document.Root(), "text")))
			if err != nil {
				panic(err)
			}
			names := 0
			embedded := &diag.Origin{Resource: item.Resource(), Field: "text", Embedded: true}
			for _, root := range []*yaml.Node{values.Field(document.Root(), "data"), text.Root()} {
				for at := 0; root != nil && at < len(root.Content); at += 2 {
					key, value := root.Content[at+1].Content[0], root.Content[at+1].Content[1]
					about := func(f diag.Finding) {
						path := root.Content[at].Value + "." + key.Value
						if f = f.In(embedded, path, values.At(key)); root != text.Root() {
							f = f.About(item.Resource(), "data."+path)
						}
						r.Report(f.Of(rule.InputInvalid))
					}
					if key.Value != "name" {
						about(diag.Unknown("field", key.Value, []string{"name"}))
						continue
					}
					if names++; value.Value != "red" {
						about(diag.Got(value.Value, "red"))
					}
				}
			}
			if all += names; names > 1 {
				r.Report(diag.Say("two names").About(item.Resource(), "kind").Of(rule.InputInvalid))
			}
			if item.Name() == "last" && all > 1 {
				r.Report(diag.Say("all names").About(item.Resource(), "kind").Of(rule.InputInvalid))
			}
		}
	}}
	const last = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: last}\n"
	after := func(names ...string) string { return ` after="\"` + strings.Join(names, `\" is corrected to \"`) }
	for _, tc := range []struct {
		name  string
		items []string
		want  []string // what is found after corrections
	}{
		{"around it", []string{colored("{a: {naem: blue}, b: {nmae: pink}}")}, []string{
			"ConfigMap/one data.a.naem got=blue want=red" + after("naem", `name\""`),
			"ConfigMap/one data.b.nmae got=pink want=red" + after("nmae", `name\""`),
			"ConfigMap/one kind" + after("naem", `name\" and 1 more correction"`),
		}},
		{"around it, in a text", []string{oneResource + "text: |\n  a: {naem: blue}\n  b: {nmae: pink}\ndata: {a: {nam: green}}\n"}, []string{
			"ConfigMap/one data.a.nam got=green want=red" + after("nam", `name\""`),
			"ConfigMap/one kind" + after("nam", `name\" and 2 more corrections"`),
			"ConfigMap/one text key=a.naem at=1:5 got=blue want=red" + after("naem", `name\""`),
			"ConfigMap/one text key=b.nmae at=2:5 got=pink want=red" + after("nmae", `name\""`),
		}},
		{"in its resource", []string{colored("{a: {naem: red}, b: {name: red}}"), last + "data: {a: {nmae: red}}\n"}, []string{
			"ConfigMap/last kind" + after("nmae", `name\""`),
			"ConfigMap/one kind" + after("naem", `name\""`),
		}},
		{"elsewhere", []string{colored("{a: {naem: red}, b: {nmae: red}}"), last}, []string{
			"ConfigMap/last kind" + after("naem", `name\" and 1 more correction"`),
			"ConfigMap/one kind" + after("naem", `name\" and 1 more correction"`),
		}},
	} {
		var got []string
		for _, fact := range functiontest.Facts(functiontest.Run(t, p.function(), "", strings.Join(tc.items, "---\n")).Findings) {
			if strings.Contains(fact, " after=") {
				got = append(got, strings.TrimPrefix(fact, "error input/invalid "))
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}
