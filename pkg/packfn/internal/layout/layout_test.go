package layout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// A pack that no reader takes as one resource is an error that says so, and which limit it is.
func TestTooLargeForAResource(t *testing.T) {
	_, err := Print("pack large", func(yaml.Style) (*yaml.Node, error) {
		return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
			{Kind: yaml.ScalarNode, Value: "a"}, {Kind: yaml.ScalarNode, Value: strings.Repeat("x", values.MaxBytes)},
		}}, nil
	})
	if err == nil || !strings.HasPrefix(err.Error(), "the pack large is too large to be stored as one resource: ") || !strings.HasSuffix(err.Error(), "; make its files smaller") {
		t.Errorf("got %v", err)
	}
}

// The copy in block style shares no node with what it is a copy of, whose places are needed.
func TestBlockCopies(t *testing.T) {
	d, err := values.Parse(`{"a": [{"b": "x"}], "c": 1}`)
	if err != nil {
		t.Fatal(err)
	}
	before := Clone(d.Root())
	Block(d.Root())
	if diff := cmp.Diff(before, d.Root(), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(yaml.Node{}, "Alias")); diff != "" {
		t.Errorf("-before +after:\n%s", diff)
	}
}

// JSON has the numbers that YAML writes as JSON does, and the content of all others.
func TestJSONText(t *testing.T) {
	for text, want := range map[string]string{
		"a": `"a"`, "'1'": `"1"`, "1.50": "1.50", "-0": "-0", "1e3": "1e3", "0x10": "16", "010": "8", "+1": "1", ".5": "0.5", "true": "true", "yes": `"yes"`, "~": "null", "": "null",
		"2001-01-01": `"2001-01-01"`, "[]": "[]", "{}": "{}", "{b: 1, a: [x, {c: '<&>'}], 1: 2, k: ''}": `{"b":1,"a":["x",{"c":"<&>"}],"1":2,"k":""}`,
		"[[1, 2], [3]]": "[[1,2],[3]]", "{a: &x [1], b: *x}": `{"a":[1],"b":[1]}`,
	} {
		document, err := values.Parse("v: " + text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := JSON(values.Field(document.Root(), "v"))
		if err != nil || strings.NewReplacer("\n", "", "  ", "", ": ", ":").Replace(string(got)) != want || !strings.HasSuffix(string(got), "\n") {
			t.Errorf("%s: got %q, want %q, %v", text, got, want, err)
		}
	}
	for _, text := range []string{".inf", "[.nan]", "{a: !!int x}"} {
		document, err := values.Parse("v: " + text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := JSON(values.Field(document.Root(), "v")); err == nil {
			t.Errorf("%s: got %q", text, got)
		}
	}
}
