package schema

import (
	"errors"
	"os"
	"path/filepath"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// documentFormats are the formats of the pack constraints document.
var documentFormats = []string{
	"${string}", "${string:/^([a-z0-9].*)$/}", "${number}", "${number:[5000-5005]}", "${number:/^(500[0-5])$/}",
	"${boolean}", "${password}", "${password:/^([a-z0-9].*)$/}", "${list:[PACK,GIT,CHART]}", "${ipv4}", "${version}",
	"${ipv4} - ${ipv4}", `${string}, ${string:/size=\d+/}`,
}

// mustFormat parses a format that the test needs to be right.
func mustFormat(t testing.TB, literal string) *Format {
	t.Helper()
	f, err := ParseFormat(literal)
	if err != nil {
		t.Fatalf("ParseFormat(%q): %v", literal, err)
	}
	return f
}

// partsOf writes the parts of a format one by one, each as it was understood.
func partsOf(f *Format) []string {
	var parts []string
	for i := range f.parts {
		p := &f.parts[i]
		text := p.name
		switch {
		case p.kind == kindText:
			text = "text " + text
		case p.regex != nil:
			text += " " + p.regex.String()
		case p.bounds != nil:
			text += " " + p.bounds.String()
		case p.kind == kindList:
			text += " " + strings.Join(p.texts, "|")
		}
		parts = append(parts, text)
	}
	return parts
}

// A format has a largest length, and a largest number of placeholders.
func TestFormatLimits(t *testing.T) {
	longest, most := "${string}"+strings.Repeat("a", MaxFormatBytes-len("${string}")), strings.Repeat("${string}", MaxPlaceholders)
	for _, literal := range []string{longest, most} {
		if _, err := ParseFormat(literal); err != nil {
			t.Errorf("%d bytes: %v", len(literal), err)
		}
	}
	for literal, want := range map[string]string{
		longest + "a":      `before "a": got="a format of 4097 bytes" want="at most 4096 bytes"`,
		most + "${string}": `before "${string}": got="one more placeholder" want="at most 64 placeholders"`,
	} {
		if _, err := ParseFormat(literal); !strings.Contains(fault(t, literal, err), want) {
			t.Errorf("%d bytes: %v, want %s", len(literal), err, want)
		}
	}
}

// The size of a regex is estimated, so that a huge one is not compiled.
func TestCharacters(t *testing.T) {
	for pattern, want := range map[string]int{"abc": 3, "[a-z].": 2, "a*b?": 2, "(ab){2,3}": 6, "a{5,}": 5, "a{0,}": 1, "(a{10}){20}": 200, "^$": 0} {
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := characters(tree); got != want {
			t.Errorf("%s: got %d, want %d", pattern, got, want)
		}
	}
}

// TestCorpusTemplates parses the schemas of public packs.
func TestCorpusTemplates(t *testing.T) {
	files := functiontest.Corpus(t, "packs/*/schema.yaml")
	templates, unknown := 0, map[string]bool{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var schema map[string]struct {
			Schema string `yaml:"schema"`
		}
		name := filepath.Base(filepath.Dir(file))
		if err := yaml.Unmarshal(content, &schema); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for key, constraint := range schema {
			templates++
			template, err := parseTemplate(constraint.Schema)
			if err != nil {
				t.Errorf("%s: %s: %v", name, key, err)
				continue
			}
			if template.Format == nil {
				continue
			}
			for _, one := range template.Format.unknown() {
				unknown[one] = true
			}
		}
	}
	t.Logf("%d templates of %d packs parsed, unknown types %v", templates, len(files), unknown)
	if templates == 0 {
		t.Error("the corpus has schemas but no templates")
	}
}

func FuzzParseFormat(f *testing.F) {
	for _, literal := range documentFormats {
		f.Add(literal)
	}
	for _, literal := range []string{
		"${string}/${string}:${version}", "${number:[-5--1]}", "${number:[1e5-1e6]}", "${list:[a,b]c]}", "${input:/(/}", `${string:/\/}[/}]/}`, "${", "${string:/(/}${string:/)/}", "${number:[1-1e99999999999]}",
		"${string:/(a{9}){9}/}",
	} {
		f.Add(literal)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		format, err := ParseFormat(literal)
		if err != nil {
			var failure *templateError
			if !errors.As(err, &failure) || failure.Offset < 0 || failure.Offset > len(literal) || failure.Finding.Found == "" || strings.ContainsAny(failure.Error(), "\r\n") {
				t.Fatalf("%q: %#v, want an offset in the format and a reason of one line", literal, err)
			}
			return
		}
		if strings.ContainsAny(format.String(), "\r\n") || format.String() == "" {
			t.Errorf("%q: String is %q, want one line", literal, format)
		}
		// The parts, written as a format again, parse to the same parts.
		var again strings.Builder
		for i := range format.parts {
			p := &format.parts[i]
			switch {
			case p.kind == kindText:
				again.WriteString(p.name)
			case p.regex != nil:
				again.WriteString("${" + p.name + ":/" + p.regex.String() + "/}")
			case p.bounds != nil:
				again.WriteString("${" + p.name + ":" + p.bounds.String() + "}")
			case p.kind == kindList:
				again.WriteString("${" + p.name + ":[" + strings.Join(p.texts, ",") + "]}")
			default:
				again.WriteString("${" + p.name + "}")
			}
		}
		if again.Len() > MaxFormatBytes {
			return
		}
		second, err := ParseFormat(again.String())
		if err != nil {
			t.Fatalf("%q: written again as %q: %v", literal, again.String(), err)
		}
		if diff := cmp.Diff(partsOf(format), partsOf(second)); diff != "" {
			t.Fatalf("%q: written again as %q:\n%s", literal, again.String(), diff)
		}
	})
}

func (n *numberRange) String() string { return "[" + n.low.text + "-" + n.high.text + "]" }
