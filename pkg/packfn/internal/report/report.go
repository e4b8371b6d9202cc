// Package report prints findings, with their places in files, for people and for
// other programs.
//
// Messages hold no values that may be secrets. Records hold no lines of files: the table shows them
// at a terminal only, without what may be a secret.
//
// # The way of a finding
//
// A function returns a [diag.Finding], which has a resource and a path. [Of] makes a [Finding] of it,
// and [Finding.Locate] adds the file, the line and the edits, from a [Subject] that knows the file of
// the resource. Then, for all findings of a report:
//
//	Tie → WithoutRepeated → Report.Finish → Report.Write
//
// [Tie] notes which findings follow from which mistake. [WithoutRepeated] leaves one of several
// findings about the same mistake. [Report.Finish] sorts, gives each finding its fingerprint, and sets
// consequences aside. [Report.Write] prints one of the [Formats].
//
// The fingerprint is a hash of rule, file, resource, field and key, with a counter for findings that
// have all of them in common: `0f3c…:1`. It holds neither line nor message, so a baseline still knows
// a finding after the file was edited.
package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/krm-packs/functions/pkg/diag"
)

// Finding is a finding with its place.
type Finding struct {
	// Rule is the id of the rule.
	Rule string `json:"rule" required:"true"`
	// Severity is the severity of the finding. An error fails the run.
	Severity diag.Severity `json:"severity" required:"true" enum:"error,warning,info"`
	// Message is one line.
	Message string `json:"message" required:"true"`
	// Function is the name of the function that reported the finding.
	Function string `json:"function,omitempty"`
	Location
	Target
	// Current is the value found; absent for anything that may be a secret.
	Current any `json:"currentValue,omitempty"`
	// Proposed is the value that fixes it; absent when that is not certain.
	Proposed any `json:"proposedValue,omitempty"`
	// Tags are additional data that the rule defines.
	Tags map[string]string `json:"tags,omitempty"`
	// Accepted is true if the owner of the resource accepts the finding.
	Accepted bool `json:"accepted,omitempty"`
	// Related are other locations that the finding is about, such as the placeholder in a package
	// for a value that comes from the cluster.
	Related []Place `json:"related,omitempty"`
	// Fingerprint identifies the finding across runs, even if its line moves.
	Fingerprint string `json:"fingerprint" required:"true"`
	// ConsequenceOf is the fingerprint of the error that this finding only follows from. Reports for
	// people leave it out until that error is corrected, accepted or known, and no report counts it.
	ConsequenceOf string `json:"consequenceOf,omitempty"`

	Unrecorded
}

// Location is the place of a finding in a file.
type Location struct {
	// File is the path of the file, with slashes, relative to the root of the git repository or
	// else to the working directory. It is "" if the finding is not about a file.
	File string `json:"file,omitempty"`
	// Line is the line number, starting at 1. It is 0 if the line is unknown.
	Line int `json:"line,omitempty"`
	// Column is the column in characters, starting at 1. It is 0 if the column is unknown.
	Column int `json:"column,omitempty"`
	// Path is the file on disk.
	Path string `json:"-"`
}

// Target is the part of a file that a finding is about.
type Target struct {
	// Resource is the resource at fault.
	Resource *Resource `json:"resource,omitempty"`
	// Field is the path of the field in the resource.
	Field string `json:"field,omitempty"`
	// Key is the path in the document that is embedded in the field.
	Key string `json:"key,omitempty"`
	// Pack is the name of the pack that the finding is about.
	Pack string `json:"pack,omitempty"`
}

// Unrecorded is what a report in the format json does not have of a finding.
type Unrecorded struct {
	// Own is the message for the owner of the file at a terminal, or "" if it is the same as the
	// message for records.
	Own string `json:"-"`
	// Reported is the finding as the function reported it, or nil for findings that were read from a
	// file.
	Reported *diag.Finding `json:"-"`
	// Edits correct the fault, see [Finding.Fix]. Their positions are positions in the file.
	Edits []diag.Edit `json:"-"`
	// Near is a location to show for a finding without a file, because SARIF requires one.
	Near Place `json:"-"`
	// Mistake identifies a mistake that other functions may also report at the location, see
	// [WithoutRepeated].
	Mistake string `json:"-"`
	// Cause is the identity of the mistake that the finding only follows from, see [Tie].
	Cause string `json:"-"`
}

// Place is a place in a file.
type Place struct {
	// File, Line and Column are as in a finding.
	File   string `json:"file" required:"true"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Message describes the location.
	Message string `json:"message,omitempty"`
}

// Resource identifies a resource.
type Resource struct {
	// APIVersion is the group and version, such as `packs.kpt.dev/v1alpha1`.
	APIVersion string `json:"apiVersion,omitempty"`
	// Kind is the kind, such as `Pack`.
	Kind string `json:"kind,omitempty"`
	// Namespace is metadata.namespace, if the resource has one.
	Namespace string `json:"namespace,omitempty"`
	// Name is metadata.name.
	Name string `json:"name,omitempty"`
}

// String names the resource for a message: `ConfigMap vault`.
func (r *Resource) String() string {
	if r == nil {
		return ""
	}
	return diag.Resource{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}.String()
}

// Case is a resource that a function checked.
type Case struct {
	// Function is the name of the function.
	Function string
	// File is the file of the resource, as reports show it.
	File string
	// Resource identifies the resource.
	Resource Resource
}

// Report is the result of a run.
type Report struct {
	// Version is the version of packfn.
	Version string
	// Given is the file that the user named, as the location of findings without a file and
	// without Near.
	Given Place
	// Findings are in the order in which users fix them.
	Findings []Finding
	// Consequences are the findings that only follow from an error among Findings. They are set
	// by Finish.
	Consequences []Finding
	Extent
	Display
	// Mutated is true if mutators ran before the checks.
	Mutated bool
	// Stopped is true if the errors of a mutator stopped a pipeline, so later functions did not
	// run.
	Stopped bool
}

// Display is how the table shows a report.
type Display struct {
	// Color allows colors in the table.
	Color bool
	// Width is the number of columns of the terminal that shows the table, or 0 if there is no
	// terminal.
	Width int
	// Least is the lowest severity of the findings that the table shows. "" shows all findings.
	Least diag.Severity
	// Next are the last lines of the table, which suggest next steps.
	Next []string
	// Audience is the audience of the table.
	Audience diag.Audience
	// Took is the duration of the run, or 0 if it is unknown.
	Took time.Duration
}

// Format is an output format of a report.
type Format string

// The formats.
const (
	Table    Format = "table"
	GitHub   Format = "github"
	SARIF    Format = "sarif"
	JUnit    Format = "junit"
	JSON     Format = "json"
	Markdown Format = "markdown"
	HTML     Format = "html"
)

// Formats are the names of all formats.
var Formats = []string{string(Table), string(GitHub), string(SARIF), string(JUnit), string(JSON), string(Markdown), string(HTML)}

// Write prints the report in a format.
func (r *Report) Write(w io.Writer, format Format) error {
	switch format {
	case Table:
		return r.writeTable(w)
	case GitHub:
		return r.writeGitHub(w)
	case SARIF:
		return r.writeSARIF(w)
	case JUnit:
		return r.writeJUnit(w)
	case JSON:
		return r.writeJSON(w)
	case Markdown:
		return r.writeMarkdown(w)
	case HTML:
		return r.writeHTML(w)
	}
	f := diag.GotName(string(format), Formats)
	return fmt.Errorf("--format: %s", f.Message())
}

// Failed reports whether there is a finding of severity error.
func (r *Report) Failed() bool { return r.Has(diag.Error) }

// Has reports whether there is a finding of a severity.
func (r *Report) Has(severity diag.Severity) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity == severity })
}

// Finish sorts the findings, removes repeated ones, gives each its fingerprint, and splits off those that
// only follow from others.
func (r *Report) Finish() {
	slices.SortStableFunc(r.Findings, compare)
	r.Findings = slices.CompactFunc(r.Findings, func(a, b Finding) bool { return compare(a, b) == 0 })
	count := map[string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		name := strings.Join([]string{f.Rule, f.File, f.Resource.String(), f.Field, f.Key}, "\x00")
		count[name]++
		sum := sha256.Sum256([]byte(name))
		f.Fingerprint = fmt.Sprintf("%s:%d", hex.EncodeToString(sum[:16]), count[name])
	}
	r.split()
	r.sortSkipped()
}

// compare orders findings by file and place, and those without a file first.
func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Resource.String(), b.Resource.String()),
		diag.ComparePaths(a.Field, b.Field),
		diag.ComparePaths(a.Key, b.Key),
		cmp.Compare(a.Field, b.Field),
		cmp.Compare(a.Key, b.Key),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Pack, b.Pack),
	)
}

// where names the location: `vault.yaml:192:11`.
func (l *Location) where() string {
	if place := l.place(); place != "" {
		return l.File + ":" + place
	}
	return l.File
}

// place returns the line and column, such as `192:11`, or "" if they are unknown.
func (l *Location) place() string {
	if l.Line == 0 {
		return ""
	}
	place := strconv.Itoa(l.Line)
	if l.Column > 0 {
		place += ":" + strconv.Itoa(l.Column)
	}
	return place
}

// byFile returns a report for each file: its findings, in their order. Findings
// without a file come first, then the files with errors.
func (r *Report) byFile() []Report {
	var files []Report
	for start := 0; start < len(r.Findings); {
		end := start
		for end < len(r.Findings) && r.Findings[end].File == r.Findings[start].File {
			end++
		}
		files = append(files, Report{Findings: r.Findings[start:end]})
		start = end
	}
	weight := func(r Report) int {
		switch {
		case r.Findings[0].File == "":
			return 0
		case r.Failed():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(files, func(a, b Report) int { return weight(a) - weight(b) })
	return files
}

// severities are in the order of their weight.
var severities = []diag.Severity{diag.Error, diag.Warning, diag.Info}

// Totals returns the number of the findings of each severity.
func (r *Report) Totals() map[diag.Severity]int {
	counts := map[diag.Severity]int{}
	for _, f := range r.Findings {
		counts[f.Severity]++
	}
	return counts
}

// Summary counts the findings: `2 errors, 1 warning, 0 notes`.
func (r *Report) Summary() string {
	counts := r.Totals()
	return fmt.Sprintf("%s, %s, %s", diag.Count(counts[diag.Error], "error"), diag.Count(counts[diag.Warning], "warning"), diag.Count(counts[diag.Info], "note"))
}
