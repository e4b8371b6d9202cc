package preview

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// Row is the result for the package of a variant. Every output format, a comparison and a shard
// consist of rows.
type Row struct {
	// Variant is the name of the PackageVariant.
	Variant string `json:"variant" required:"true"`
	// Repo and Package are the downstream of the PackageVariant.
	Repo    string `json:"repo" required:"true"`
	Package string `json:"package" required:"true"`
	// Upstream is the package that it is a copy of, such as `blueprints/platform@v3`.
	Upstream string `json:"upstream" required:"true"`
	// Outcome is the verdict: whether the package can be deployed.
	Outcome Outcome `json:"outcome" required:"true" enum:"can be deployed,refused,refused at clone,refused at upgrade,not rendered,failed"`
	// Reason explains why the package cannot be computed, or why Porch refuses it before a
	// function runs.
	Reason string `json:"reason,omitempty"`
	// RefusedChanges is the number of changes since an earlier preview that a cluster refuses, see
	// [Preview.AddChanges].
	RefusedChanges int `json:"refusedChanges,omitempty"`
	// Functions are the functions that ran on the package.
	Functions []string `json:"functions,omitempty"`
	// Findings are indexes into the list of findings.
	Findings []int `json:"findings,omitempty"`

	// Checked counts what the checks have read in the package.
	Checked report.Checked `json:"checked,omitzero"`

	// Files are the files of the package if they are kept, or nil if it was not rendered.
	Files []workspace.File `json:"-"`

	// UpstreamDir is the folder of the upstream package.
	UpstreamDir string `json:"-"`
	// Found are the findings of the package until [Preview.Group] sets Findings.
	Found []*Found `json:"-"`

	// since is the result of the comparison with an earlier preview, or nil if there is none.
	since *since
}

// Name returns the name of the package in the fleet, which is its folder: REPO/PACKAGE.
func (r *Row) Name() string { return path.Join(r.Repo, r.Package) }

// Group is a finding about one or several packages.
type Group struct {
	// Packages are indexes into the list of packages.
	Packages []int `json:"packages" required:"true"`
	// Finding is the finding that all of the packages have.
	Finding report.Finding `json:"finding" required:"true"`
}

// Found is a finding with the key of its group, see [Findings].
type Found struct {
	report.Finding
	// key is equal for the equal findings of several packages.
	key digest
}

// digest replaces a text that is only compared, to save memory.
type digest [16]byte

// digestOf returns the first 16 bytes of the SHA-256 of a text, which identify the text in little
// memory.
func digestOf(text string) digest {
	sum := sha256.Sum256([]byte(text))
	return digest(sum[:16])
}

// MarshalText writes a digest as hexadecimal digits.
func (d digest) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(d[:])), nil }

// UnmarshalText parses a digest from hexadecimal digits.
func (d *digest) UnmarshalText(text []byte) error {
	if len(text) != 2*len(d) {
		return hex.ErrLength
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// Findings holds each distinct finding of a fleet once, because most packages have the same findings. Several
// goroutines can use it.
type Findings struct {
	mutex sync.Mutex
	// all are the findings by a digest of their content.
	all map[digest]*Found
}

// Keep returns the shared copy of a finding, which is equal in its identity, its location and everything that is
// shown. The findings of one identity are one group.
func (s *Findings) Keep(f report.Finding, identity string) *Found {
	key := digestOf(identity)
	f.Path, f.Reported = "", nil // for what changes files
	resource := report.Resource{}
	if f.Resource != nil {
		resource = *f.Resource
	}
	of := f
	of.Resource = nil
	content := digestOf(fmt.Sprintf("%x %+v %+v", key, of, resource))
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.all == nil {
		s.all = map[digest]*Found{}
	}
	if s.all[content] == nil {
		s.all[content] = &Found{f, key}
	}
	return s.all[content]
}

// Group groups equal findings of all rows and sorts the groups.
func (p *Preview) Group() {
	index := map[digest]int{}
	var all []Group
	var keys []digest
	for i := range p.Rows {
		for _, f := range p.Rows[i].Found {
			at, known := index[f.key]
			if !known {
				at = len(all)
				index[f.key] = at
				all, keys = append(all, Group{Finding: f.Finding}), append(keys, f.key)
			}
			g := &all[at]
			if other, ok := besides(&g.Finding, &f.Finding); known && ok {
				g.Finding.Related = append(slices.Clip(g.Finding.Related), other)
			}
			if n := len(g.Packages); n == 0 || g.Packages[n-1] != i {
				g.Packages = append(g.Packages, i)
			}
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &all[i].Finding, &all[j].Finding
		return cmp.Or(
			cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)),
			cmp.Compare(len(all[j].Packages), len(all[i].Packages)),
			cmp.Compare(all[i].Packages[0], all[j].Packages[0]),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Resource.String(), b.Resource.String()),
			cmp.Compare(a.Field, b.Field), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Message, b.Message),
			slices.Compare(keys[i][:], keys[j][:]),
		)
	})
	p.Groups = make([]Group, len(all))
	place := make([]int, len(all))
	for to, from := range order {
		p.Groups[to], place[from] = all[from], to
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		row.Findings = nil
		for _, f := range row.Found {
			row.Findings = append(row.Findings, place[index[f.key]])
		}
		slices.Sort(row.Findings)
		row.Findings = slices.Compact(row.Findings)
		row.Found = nil
	}
}

// severities are all severities, the highest first.
var severities = []diag.Severity{diag.Error, diag.Warning, diag.Info}

// mostRelated is the maximum number of related locations of a finding.
const mostRelated = 10

// besides returns the location of f as a related location of an equal finding. It returns false
// if the finding already has that location, or too many.
func besides(known, f *report.Finding) (report.Place, bool) {
	at := report.Place{File: f.File, Line: f.Line, Column: f.Column, Message: "the same in " + f.Resource.String()}
	isKnown := known.File == at.File && known.Line == at.Line || slices.Contains(known.Related, at)
	return at, !isKnown && len(known.Related) < mostRelated
}
