package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// printed returns a JSON Schema as text, as people read it.
func printed(j JSON) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(j); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// refuses reports whether a JSON Schema refuses a value.
func refuses(t rapid.TB, j JSON, n *yaml.Node) bool {
	t.Helper()
	compiled, err := jsonschema.Parse(printed(j))
	if err != nil {
		t.Fatalf("%v: %s", err, printed(j))
	}
	found, err := compiled.Validate(n, 10)
	if err != nil {
		t.Fatal(err)
	}
	return len(found) > 0
}

// formats are those that a JSON Schema says but for the notations of plain numbers and
// booleans.
var formats = []string{
	"${string}", "${password}", "${number}", "${number:[-2.5-1e2]}", "${boolean}", "${list:[Delete,Retain]}",
	"${list:[1,2.50,true,v1,null]}", "${ipv4}", "${version}", `${string:/^[a-c]+$/}`, `${string:/\d\.(?i)k/}`,
}

// Values of each kind, right and wrong, and what comes of changing them.
var samples = []string{
	"", "5", "-2.5", "100", "100.5", "1e2", ".5", "5.", "+3", "1e400", "true", "false", "True", "no", "null", "~", "Delete", "delete", "Retain ", "v1", "2.50", "2.5",
	"10.0.0.1", "10.0.0.256", "10.0.0.01", "10.0.0.1/8", "1.2.3", "1.2.3-rc.1+b", "01.2.3", "1.2", "v1.2.3", "1.2.3-", "abc", "abcd", "1.k", "1.K", "1.K", "hunter2",
	"2020-01-01", "{{ .spectro.var.X }}", "{{ other }}", "a\nb", "0x10", "é", " 5", "5 ", "[]", "[1]", "{}", "{a: 1}",
}

func drawValue(r *rapid.T) *yaml.Node {
	text := rapid.SampledFrom(samples).Draw(r, "sample")
	if rapid.Bool().Draw(r, "changed") && len(text) > 0 {
		at := rapid.IntRange(0, len(text)).Draw(r, "at")
		text = strings.ToValidUTF8(text[:at]+rapid.StringOfN(rapid.RuneFrom([]rune("0123456789.-+eEa{}/é ")), 0, 3, -1).Draw(r, "insert")+text[at:], "")
	}
	if !rapid.Bool().Draw(r, "quoted") {
		if d, err := values.Parse("a: " + text + "\n"); err == nil {
			return values.Field(d.Root(), "a")
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle}
}

// isNotation reports a plain number or boolean that formats refuse for its notation alone, or
// whose octal notation YAML 1.2 reads as decimal.
func isNotation(n *yaml.Node) bool {
	switch n.ShortTag() {
	case "!!bool":
		return n.Value != "true" && n.Value != "false"
	case "!!int", "!!float":
		return !isNumber(n.Value) || values.HasLeadingZero(n)
	}
	return false
}

// The JSON Schema of a format refuses what the rule values/format refuses, and nothing else.
func TestFormatJSONAgrees(t *testing.T) {
	made := map[string]*Schema{}
	for _, format := range formats {
		text, _ := json.Marshal(fmt.Sprintf(`{{ format "%s" }}`, format))
		made[format] = parseSchema(t, `a:
  schema: `+string(text)+"\n")
	}
	check := func(t rapid.TB, format string, n *yaml.Node) {
		j, s := JSON{}, made[format]
		d := values.Of(&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: "a"}, n}})
		s.AddJSON(j, d)
		findings := s.Check(Values{Tree: values.Merge(values.Layer{Document: d}), Layers: []*values.Document{d}, Own: d})
		isFault := slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Rule == rule.ValuesFormat })
		text, _ := values.JSON(n)
		switch isRefused := refuses(t, j, d.Root()); {
		case isRefused && !isFault:
			t.Errorf("%s: the JSON Schema rejects %s (%s), and the rules do not: %s", format, text, n.ShortTag(), printed(j))
		case isFault && !isRefused && !isOpen(format, n):
			t.Errorf("%s: the JSON Schema accepts %s (%s), and the rules do not: %s", format, text, n.ShortTag(), printed(j))
		}
	}
	for _, format := range formats {
		for _, sample := range samples {
			nodes := []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: sample}}
			if d, err := values.Parse("a: " + sample + "\n"); err == nil {
				nodes = append(nodes, values.Field(d.Root(), "a"))
			}
			for _, n := range nodes {
				if !isNotation(n) {
					check(t, format, n)
				}
			}
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		if n := drawValue(r); !isNotation(n) {
			check(r, rapid.SampledFrom(formats).Draw(r, "format"), n)
		}
	})
}

// isOpen reports what a JSON Schema cannot say: whether a text is a macro, whether the number
// in a text is in a range, and how the number of an option is written.
func isOpen(format string, n *yaml.Node) bool {
	isText := n.ShortTag() == "!!str"
	return strings.Contains(n.Value, ".spectro.") || strings.Contains(format, "number:[") && isText || strings.Contains(format, "2.50") && !isText
}

// What the JSON Schema of a whole schema refuses in values, the rules refuse, too.
func TestAddJSONRefusesLess(t *testing.T) {
	refused := 0
	property := func(r *rapid.T) {
		var text strings.Builder
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "a.b", "b.c", "b.$[]", "c.$[].d", "c.$[].e.f", "d.e", "d"}), 1, 4, rapid.ID).Draw(r, "keys") {
			var stages []string
			if rapid.Bool().Draw(r, "required") {
				stages = append(stages, "required")
			}
			if len(stages) == 0 || rapid.Bool().Draw(r, "formatted") {
				stages = append(stages, fmt.Sprintf("format %q", rapid.SampledFrom(append([]string{"${input}", "v${number}"}, formats[:9]...)).Draw(r, "format")))
			}
			if rapid.IntRange(0, 3).Draw(r, "readonly") == 0 {
				stages = append(stages, "readonly")
			}
			fmt.Fprintf(&text, "%s: {schema: '{{ %s }}'}\n", key, strings.Join(stages, " | "))
		}
		s, _ := Parse(values.Of(mustParse(text.String())))
		own, user := values.Of(drawTree(r, 0)).From(origin("own")), values.Of(drawTree(r, 0)).From(origin("user"))
		j := JSON{}
		s.AddJSON(j, own)
		for _, layer := range []*values.Document{own, user} {
			if !refuses(r, j, layer.Root()) {
				continue
			}
			refused++
			// A bare values.yaml takes the place of the pack's own values.
			findings := s.Check(Values{Tree: values.Merge(values.Layer{Document: layer}), Layers: []*values.Document{layer, layer}, Own: own})
			if !slices.ContainsFunc(findings, func(f diag.Finding) bool {
				return slices.Contains([]string{"values/required", "values/format", "values/readonly"}, f.Rule.ID)
			}) {
				text, _ := values.JSON(layer.Root())
				r.Fatalf("%s\nrefuses %s\n%s\n%v", text, text, printed(j), findings)
			}
		}
	}
	rapid.Check(t, property)
	if refused == 0 {
		t.Error("no JSON Schema refused anything")
	}
}

func mustParse(text string) *yaml.Node {
	d, err := values.Parse(text)
	if err != nil {
		panic(err)
	}
	return d.Root()
}

// drawTree draws values, without keys with dots and plain numbers in other notations.
func drawTree(r *rapid.T, depth int) *yaml.Node {
	kind := rapid.IntRange(0, 3).Draw(r, "kind")
	switch {
	case depth == 0 || kind == 0 && depth < 4:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}), 0, 4, rapid.ID).Draw(r, "keys") {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, drawTree(r, depth+1))
		}
		return n
	case kind == 1 && depth < 4:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for range rapid.IntRange(0, 2).Draw(r, "elements") {
			n.Content = append(n.Content, drawTree(r, depth+1))
		}
		return n
	}
	n := drawValue(r)
	if isNotation(n) {
		n.Tag = "!!str"
	}
	return n
}

func TestLargestPortable(t *testing.T) {
	tree, err := syntax.Parse(strings.Repeat("a", maxPortable+1)+"b|c", syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := portable(tree); ok {
		t.Errorf("got %s, want nothing", got)
	}
}

// A portable pattern matches what the regex matches.
func TestPortableMatches(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "b", "k", "é", "0", "-", " ", `\.`, ".", "^", "$", "|", "(", ")", "(?:", "(?i:", "(?s:", "*", "+", "?", "{1,2}", "[a-c]", "[^a]", `\d`, `\W`, `\s`, `\b`, "[[:upper:]]", `\n`,
		}), 1, 8).Draw(r, "parts")
		tree, err := syntax.Parse(strings.Join(parts, ""), syntax.Perl)
		if err != nil {
			r.Skip()
		}
		pattern, ok := portable(tree)
		if !ok {
			r.Fatalf("%s is not portable", strings.Join(parts, ""))
		}
		got, err := regexp.Compile(pattern)
		if err != nil {
			r.Fatalf("%s: %v", strings.Join(parts, ""), err)
		}
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abkKAé0-. \n\u212a\U0001F600")), 0, 6, -1).Draw(r, "text")
		if want := regexp.MustCompile(strings.Join(parts, "")).MatchString(text); got.MatchString(text) != want {
			r.Fatalf("%s as %s: %q: got %t", strings.Join(parts, ""), pattern, text, !want)
		}
	})
}
