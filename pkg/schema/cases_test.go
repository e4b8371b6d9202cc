package schema

import (
	"cmp"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/placeholder"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// A case has schema.yaml, values.yaml of the pack if it has values, layers override-N.yaml and preset-N.yaml. The
// outcome is what a check finds.
func TestChecks(t *testing.T) {
	cases.Table(t, "checks/*", func(t *testing.T, c *cases.Case) string {
		return told(parseSchema(t, c.Text("schema.yaml")).Check(valuesOf(t, c)))
	})
}

// Cases have the files of TestChecks. The outcome is a list of the probable mistakes in the overrides.
func TestOverrides(t *testing.T) {
	cases.Table(t, "overrides/*", func(t *testing.T, c *cases.Case) string {
		var findings []diag.Finding
		newChecker(parseSchema(t, c.Text("schema.yaml")), valuesOf(t, c), func(f diag.Finding) { findings = append(findings, f) }).overrides()
		return told(findings)
	})
}

// Cases have the files of TestChecks. The outcome is a list of the unknown keys.
func TestUnknownKeys(t *testing.T) {
	cases.Table(t, "unknown-keys", func(t *testing.T, c *cases.Case) string {
		return told(unknown(parseSchema(t, c.Text("schema.yaml")), valuesOf(t, c)))
	})
}

// unknown returns the unknown keys of v.
func unknown(s *Schema, v Values) (findings []diag.Finding) {
	c := newChecker(s, v, func(f diag.Finding) { findings = append(findings, f) })
	c.unknown = true
	c.overrides()
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return f.Rule != rule.ValuesUnknownKey })
}

// valuesOf returns the values of a case.
func valuesOf(t *testing.T, c *cases.Case) Values {
	t.Helper()
	texts := layers{none}
	if c.Has("values.yaml") {
		texts[0] = c.Text("values.yaml")
	}
	for i := 1; c.Has(fmt.Sprintf("override-%d.yaml", i)); i++ {
		texts = append(texts, c.Text(fmt.Sprintf("override-%d.yaml", i)))
	}
	var presets []string
	for i := 1; c.Has(fmt.Sprintf("preset-%d.yaml", i)); i++ {
		presets = append(presets, c.Text(fmt.Sprintf("preset-%d.yaml", i)))
	}
	return layered(t, texts, presets...)
}

// told prints the facts and messages of findings, with the advice that a message leaves out.
func told(findings []diag.Finding) string {
	var b strings.Builder
	for i, facts := range functiontest.Facts(findings) {
		f := findings[i]
		fmt.Fprintf(&b, "%s: %s\n", strings.TrimSpace(facts), f.Message())
		if f.Action != "" && !strings.Contains(strings.ToLower(f.Message()), strings.ToLower(f.Action)) {
			fmt.Fprintf(&b, "  action: %s\n", f.Action)
		}
	}
	return b.String()
}

// A case is a schema. The outcome is the keys of its entries, and its faults.
func TestSchemas(t *testing.T) {
	cases.Table(t, "schemas", func(t *testing.T, c *cases.Case) string {
		s, findings := Parse(parseText(t, c.Text("schema.yaml")).From(origin("schema")))
		var keys []string
		for _, e := range s.Entries {
			keys = append(keys, e.Key)
		}
		return "entries: " + cmp.Or(strings.Join(keys, " "), "none") + "\n" + told(findings)
	})
}

// textsOf returns the texts of a case: one in a file, or one in each line of a file that is written as in Go.
func textsOf(t *testing.T, c *cases.Case, file string) []string {
	t.Helper()
	var texts []string
	if c.Has(file) {
		texts = append(texts, strings.TrimSuffix(c.Text(file), "\n"))
	}
	for line := range strings.Lines(c.Text("quoted")) {
		text, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		texts = append(texts, text)
	}
	return texts
}

// fault prints why a text was not parsed, and the rest of the text from the place of the fault on.
func fault(t *testing.T, text string, err error) string {
	t.Helper()
	var failure *templateError
	if !errors.As(err, &failure) || failure.Offset > len(text) {
		t.Fatalf("%q: got %#v, want a *templateError", text, err)
	}
	facts := strings.TrimSpace(functiontest.Facts([]diag.Finding{failure.Finding})[0])
	return fmt.Sprintf("%v\n  before %q: %s\n", err, text[failure.Offset:], facts)
}

// A case is a template. The outcome is how it is understood, or its fault.
func TestTemplates(t *testing.T) {
	cases.Table(t, "templates", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, text := range textsOf(t, c, "template") {
			template, err := parseTemplate(text)
			if err != nil {
				b.WriteString(fault(t, text, err))
				continue
			}
			p := parsedOf(template)
			fmt.Fprintf(&b, "required: %t, read-only: %t", p.Required, p.ReadOnly)
			if template.Format != nil {
				fmt.Fprintf(&b, ", format: %q", p.Format)
			}
			for _, hint := range p.Hints {
				fmt.Fprintf(&b, ", hint: %q", hint)
			}
			fmt.Fprintln(&b)
		}
		return b.String()
	})
}

// A case is a format, with values: a value in quotes is a string, and another one what YAML reads as
// something else. The outcome is the format in words and its parts, or its fault, and what is wrong with each value.
func TestFormats(t *testing.T) {
	cases.Table(t, "formats/*", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, literal := range textsOf(t, c, "format") {
			f, err := ParseFormat(literal)
			if err != nil {
				b.WriteString(fault(t, literal, err))
				continue
			}
			fmt.Fprintf(&b, `%s
  parts: %q
`, f, partsOf(f))
			if unknown := f.unknown(); unknown != nil {
				fmt.Fprintf(&b, "  unknown: %s\n", strings.Join(unknown, ", "))
			}
			if f.Secret() {
				fmt.Fprintln(&b, "  a secret")
			}
			for line := range strings.Lines(c.Text("values")) {
				line = strings.TrimSuffix(line, "\n")
				v := plainScalar(line)
				if text, err := strconv.Unquote(line); err == nil && strings.HasPrefix(line, `"`) {
					v = textScalar(text)
				}
				outcome := "fits"
				if mismatch := f.Match(v); mismatch != nil {
					outcome = strings.TrimSpace(told([]diag.Finding{*mismatch}))
				}
				fmt.Fprintf(&b, "%s: %s\n", line, outcome)
			}
		}
		return b.String()
	})
}

// A case is a schema with the values of a pack, or formats or regexes, one in a line. The outcome is their JSON Schemas.
func TestJSON(t *testing.T) {
	known := []string{}
	for name, text := range map[string]string{"NUMBER": numberText, "BOOLEAN": booleanText, "IPV4": ipv4Text, "VERSION": versionText} {
		quoted := printed(JSON{"": text})
		known = append(known, quoted[len(`{"":"`):len(quoted)-len(`"}`)], name)
	}
	names := strings.NewReplacer(known...)
	cases.Table(t, "json", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for line := range strings.Lines(c.Text("formats")) {
			line = strings.TrimSpace(line)
			fmt.Fprintf(&b, "%s: %s\n", line, printed(mustFormat(t, line).jsonSchema()))
		}
		for line := range strings.Lines(c.Text("regexes")) {
			line = strings.TrimSuffix(line, "\n")
			tree, err := syntax.Parse(line, syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := portable(tree)
			if !ok {
				got = "nothing"
			}
			fmt.Fprintf(&b, "%s: %s\n", line, got)
		}
		if c.Has("schema.yaml") {
			j := JSON{}
			parseSchema(t, c.Text("schema.yaml")).AddJSON(j, parseText(t, c.Text("values.yaml")))
			b.WriteString(printed(j))
		}
		return names.Replace(b.String())
	})
}

// A case has values of a pack and an override that replaces them. The outcome is what it drops.
func TestDrops(t *testing.T) {
	cases.Table(t, "drops", func(t *testing.T, c *cases.Case) string {
		parse := func(name string) *values.Document { return parseText(t, c.Text(name)) }
		var found []diag.Finding
		override := &pack.Override{Values: pack.File("values.yaml", "")}
		drops(parse("values.yaml").Root(), parse("override-1.yaml").Root(), override, func(f diag.Finding) { found = append(found, f) })
		return told(found)
	})
}

// A case has a key, the schema of that key if there is one, and values. The outcome is which of them are shown.
func TestPublic(t *testing.T) {
	cases.Table(t, "public", func(t *testing.T, c *cases.Case) string {
		var entry *Entry
		if s := parseSchema(t, c.Text("schema.yaml")); len(s.Entries) > 0 {
			entry = &s.Entries[0]
		}
		var b strings.Builder
		for line := range strings.Lines(c.Text("values")) {
			line = strings.TrimSuffix(line, "\n")
			if IsPublic(strings.TrimSpace(c.Text("key")), values.Field(parseText(t, "a: "+line).Root(), "a"), entry) {
				fmt.Fprintf(&b, "%s: shown\n", line)
			} else {
				fmt.Fprintf(&b, "%s: hidden\n", line)
			}
		}
		return b.String()
	})
}

// A case has texts. The outcome is which of them are placeholders.
func TestPlaceholders(t *testing.T) {
	cases.Table(t, "placeholders", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, text := range textsOf(t, c, "text") {
			fmt.Fprintf(&b, "%q: %t\n", text, placeholder.Is(text))
		}
		return b.String()
	})
}

// A case has resources. The outcome is what the function says, with the places in resources.
func TestMessages(t *testing.T) {
	cases.Table(t, "messages", func(t *testing.T, c *cases.Case) string {
		_, outcome := functiontest.Evaluate(t, Function(), functiontest.List("", c.Text("resources.yaml")))
		var b strings.Builder
		for i, message := range functiontest.Messages(outcome) {
			fmt.Fprintf(&b, "%s: %s\n", outcome.Findings[i].Position, message)
		}
		return b.String()
	})
}
