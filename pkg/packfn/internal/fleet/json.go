package fleet

import (
	"io"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// FormatVersion names the form of the JSON. Fields may be added to it; their meaning
// does not change.
const FormatVersion = "packfn.fleet/v1"

// File is a preview as JSON. Its schema is build/schemas/fleet.json.
type File struct {
	// Format is the version of the form, packfn.fleet/v1.
	Format string `json:"format" required:"true"`
	// Version is that of the program that wrote the file.
	Version string `json:"version" required:"true"`
	// Summary counts the packages by their outcome.
	Summary Summary `json:"summary" required:"true"`
	// Packages are sorted by repository, package and variant.
	Packages []FilePackage `json:"packages" required:"true"`
	// Findings are those about packages, each once.
	Findings []FileFinding `json:"findings" required:"true"`
	// Sets are the findings about the sets.
	Sets []report.Finding `json:"sets" required:"true"`
	// Changes are those since an earlier preview, when there is one to compare with.
	Changes *FileChanges `json:"changes,omitempty"`
}

// Summary counts packages by their outcome.
type Summary struct {
	Packages   int `json:"packages" required:"true"`
	Deployable int `json:"deployable" required:"true"`
	// Refused counts the packages that are refused at any step.
	Refused int `json:"refused" required:"true"`
	Failed  int `json:"failed" required:"true"`
	// Outcomes are the counts of all outcomes, those that can be deployed first.
	Outcomes []OutcomeCount `json:"outcomes" required:"true"`
}

// FilePackage is the package of a variant.
type FilePackage struct {
	// Variant is the name of the PackageVariant.
	Variant string `json:"variant" required:"true"`
	// Repo and Package are its downstream.
	Repo    string `json:"repo" required:"true"`
	Package string `json:"package" required:"true"`
	// Upstream is the package that it is a copy of, `blueprints/platform@v3`.
	Upstream string `json:"upstream" required:"true"`
	// Outcome says whether it can be deployed.
	Outcome string `json:"outcome" required:"true" enum:"can be deployed,refused,refused at clone,refused at upgrade,not rendered,failed"`
	// Reason says why it cannot be computed, or why Porch refuses it before a function
	// runs.
	Reason string `json:"reason,omitempty"`
	// Functions are the functions that ran on it.
	Functions []string `json:"functions,omitempty"`
	// Findings are indexes of findings.
	Findings []int `json:"findings,omitempty"`
}

// FileFinding is a finding about one or several packages.
type FileFinding struct {
	// Packages are indexes of packages.
	Packages []int `json:"packages" required:"true"`
	// Finding is what was found.
	Finding report.Finding `json:"finding" required:"true"`
}

// FileChanges are the changes since an earlier preview.
type FileChanges struct {
	// Outcomes say which packages are refused now and were before; absent when the
	// earlier preview has not recorded it.
	Outcomes *FileVerdicts `json:"outcomes,omitempty"`
	// Same is the number of packages without a change.
	Same int `json:"same" required:"true"`
	// New, Gone and Unknown are packages, REPO/PACKAGE: new ones, those that no longer
	// exist, and those that could not be rendered.
	New     []string `json:"new,omitempty"`
	Gone    []string `json:"gone,omitempty"`
	Unknown []string `json:"unknown,omitempty"`
	// Groups are equal changes.
	Groups []FileChange `json:"groups" required:"true"`
}

// FileVerdicts are packages, REPO/PACKAGE, by their outcome in this preview and in an
// earlier one. One that cannot be computed counts as refused.
type FileVerdicts struct {
	NewlyRefused    []string `json:"newlyRefused" required:"true"`
	NoLongerRefused []string `json:"noLongerRefused" required:"true"`
	RefusedAsBefore []string `json:"refusedAsBefore" required:"true"`
}

// FileChange is a change of one or several packages.
type FileChange struct {
	Packages []string `json:"packages" required:"true"`
	// Patch is the unified difference of the first of them. Values are masked unless
	// the user asked for them.
	Patch string `json:"patch" required:"true"`
}

// writeJSON writes a [File].
func (p *Preview) writeJSON(w io.Writer, how Print) error {
	out := report.NewJSONObject(w)
	out.Field("format", FormatVersion)
	out.Field("version", how.Version)
	out.Field("summary", Summary{len(p.Rows), p.Count(Deployable), p.Refused(), p.Count(Failed), p.Counts()})
	out.List("packages", len(p.Rows), func(i int) any {
		row := &p.Rows[i]
		return FilePackage{
			Variant: row.Variant, Repo: row.Repo, Package: row.Package, Upstream: row.Upstream,
			Outcome: string(row.Outcome), Reason: row.Reason, Functions: row.Ran, Findings: row.Groups,
		}
	})
	single := report.Report{}
	out.List("findings", len(p.Groups), func(i int) any {
		single.Findings = []report.Finding{p.Groups[i].Finding}
		single.Finish()
		return FileFinding{p.Groups[i].Rows, single.Findings[0]}
	})
	out.List("sets", len(p.Sets.Findings), func(i int) any { return p.Sets.Findings[i] })
	if c := p.Patches; c != nil {
		changes := &FileChanges{Same: c.Same, New: c.New, Gone: c.Gone, Unknown: c.Unknown, Groups: []FileChange{}}
		if v := p.Verdicts; v != nil {
			changes.Outcomes = &FileVerdicts{orEmpty(v.Newly), orEmpty(v.NoLonger), orEmpty(v.Still)}
		}
		for i := range c.Groups {
			changes.Groups = append(changes.Groups, FileChange{c.Groups[i].Packages, c.Groups[i].show(how.Audience)})
		}
		out.Field("changes", changes)
	}
	return out.Close()
}

// orEmpty returns a list that JSON shows as one, also when it is nil.
func orEmpty(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

// show returns the differences of all files.
func (p *Patch) show(audience diag.Audience) string {
	var b strings.Builder
	for i := range p.Files {
		b.WriteString(p.Files[i].Show(audience))
	}
	return b.String()
}
