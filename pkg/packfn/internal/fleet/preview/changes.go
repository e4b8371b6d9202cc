package preview

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// Verdict describes the outcome of a package: `can be deployed, with 1 refused change`.
func (r *Row) Verdict() string {
	if r.RefusedChanges == 0 {
		return string(r.Outcome)
	}
	return fmt.Sprintf("%s, with %s", r.Outcome, diag.Count(r.RefusedChanges, "refused change"))
}

// isPlain reports whether the package can be deployed, and no cluster refuses a change.
func (r *Row) isPlain() bool { return r.Outcome == Deployable && r.RefusedChanges == 0 }

// InUpstream returns the path on disk of a file of the package in its upstream package. The file may not exist there.
func (r *Row) InUpstream(name string) string {
	return filepath.Join(r.UpstreamDir, filepath.FromSlash(name))
}

// AddChanges adds findings about changes of what packages deploy since an earlier preview, by the index of the package.
// Findings that differ only in the name of the cluster are one finding about several packages.
func (p *Preview) AddChanges(changes map[int][]report.Finding) {
	for at := range p.Groups {
		g := &p.Groups[at]
		known := &Found{g.Finding, digestOf(fmt.Sprint("before ", at))}
		for _, i := range g.Packages {
			p.Rows[i].Found = append(p.Rows[i].Found, known)
		}
	}
	shared := map[digest]*Found{}
	for i := range p.Rows {
		row := &p.Rows[i]
		for _, f := range changes[i] {
			text := fmt.Sprint(f.Severity, f.Rule, f.File, f.Line, f.Resource.String(), f.Field, f.Pack, f.Message)
			key := digestOf(strings.ReplaceAll(text, row.Repo, "\x01"))
			if shared[key] == nil {
				shared[key] = &Found{f, key}
			}
			row.Found = append(row.Found, shared[key])
			if f.Severity == diag.Error {
				p.hasChangeError = true
				if strings.HasPrefix(f.Rule, "upgrade/") {
					row.RefusedChanges++
				}
			}
		}
	}
	p.Group()
}
