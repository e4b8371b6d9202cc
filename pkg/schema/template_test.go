package schema

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// The templates of the document are valid.
func TestDocumentTemplates(t *testing.T) {
	var formats []string
	for _, text := range documentTemplates {
		template, err := parseTemplate(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if template.Format == nil {
			continue
		}
		formats = append(formats, template.Format.source)
		if unknown := template.Format.unknown(); len(unknown) > 0 {
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
		template, err := parseTemplate(text)
		if err != nil {
			var failure *templateError
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
		second, err := parseTemplate(again)
		if err != nil {
			t.Fatalf("%q: written again as %q: %v", text, again, err)
		}
		if diff := cmp.Diff(parsedOf(template), parsedOf(second)); diff != "" {
			t.Fatalf("%q: written again as %q:\n%s", text, again, diff)
		}
	})
}
