package values

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// suiteCase is a case of the YAML test suite.
type suiteCase struct {
	Name string
	YAML string
	JSON string // the content, "" when JSON does not have it
	Fail bool   // the text is not YAML
}

func suite(t *testing.T) []suiteCase {
	t.Helper()
	text, err := os.ReadFile("testdata/yaml-test-suite/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []suiteCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// readOtherwise are the cases whose content go-yaml reads otherwise.
var readOtherwise = []string{
	"anchor-with-colon-in-the-middle", "question-mark-at-start-of-flow-key", "scalars-in-flow-start-with-syntax-char/01",
	"spec-example-6-28-non-specific-tags", "trailing-line-of-spaces/01", "trailing-whitespace-in-streams/02",
}

// TestSuiteContent: what is read is what the suite says. go-yaml rejects some texts that
// are YAML, and reads some that are not.
func TestSuiteContent(t *testing.T) {
	read, rejected := 0, 0
	for _, c := range suite(t) {
		d, err := Parse(c.YAML)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Line > strings.Count(c.YAML, "\n")+1 || strings.HasPrefix(syntax.Reason, "yaml") {
				t.Errorf("%s: %#v", c.Name, err)
			}
			if c.Fail {
				rejected++
			}
			continue
		}
		want, err := Parse(c.JSON)
		if c.Fail || err != nil || !json.Valid([]byte(c.JSON)) {
			continue // not YAML, not JSON, or several documents
		}
		read++
		got, _ := JSON(d.Root())
		if text, _ := JSON(want.Root()); got != text && !slices.Contains(readOtherwise, c.Name) {
			t.Errorf("%s: got %s, want %s", c.Name, got, text)
		}
	}
	if read < 180 || rejected < 75 {
		t.Errorf("%d texts were compared, and %d rejected that are not YAML", read, rejected)
	}
}

// TestSuiteEdits: an edit of any value is made, and reads as it has to, or it is rejected.
func TestSuiteEdits(t *testing.T) {
	made, rejected := 0, 0
	for _, c := range suite(t) {
		d, err := Parse(c.YAML)
		if err != nil || len(d.Duplicates()) > 0 {
			continue
		}
		check := func(edited *Document, err error, at []Step, want string) {
			t.Helper()
			if err != nil {
				if _, ok := err.(*EditError); !ok {
					t.Errorf("%s: %v: %#v", c.Name, at, err)
				}
				rejected++
				return
			}
			made++
			if again, err := Parse(edited.Text()); err != nil {
				t.Errorf("%s: %v: %v", c.Name, at, err)
			} else if got, _ := JSON(Follow(again.Root(), at)); got != want {
				t.Errorf("%s: %v: got %s, want %s in\n%s", c.Name, at, got, want, edited.Text())
			}
		}
		for _, v := range visit(d.Root()) {
			if Follow(d.Root(), v.steps) != dealias(v.node) {
				continue // below a key that is a mapping or a list
			}
			if v.node.Kind == yaml.ScalarNode {
				edited, err := d.ReplaceScalars(ScalarEdit{
					Node: v.node,
					Text: `two
lines: # no`,
				})
				check(edited, err, v.steps, `"two\nlines: # no"`)
			}
			edited, err := d.Set(v.steps, mustParse(t, `new:
- 1 # c
`))
			check(edited, err, v.steps, `{"new":[1]}`)
			edited, err = d.Sync(Change{At: v.steps, Want: mustParse(t, "[a, {b: c}]").Root()})
			check(edited, err, v.steps, `["a",{"b":"c"}]`)
			if v.node.Kind == yaml.SequenceNode && len(v.node.Content) > 0 {
				edited, err = d.Insert(v.steps, 0, mustParse(t, "[new]"))
				check(edited, err, Below(v.steps, Element(0)), `"new"`)
			}
		}
	}
	if made < 1500 || rejected*4 > made {
		t.Errorf("%d edits were made, and %d rejected", made, rejected)
	}
}

// TestSuiteEmbedded: a text in a field of a resource is read as it was written there,
// and stays a block where it was one.
func TestSuiteEmbedded(t *testing.T) {
	for _, c := range suite(t) {
		for _, resource := range []string{
			`data:
  values.yaml: |
    old
  z: 1
`,
			`data:
  values.yaml: "old"
`,
			"data: {values.yaml: old, z: 1}\n",
		} {
			d := mustParse(t, resource)
			edited, err := d.ReplaceScalars(ScalarEdit{Node: Field(d.Root(), "data", "values.yaml"), Text: c.YAML})
			if err != nil {
				t.Errorf("%s: %v", c.Name, err)
				continue
			}
			again := mustParse(t, edited.Text())
			text := Field(again.Root(), "data", "values.yaml")
			if text.Value != c.YAML || Text(Field(again.Root(), "data", "z")) != Text(Field(d.Root(), "data", "z")) {
				t.Errorf("%s: got\n%s", c.Name, edited.Text())
			}
			whole, err := Parse(c.YAML)
			if err != nil || whole.Root() == nil {
				continue
			}
			if literal := strings.HasPrefix(edited.Text(), `data:
  values.yaml: |`); literal && again.InText(text, At(whole.Root())).Line != At(whole.Root()).Line+2 {
				t.Errorf("%s: the text is at %v in\n%s", c.Name, again.InText(text, At(whole.Root())), edited.Text())
			}
		}
	}
}

// TestSuiteCharacters: each character of a scalar that is not escaped stands where it is found.
func TestSuiteCharacters(t *testing.T) {
	found, unknown := 0, 0
	for _, c := range suite(t) {
		d, err := Parse(c.YAML)
		if err != nil || d.Root() == nil {
			continue
		}
		for _, v := range visit(d.Root()) {
			n := v.node
			if n.Kind != yaml.ScalarNode || n.Value == "" {
				continue
			}
			place, inner, lines := d.Embedded(n), NewLines(n.Value), NewLines(c.YAML)
			if _, ok := place(Position{Line: 1, Column: 1}); !ok {
				unknown++
				t.Logf("%s: unknown: %q", c.Name, n.Value)
				continue
			}
			for i, r := range n.Value {
				at, ok := place(inner.Position(i))
				if !ok {
					t.Errorf("%s: %d of %q is unknown", c.Name, i, n.Value)
					break
				}
				rest := c.YAML[lines.Offset(at):]
				if !strings.HasPrefix(rest, string(r)) && !strings.HasPrefix(rest, `\`) && !strings.HasPrefix(strings.TrimLeft(rest, " \t"), "\n") {
					t.Errorf("%s: %q of %q is found at %v", c.Name, r, n.Value, at)
				}
				found++
			}
		}
	}
	if found < 4000 || unknown > 5 {
		t.Errorf("%d characters were found, %d scalars are unknown", found, unknown)
	}
}
