package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// Checked counts what checks have judged.
type Checked struct {
	// Packs are the packs that were read.
	Packs int `json:"packs,omitempty"`
	// Overrides are the PackValues and other overrides of packs.
	Overrides int `json:"overrides,omitempty"`
	// Clusters are the ClusterContexts.
	Clusters int `json:"clusters,omitempty"`
	// Bundles are bundles of OLM.
	Bundles int `json:"bundles,omitempty"`
	// Sets and Variants are PackageVariantSets and PackageVariants.
	Sets     int `json:"sets,omitempty"`
	Variants int `json:"variants,omitempty"`
	// Policies are policies of Capact.
	Policies int `json:"policies,omitempty"`
	// Charts are the packs whose charts were at hand.
	Charts int `json:"charts,omitempty"`
	// Releases are the Helm releases whose charts were at hand.
	Releases int `json:"releases,omitempty"`
	// Resources are resources of other kinds, such as the targets of a ValidatePackValues.
	Resources int `json:"resources,omitempty"`
}

// Add adds other counts.
func (c *Checked) Add(other Checked) {
	c.Packs += other.Packs
	c.Overrides += other.Overrides
	c.Clusters += other.Clusters
	c.Bundles += other.Bundles
	c.Sets += other.Sets
	c.Variants += other.Variants
	c.Policies += other.Policies
	c.Charts += other.Charts
	c.Releases += other.Releases
	c.Resources += other.Resources
}

// String returns the counts for people, such as `3 packs, 2 overrides and 1 cluster`, or "" if all are 0.
func (c Checked) String() string {
	var parts []string
	for _, part := range []struct {
		n    int
		noun string
	}{
		{c.Packs, "pack"}, {c.Overrides, "override"}, {c.Clusters, "cluster"}, {c.Bundles, "bundle"}, {c.Sets, "set"},
		{c.Variants, "variant"}, {c.Policies, "policy"}, {c.Charts, "chart"}, {c.Releases, "release"}, {c.Resources, "resource"},
	} {
		switch {
		case part.n > 1 && part.noun == "policy":
			parts = append(parts, fmt.Sprintf("%d policies", part.n))
		case part.n > 0:
			parts = append(parts, diag.Count(part.n, part.noun))
		}
	}
	return diag.AllOf(parts)
}

// Unit is a package, a pack directory, or files that are checked together.
type Unit struct {
	// Path is the package, the directory or the file.
	Path string `json:"path" required:"true"`
	// Checked counts what was judged in the unit.
	Checked Checked `json:"checked" required:"true"`
}

// Reason is the reason why something was not checked.
type Reason string

// The reasons.
const (
	// OtherFunction: a function did not run here, so what comes after it is judged as written.
	OtherFunction Reason = "function"
	// Waiting: the content is injected later.
	Waiting Reason = "waiting"
	// NoChart: the chart is not at hand.
	NoChart Reason = "chart"
	// Outside: a file or a value is needed that was not given.
	Outside Reason = "outside"
	// NoFacts: there is no ClusterContext, so requirements on the cluster and machine pools were not
	// compared.
	NoFacts Reason = "facts"
	// NoMutator: a mutator of the suite cannot run, because kpt refuses the package.
	NoMutator Reason = "mutator"
	// Limit: a bound of enumeration or search was reached.
	Limit Reason = "limit"
)

// Reasons are all reasons.
var Reasons = []string{string(OtherFunction), string(Waiting), string(NoChart), string(Outside), string(NoFacts), string(NoMutator), string(Limit)}

// meanings say what was not checked for a reason.
var meanings = map[Reason]string{
	OtherFunction: "what a function of another suite, a patch or a prefix changes",
	Waiting:       "a resource whose content is injected later",
	NoChart:       "values, because the chart is not at hand",
	Outside:       "what needs a file or a value that was not given",
	NoFacts:       "requests and requirements on the cluster, because there is no ClusterContext",
	NoMutator:     "the result of mutators that did not run",
	Limit:         "what is beyond a limit of packfn",
}

// Meaning says in a few words what was not checked.
func (r Reason) Meaning() string { return meanings[r] }

// Skipped is something that a check should judge and did not. It is not a finding: it has no rule,
// it cannot be accepted, and it is not part of a baseline.
type Skipped struct {
	// Reason is why it was not checked.
	Reason Reason `json:"reason" required:"true" enum:"function,waiting,chart,outside,facts,mutator,limit"`
	// File and Line are its place, as in a finding.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Resource identifies the resource that was not checked.
	Resource *Resource `json:"resource,omitempty"`
	// Message is a sentence about what was not checked, with the way to have it checked.
	Message string `json:"message" required:"true"`
}

// where returns the place: `vault.yaml:3`.
func (s *Skipped) where() string { return (&Location{File: s.File, Line: s.Line}).where() }

// text returns the resource with the message.
func (s *Skipped) text() string {
	return (&Target{Resource: s.Resource}).subject() + diag.OneLine(s.Message)
}

// Extent is what was checked, and what was not.
type Extent struct {
	// Units are what was checked, in its order. Counts is true if the report is about a check, In is the
	// only path that the user named, or "", and Nothing is the reason why no unit has anything to check.
	Units       []Unit
	Counts      bool
	In, Nothing string
	// Skipped are the things that a check was expected to read and did not. Use [Report.Skip] to add one.
	Skipped []Skipped
	// isSkipped has the skipped things by their content, so that each is added once.
	isSkipped map[string]bool
	// Cases are the resources that were checked, with or without findings.
	Cases []Case
}

// IsWaiting reports whether a finding is about content that is injected later. A
// report lists it under the things that were not checked, not under its findings.
func (f *Finding) IsWaiting() bool {
	return rule.Of(f.Rule).IsPending && f.Severity == diag.Info && strings.HasSuffix(f.Rule, "/waiting") && !f.Accepted
}

// Skipped returns a finding that is waiting as something that was not checked.
func (f *Finding) Skipped() Skipped {
	return Skipped{Reason: Waiting, File: f.File, Line: f.Line, Resource: f.Resource, Message: f.Message}
}

// SetAside moves the findings that are waiting to what was not checked.
func (r *Report) SetAside() {
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		if f.IsWaiting() {
			r.Skip(f.Skipped())
			return true
		}
		return false
	})
}

// Skip adds something that was not checked, once.
func (e *Extent) Skip(s Skipped) {
	if e.isSkipped == nil {
		e.isSkipped = map[string]bool{}
	}
	message := s.Message
	if s.Reason == Waiting { // several functions wait for the same resource
		message = ""
	}
	if id := strings.Join([]string{string(s.Reason), s.where(), s.Resource.String(), message}, "\x00"); !e.isSkipped[id] {
		e.isSkipped[id] = true
		e.Skipped = append(e.Skipped, s)
	}
}

// HasSkipped reports whether anything was skipped for a reason; "" stands for any reason.
func (e *Extent) HasSkipped(reason Reason) bool {
	return slices.ContainsFunc(e.Skipped, func(s Skipped) bool { return reason == "" || s.Reason == reason })
}

// sortSkipped sorts what was not checked by place.
func (e *Extent) sortSkipped() {
	slices.SortStableFunc(e.Skipped, func(a, b Skipped) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Resource.String(), b.Resource.String()), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message))
	})
}

// Sum returns the counts of all units.
func (e *Extent) Sum() (sum Checked) {
	for i := range e.Units {
		sum.Add(e.Units[i].Checked)
	}
	return sum
}

// Coverage is a sentence about what was checked and what was not, or "" if this is not about a check.
func (e *Extent) Coverage() string {
	var sentences []string
	if e.Counts {
		text := e.Sum().String()
		switch {
		case text != "":
			text = "Checked " + text
			if e.In != "" {
				text += " in " + diag.Shown(e.In)
			}
		case e.Nothing != "":
			text = "Checked nothing: " + diag.OneLine(e.Nothing)
		default:
			text = "Checked nothing"
		}
		sentences = append(sentences, text)
	}
	if n := len(e.Skipped); n > 0 {
		sentences = append(sentences, fmt.Sprintf("Not checked: %d", n))
	}
	return strings.Join(sentences, ". ")
}

// maxSkipped is the number of lines for people about what was not checked.
const maxSkipped = 10

// SkippedLines returns what was not checked for people: a line each, or for each reason and message if
// there are many.
func (e *Extent) SkippedLines() (lines []string, more int) {
	if len(e.Skipped) <= maxSkipped {
		for i := range e.Skipped {
			s := &e.Skipped[i]
			lines = append(lines, strings.TrimPrefix(fmt.Sprintf("%s: %s [skipped/%s]", diag.Shown(s.where()), s.text(), s.Reason), ": "))
		}
		return lines, 0
	}
	type group struct {
		reason  Reason
		message string
	}
	places := map[group][]string{}
	var groups []group
	for i := range e.Skipped {
		s := &e.Skipped[i]
		g := group{s.Reason, diag.OneLine(s.Message)}
		if places[g] == nil {
			groups = append(groups, g)
		}
		places[g] = append(places[g], diag.Shown(cmp.Or(s.where(), s.Resource.String(), "-")))
	}
	slices.SortStableFunc(groups, func(a, b group) int { return len(places[b]) - len(places[a]) })
	shown := 0
	for _, g := range groups[:min(len(groups), maxSkipped)] {
		lines = append(lines, fmt.Sprintf("%s: %s [skipped/%s]", diag.SomeOf(places[g]), g.message, g.reason))
		shown += len(places[g])
	}
	return lines, len(e.Skipped) - shown
}

// WriteCoverage ends the last line of a table with what was checked, and prints below what was not.
func (r *Report) WriteCoverage(w io.Writer) {
	if coverage := r.Coverage(); coverage != "" {
		fmt.Fprint(w, ". "+coverage)
	}
	if len(r.Skipped) > 0 {
		fmt.Fprint(w, " (see below)")
	}
	fmt.Fprintln(w)
	lines, more := r.SkippedLines()
	if len(lines) == 0 {
		return
	}
	fmt.Fprintln(w, "\n"+r.paint("1", "Not checked"))
	for _, line := range lines {
		fmt.Fprintln(w, wrap("  "+line, r.Width))
	}
	if more > 0 {
		fmt.Fprintf(w, "  and %d more; --format json has all\n", more)
	}
}
