package schema

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// documentTemplates are the templates of the pack constraints document.
var documentTemplates = []string{
	`{{ required }}`,
	`{{ readonly }}`,
	`{{ format "${string}" }}`,
	`{{ format "${string:/^([a-z0-9].*)$/}" }}`,
	`{{ format "${number}" }}`,
	`{{ format "${number:[5000-5005]}" }}`,
	`{{ format "${number:/^(500[0-5])$/}" }}`,
	`{{ format "${boolean}" }}`,
	`{{ format "${password}" }}`,
	`{{ format "${password:/^([a-z0-9].*)$/}" }}`,
	`{{ format "${list:[PACK,GIT,CHART]}" }}`,
	`{{ format "${ipv4}" }}`,
	`{{ required | format "${version}" }}`,
	`{{ hints "description A" "description B" }}`,
	`{{ required | format "${ipv4} - ${ipv4}" | hints "ip pool range"}}`,
	`{{ required | format "${string}, ${string:/size=\d+/}" }}`,
}

// parsed is a template as the tests compare it.
type parsed struct {
	Required, ReadOnly bool
	Format             string // its literal
	Hints              []string
}

func parsedOf(t *Template) parsed {
	p := parsed{Required: t.Required, ReadOnly: t.ReadOnly, Hints: t.Hints}
	if t.Format != nil {
		p.Format = t.Format.source
	}
	return p
}

// Rules V2 and V3.
func TestParseTemplate(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       parsed
	}{
		{"one stage", `{{ required }}`, parsed{Required: true}},
		{"all stages", `{{ required | readonly | format "${string}" | hints "a" }}`, parsed{true, true, "${string}", []string{"a"}}},
		{"another order", `{{ hints "a" | format "${string}" | required }}`, parsed{Required: true, Format: "${string}", Hints: []string{"a"}}},
		{"no blanks", `{{required|format"${string}"|hints"a""b"}}`, parsed{Required: true, Format: "${string}", Hints: []string{"a", "b"}}},
		{"blanks", " \t\n{{\n\trequired\r\n|  hints\n\"a\"\n}} \n", parsed{Required: true, Hints: []string{"a"}}},
		{"trim markers", "{{- required -}}", parsed{Required: true}},
		{"trim markers without blanks", "{{-required-}}", parsed{Required: true}},
		{"hints in one stage", `{{ hints "a" "b" }}`, parsed{Hints: []string{"a", "b"}}},
		{"hints joined by the pipe", `{{ hints "a" | "b" | "c" }}`, parsed{Hints: []string{"a", "b", "c"}}},
		{"hints in both ways", `{{ hints "a" "b" | "c" "d" }}`, parsed{Hints: []string{"a", "b", "c", "d"}}},
		{"hints repeated", `{{ hints "a" | required | hints "b" }}`, parsed{Required: true, Hints: []string{"a", "b"}}},
		{"an empty hint", `{{ hints "" }}`, parsed{Hints: []string{""}}},
		{"a backslash is a backslash", `{{ format "${string:/\d\\\n/}" }}`, parsed{Format: `${string:/\d\\\n/}`}},
		{"an escaped quote", `{{ hints "say \"a\"" }}`, parsed{Hints: []string{`say "a"`}}},
		{"an escaped quote in a format", `{{ format "\"${string:/\"/}\"" }}`, parsed{Format: `"${string:/"/}"`}},
		{"what ends a template is text in a literal", `{{ hints "a | b }} c }" | required }}`, parsed{Required: true, Hints: []string{"a | b }} c }"}}},
		{"braces in a regex", `{{ format "${string:/^a{2,3}}}$/}" }}`, parsed{Format: "${string:/^a{2,3}}}$/}"}},
		{"a line break in a literal", "{{ hints \"a\nb\" }}", parsed{Hints: []string{"a\nb"}}},
		{"not ASCII", `{{ hints "größe \"ß\" 数" | format "${list:[é,数]}" }}`, parsed{Format: "${list:[é,数]}", Hints: []string{`größe "ß" 数`}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := ParseTemplate(tc.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, parsedOf(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseTemplateErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, at, fault string }{
		// `at` is the rest of the text from the offset on.
		{"nothing", ``, ``, `got="the end" want="a template in braces: {{ required }}"`},
		{"blanks only", " \n", ``, `got="the end" want="a template in braces: {{ required }}"`},
		{"no braces", `required`, `required`, `got="\"required\"" want="a template in braces: {{ required }}"`},
		{"one brace", `{ required }`, `{ required }`, `got="\"{\"" want="a template in braces: {{ required }}"`},
		{"empty", `{{ }}`, `}}`, `got="an empty template" want="required, readonly, format \"...\" or hints \"...\""`},
		{"empty with trim markers", `{{- -}}`, `-}}`, `got="an empty template" want="required, readonly, format \"...\" or hints \"...\""`},
		{"empty with one dash", `{{-}}`, `-}}`, `got="an empty template" want="required, readonly, format \"...\" or hints \"...\""`},
		{"not closed", `{{ required`, ``, `got="the end" want="\"|\" before another stage or \"}}\" at the end"`},
		{"closed by one brace", `{{ required }`, `}`, `got="\"}\"" want="\"|\" before another stage or \"}}\" at the end"`},
		{"a typo", `{{ requierd }}`, `requierd }}`, `unknown="stage \"requierd\"" want="required, readonly, format \"...\" or hints \"...\"" near=required`},
		{"a typo in another stage", `{{ required | hint "a" }}`, `hint "a" }}`, `unknown="stage \"hint\"" want="required, readonly, format \"...\" or hints \"...\"" near=hints`},
		{"an unknown stage", `{{ required | default "x" }}`, `default "x" }}`, `unknown="stage \"default\"" want="required, readonly, format \"...\" or hints \"...\""`},
		{"letter case", `{{ Required }}`, `Required }}`, `unknown="stage \"Required\"" want="required, readonly, format \"...\" or hints \"...\"" near=required`},
		{"a field", `{{ .Values.a }}`, `.Values.a }}`, `unknown="stage \".Values.a\"" want="required, readonly, format \"...\" or hints \"...\""`},
		{"no pipe", `{{ required readonly }}`, `readonly }}`, `got="\"readonly\"" want="\"|\" before another stage or \"}}\" at the end"`},
		{"no stage before a pipe", `{{ | required }}`, `| required }}`, `got="\"|\"" want="required, readonly, format \"...\" or hints \"...\""`},
		{"no stage after a pipe", `{{ required | }}`, `}}`, `got="\"}}\"" want="required, readonly, format \"...\" or hints \"...\""`},
		{"two pipes", `{{ required || readonly }}`, `| readonly }}`, `got="\"|\"" want="required, readonly, format \"...\" or hints \"...\""`},
		{"required twice", `{{ required | required }}`, `required }}`, `got="required a second time" want="each stage once"`},
		{"readonly twice", `{{ readonly|readonly}}`, `readonly}}`, `got="readonly a second time" want="each stage once"`},
		{"format twice", `{{ format "${string}" | format "${ipv4}" }}`, `format "${ipv4}" }}`, `got="format a second time" want="each stage once (a format may have several placeholders)"`},
		{"format without a literal", `{{ format }}`, `}}`, `got="\"}}\" after format" want="a literal in double quotes such as \"${string}\""`},
		{"format without quotes", `{{ format ${string} }}`, `${string} }}`, `got="\"${string}\" after format" want="a literal in double quotes such as \"${string}\""`},
		{"format in single quotes", `{{ format '${string}' }}`, `'${string}' }}`, `got="\"'${string}'\" after format" want="a literal in double quotes such as \"${string}\""`},
		{"format with two literals", `{{ format "${string}" "${ipv4}" }}`, `"${ipv4}" }}`, "got=\"`\\\"${ipv4}\\\"`\" want=\"\\\"|\\\" before another stage or \\\"}}\\\" at the end\""},
		{"hints without a literal", `{{ hints | required }}`, `| required }}`, `got="\"|\" after hints" want="a literal in double quotes"`},
		{"a literal first", `{{ "a" }}`, `"a" }}`, `got="a literal without a stage" want="required, readonly, format \"...\" or hints \"...\""`},
		{"a literal after another stage", `{{ hints "a" | required | "b" }}`, `"b" }}`, `got="a literal without a stage" want="required, readonly, format \"...\" or hints \"...\""`},
		{"a literal after format", `{{ format "${string}" | "b" }}`, `"b" }}`, `got="a literal without a stage" want="required, readonly, format \"...\" or hints \"...\""`},
		{"required with a literal", `{{ required "a" }}`, `"a" }}`, "got=\"`\\\"a\\\"`\" want=\"\\\"|\\\" before another stage or \\\"}}\\\" at the end\""},
		{"an open literal", `{{ hints "a }}`, `"a }}`, `got="a literal that is not closed" want="a double quote at its end (\\\" is a quote inside it)"`},
		{"a literal that ends in a backslash", `{{ hints "a\" }}`, `"a\" }}`, `got="a literal that is not closed" want="a double quote at its end (\\\" is a quote inside it)"`},
		{"text after the template", `{{ required }} x`, `x`, `got="\"x\"" want="nothing after \"}}\""`},
		{"two templates", `{{ required }}{{ readonly }}`, `{{ readonly }}`, `got="\"{{\"" want="nothing after \"}}\""`},
		{"three braces", `{{ required }}}`, `}`, `got="\"}\"" want="nothing after \"}}\""`},
		{"a format's error", `{{ required | format "${number:[5-1]}" }}`, `5-1]}" }}`, `got="a range from 5 to 1" want="the smaller number first"`},
		{"a format's error after escapes", `{{ format "\"\d\" ${number:[5-1]}" }}`, `5-1]}" }}`, `got="a range from 5 to 1" want="the smaller number first"`},
		{"a long word is cut", `{{ ` + strings.Repeat("é", 100) + ` }}`, strings.Repeat("é", 100) + ` }}`, `unknown="stage \"éééééééééééééééééééé...\"" want="required, readonly, format \"...\" or hints \"...\""`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := ParseTemplate(tc.text)
			var failure *TemplateError
			if !errors.As(err, &failure) {
				t.Fatalf("got %+v and error %v, want a *TemplateError", got, err)
			}
			if failure.Offset > len(tc.text) || tc.text[failure.Offset:] != tc.at {
				t.Errorf("offset %d, want that of %q", failure.Offset, tc.at)
			}
			if got := strings.TrimSpace(functiontest.Facts([]diag.Finding{failure.Finding})[0]); got != tc.fault {
				t.Errorf("got %s, want %s", got, tc.fault)
			}
		})
	}
}

func TestTemplateErrorText(t *testing.T) {
	_, err := ParseTemplate(`{{ requierd }}`)
	if err == nil || !strings.HasPrefix(err.Error(), "at offset 3: ") {
		t.Errorf("got %v", err)
	}
}

// The templates of the document are valid.
func TestDocumentTemplates(t *testing.T) {
	var formats []string
	for _, text := range documentTemplates {
		template, err := ParseTemplate(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if template.Format == nil {
			continue
		}
		formats = append(formats, template.Format.source)
		if unknown := template.Format.Unknown(); len(unknown) > 0 {
			t.Errorf("%s: unknown %v", text, unknown)
		}
	}
	for _, format := range documentFormats {
		if !slices.Contains(formats, format) {
			t.Errorf("%s is in no template of the document", format)
		}
	}
}

// quotedLiteral writes text as a literal; it cannot end in a backslash nor
// hold one before a quote.
func quotedLiteral(text string) string {
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
}

func FuzzParseTemplate(f *testing.F) {
	for _, text := range documentTemplates {
		f.Add(text)
	}
	for _, text := range []string{
		`{{- required -}}`, `{{ hints "a" | "b" "c\"" | hints "d" }}`, `{{ requierd }}`, `{{ format "${string:/}}|\"/}" }}`, "{{", `{{ format "`,
		`{{ format "${input}" | hints "License UUID from https://license.example.org" }}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		template, err := ParseTemplate(text)
		if err != nil {
			var failure *TemplateError
			if !errors.As(err, &failure) || failure.Offset < 0 || failure.Offset > len(text) || failure.Finding.Found == "" || strings.ContainsAny(failure.Error(), "\r\n") {
				t.Fatalf("%q: %#v, want an offset in the text and a reason of one line", text, err)
			}
			return
		}
		// What was parsed, written as a template again, parses to the same.
		var stages []string
		if template.Required {
			stages = append(stages, "required")
		}
		if template.ReadOnly {
			stages = append(stages, "readonly")
		}
		if template.Format != nil {
			stages = append(stages, "format "+quotedLiteral(template.Format.source))
		}
		for _, hint := range template.Hints {
			stages = append(stages, "hints "+quotedLiteral(hint))
		}
		again := "{{ " + strings.Join(stages, " | ") + " }}"
		second, err := ParseTemplate(again)
		if err != nil {
			t.Fatalf("%q: written again as %q: %v", text, again, err)
		}
		if diff := cmp.Diff(parsedOf(template), parsedOf(second)); diff != "" {
			t.Fatalf("%q: written again as %q:\n%s", text, again, diff)
		}
	})
}
