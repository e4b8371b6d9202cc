package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// Outcome is what a preview says of a package.
type Outcome string

// The outcomes.
const (
	Deployable Outcome = "can be deployed"
	Refused    Outcome = "refused"
	// RefusedAtClone says that the upstream package is refused before the variant changes
	// its copy, and RefusedAtUpgrade that a package which exists cannot be upgraded.
	RefusedAtClone   Outcome = "refused at clone"
	RefusedAtUpgrade Outcome = "refused at upgrade"
	// NotRendered says that the pipeline names functions of other suites. What the others find
	// is reported. With [Options.Kpt] no package has it.
	NotRendered Outcome = "not rendered"
	// Failed says that the package cannot be computed.
	Failed Outcome = "failed"
)

// outcomes are all outcomes in the order of summaries.
var outcomes = []outcome{
	{Deployable, "✓", "deployable", true},
	{Refused, "✕", "refused", true},
	{RefusedAtClone, "✕", "refused", false},
	{RefusedAtUpgrade, "✕", "refused", false},
	{NotRendered, "✕", "failed", false},
	{Failed, "✕", "failed", true},
}

// outcome is how formats show an outcome.
type outcome struct {
	Outcome
	// Mark distinguishes it without color, and Class is its style on the page.
	Mark, Class string
	// isCounted says that summaries count it even when no package has it.
	isCounted bool
}

// rank is the place of an outcome in summaries. One that is not known is the last.
func (o Outcome) rank() int {
	at := slices.IndexFunc(outcomes, func(known outcome) bool { return known.Outcome == o })
	if at < 0 {
		return len(outcomes)
	}
	return at
}

// shown is how formats show the outcome.
func (o Outcome) shown() outcome {
	if at := o.rank(); at < len(outcomes) {
		return outcomes[at]
	}
	return outcome{}
}

// IsRefused reports whether Porch would refuse the package.
func (o Outcome) IsRefused() bool { return o != Deployable && o != NotRendered && o != Failed }

// OutcomeCount is the number of packages with an outcome.
type OutcomeCount struct {
	Outcome Outcome `json:"outcome" required:"true" enum:"can be deployed,refused,refused at clone,refused at upgrade,not rendered,failed"`
	Count   int     `json:"count" required:"true"`
}

// Counts returns the number of packages of each outcome that summaries name.
func (p *Preview) Counts() []OutcomeCount {
	var all []OutcomeCount
	for _, o := range outcomes {
		if n := p.Count(o.Outcome); n > 0 || o.isCounted {
			all = append(all, OutcomeCount{o.Outcome, n})
		}
	}
	return all
}

// Count returns the number of packages of an outcome.
func (p *Preview) Count(o Outcome) int {
	return p.countIf(func(r *Row) bool { return r.Outcome == o })
}

// Refused returns the number of packages that Porch would refuse, at any step.
func (p *Preview) Refused() int { return p.countIf(func(r *Row) bool { return r.Outcome.IsRefused() }) }

// WrittenRefused returns the number of packages that must not be deployed and have files
// nevertheless.
func (p *Preview) WrittenRefused() int {
	return p.countIf(func(r *Row) bool { return r.Outcome != Deployable && r.Files != nil })
}

func (p *Preview) countIf(is func(*Row) bool) (count int) {
	for i := range p.Rows {
		if is(&p.Rows[i]) {
			count++
		}
	}
	return count
}

// Summary counts the packages: `3 clusters: 2 can be deployed, 1 refused, 0 failed`.
func (p *Preview) Summary() string {
	var parts []string
	for _, c := range p.Counts() {
		parts = append(parts, fmt.Sprintf("%s %s", number(c.Count), c.Outcome))
	}
	return plural(len(p.Rows), p.noun()) + ": " + strings.Join(parts, ", ")
}

// IsFailed reports whether a package is refused or cannot be computed, or a set is
// faulty.
func (p *Preview) IsFailed() bool {
	return p.Sets.Failed() || slices.ContainsFunc(p.Rows, func(r Row) bool { return r.Outcome != Deployable })
}

// Verdicts compare the outcomes of packages with those of an earlier preview. A package
// that cannot be computed counts as refused.
type Verdicts struct {
	// Newly are the packages that are refused, and were not or did not exist. NoLonger
	// are those that were refused and can be deployed now. Still are refused as before.
	Newly, NoLonger, Still []string
	// NewErrors says that a set has an error that it did not have.
	NewErrors bool
}

// compareOutcomes compares the outcomes of packages with what a folder records.
func (p *Preview) compareOutcomes(before *record) *Verdicts {
	v := &Verdicts{}
	for i := range p.Rows {
		row := &p.Rows[i]
		_, was := before.Refused[row.Name()]
		switch is := row.Outcome != Deployable; {
		case is && was:
			v.Still = append(v.Still, row.Name())
		case is:
			v.Newly = append(v.Newly, row.Name())
		case was:
			v.NoLonger = append(v.NoLonger, row.Name())
		}
	}
	for i := range p.Sets.Findings {
		f := &p.Sets.Findings[i]
		v.NewErrors = v.NewErrors || f.Severity == diag.Error && !slices.Contains(before.SetErrors, f.Fingerprint)
	}
	return v
}

// IsWorse reports whether a package is refused that was not, or a set has a new error.
func (v *Verdicts) IsWorse() bool { return len(v.Newly) > 0 || v.NewErrors }

// namedList is a list of packages with its title.
type namedList struct {
	Title string
	Names []string
}

// Lists returns the packages that are refused, or were.
func (v *Verdicts) Lists() []namedList {
	return []namedList{{"newly refused", v.Newly}, {"no longer refused", v.NoLonger}, {"refused as before", v.Still}}
}
