package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is the data of the HTML template.
type page struct {
	// Summary counts the findings, Coverage is the sentence about what was checked, and Version the
	// version of packfn.
	Summary, Coverage, Version string
	// Skipped are lines about what was not checked, and More the number of other things.
	Skipped []string
	More    int
	// Hash is the hash of the script for the content security policy, which allows no other
	// script.
	Hash string
	// Files are the files with findings, and Rules the rules that they violate.
	Files []pageFile
	Rules []pageRule
}

// pageFile is a section of the page.
type pageFile struct {
	// Name is the path of the file, or `without a file`. Summary counts its findings.
	Name, Summary string
	// Open is true if the file has errors, so its findings are unfolded.
	Open bool
	// Findings are the findings of the file, in the order of their lines.
	Findings []pageFinding
}

// pageFinding is a row of a section.
type pageFinding struct {
	// Place is line and column, Text the resource with the message, and Rule the id of the rule.
	Place, Text, Rule string
	// Severity decides the mark, and whether a filter shows the row.
	Severity diag.Severity
}

// pageRule is a rule with the text that `packfn explain` prints for it.
type pageRule struct{ ID, Meaning string }

// scriptHash returns the hash of the script of a page, as a content security policy has it.
func scriptHash(page string) string {
	_, script, _ := strings.Cut(page, "<script>")
	script, _, _ = strings.Cut(script, "</script>")
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// writeHTML prints a page that requests nothing from anywhere. It can be read without
// scripts; with them its findings can be filtered.
func (r *Report) writeHTML(w io.Writer) error {
	out := page{Summary: r.Summary(), Version: r.Version, Hash: scriptHash(pageText)}
	out.Coverage = r.Coverage()
	out.Skipped, out.More = r.SkippedLines()
	var ids []string
	for _, group := range r.byFile() {
		file := pageFile{Name: cmp.Or(diag.Shown(group.Findings[0].File), "without a file"), Summary: group.Summary(), Open: group.Failed()}
		for i := range group.Findings {
			f := &group.Findings[i]
			file.Findings = append(file.Findings, pageFinding{
				Place: f.place(), Severity: f.Severity, Text: f.subject() + diag.OneLine(f.Message), Rule: diag.Shown(f.Rule),
			})
			ids = append(ids, f.Rule)
		}
		out.Files = append(out.Files, file)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		out.Rules = append(out.Rules, pageRule{ID: diag.Shown(id), Meaning: rule.Of(id).Plain()})
	}
	return pageTemplate.Execute(w, out)
}
