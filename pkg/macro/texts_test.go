package macro

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/values"
)

// given is what the macros of a case can read: fixture.yaml of the case, or else of testdata.
type given struct {
	Context Context
	Packs   []struct {
		Name                 string
		Resource             diag.Resource
		Values               *string
		Unreadable, Reported bool
	}
}

func (g *given) resolver(t rapid.TB, mode Mode) *Resolver {
	t.Helper()
	var packs []Pack
	for _, p := range g.Packs {
		one := Pack{Name: p.Name, Resource: p.Resource, Unreadable: p.Unreadable, Reported: p.Reported}
		if p.Values != nil {
			one.Values = tree(t, *p.Values)
		}
		packs = append(packs, one)
	}
	context := g.Context
	context.Missing = mode
	return NewResolver(context, packs)
}

func givenIn(t rapid.TB, text string) *given {
	t.Helper()
	var g given
	if err := yaml.Unmarshal([]byte(text), &g); err != nil {
		t.Fatal(err)
	}
	return &g
}

// fixture returns a resolver with the facts and packs of testdata.
func fixture(t rapid.TB, mode Mode) *Resolver {
	t.Helper()
	return givenIn(t, fixtureText(t)).resolver(t, mode)
}

func fixtureText(t rapid.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/fixture.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func tree(t rapid.TB, text string) *values.Tree {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return values.Merge(values.Layer{Document: d})
}

// A case has texts, one in each line of lines, or written as in Go in quoted. calls are the insides of macros, which
// become the same in Go templates with all of sprig. The outcome is what each text becomes, and what is found in it,
// in all modes or in those that it names. No finding shows a secret.
func TestTexts(t *testing.T) {
	cases.Table(t, "texts/*", func(t *testing.T, c *cases.Case) string {
		text := c.Text("fixture.yaml")
		if !c.Has("fixture.yaml") {
			text = fixtureText(t)
		}
		g := givenIn(t, text)
		var b strings.Builder
		for line := range strings.Lines(c.Text("calls")) {
			text := "{{ " + strings.TrimSuffix(line, "\n") + " }}"
			if got, want := resolved(t, g, text), "  "+shown(goTemplate(t, text, g.Context.Variables))+"\n"; got != want {
				t.Errorf("%s becomes %s, and in a Go template %s", text, got, want)
			}
			fmt.Fprintf(&b, "%s\n%s", text, resolved(t, g, text))
		}
		for line := range strings.Lines(c.Text("lines")) {
			line = strings.TrimSuffix(line, "\n")
			fmt.Fprintf(&b, "%s\n%s", line, resolved(t, g, line))
		}
		for line := range strings.Lines(c.Text("quoted")) {
			line = strings.TrimSuffix(line, "\n")
			text, err := strconv.Unquote(line)
			if err != nil {
				t.Fatal(line, err)
			}
			fmt.Fprintf(&b, "%s\n%s", line, resolved(t, g, text))
		}
		return b.String()
	})
}

// resolved prints what a text becomes in each mode.
func resolved(t *testing.T, g *given, text string) string {
	t.Helper()
	var outcomes []string
	modes := map[string][]string{}
	for _, mode := range []Mode{Empty, Error, Keep} {
		r := g.resolver(t, mode)
		var b strings.Builder
		out, findings := r.Text(text)
		if out == text {
			b.WriteString("  stays\n")
		} else {
			fmt.Fprintf(&b, "  %s\n", shown(out))
		}
		for i, fact := range functiontest.Facts(findings) {
			f := findings[i]
			if strings.Contains(fmt.Sprintf("%+v", f), "s3cret") {
				t.Errorf("%s: %+v", text, f)
			}
			at := fmt.Sprintf("%d:%d", f.Position.Line, f.Position.Column)
			fmt.Fprintf(&b, "  %s %s: %s\n", at, fact, strings.TrimPrefix(f.Message(), at))
		}
		if modes[b.String()] == nil {
			outcomes = append(outcomes, b.String())
		}
		modes[b.String()] = append(modes[b.String()], string(mode))
	}
	if len(outcomes) == 1 {
		return outcomes[0]
	}
	var b strings.Builder
	for _, outcome := range outcomes {
		fmt.Fprintf(&b, "  %s:\n%s", strings.Join(modes[outcome], ", "), outcome)
	}
	return b.String()
}

// shown is a text as it is, or written as in Go where that is not clear.
func shown(text string) string {
	if quoted := strconv.Quote(text); text == "" || quoted != `"`+text+`"` && !strconv.CanBackquote(text) || text != strings.TrimSpace(text) {
		return quoted
	}
	return text
}

// goTemplate executes a text as text/template does, with all of sprig.
func goTemplate(t *testing.T, text string, variables map[string]string) string {
	t.Helper()
	parsed, err := template.New("").Funcs(sprig.TxtFuncMap()).Parse(text)
	var b strings.Builder
	if err == nil {
		err = parsed.Execute(&b, map[string]any{"spectro": map[string]any{"var": variables}})
	}
	if err != nil {
		t.Error(err)
	}
	return b.String()
}
