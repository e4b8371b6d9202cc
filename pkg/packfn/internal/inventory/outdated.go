package inventory

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Release is a version of a pack that a source has.
type Release struct {
	// Version is the version as it is written.
	Version string
	// Metadata returns the pack.json of the version, or nil if it is not available. The
	// requirements of the version are unknown then.
	Metadata func() []byte
}

// Newer describes the newer versions of a pack.
type Newer struct {
	// Newest is the newest version. Allowed is the newest version that violates no requirement
	// which is satisfied now. Both are "" if there is none.
	Newest, Allowed string
	// HeldBy are the names of the packs whose requirements do not allow Newest, sorted.
	HeldBy []string
}

// Neighbours are the packs of a package with their requirements.
type Neighbours struct {
	// packs are the packs, and kubernetes is the Kubernetes of the cluster, or nil if its version is
	// unknown.
	packs      []*dependency.Pack
	kubernetes *dependency.Pack
}

// NewNeighbours reads the requirements of packs. kubernetes is the version of their cluster, or
// "" if it is unknown.
func NewNeighbours(packs []*pack.Pack, kubernetes string) *Neighbours {
	n := &Neighbours{}
	for _, p := range packs {
		one := &dependency.Pack{Name: p.Name, Version: p.Version, Layer: p.Layer, Origin: p.Metadata.Origin}
		if document, err := p.Metadata.Document(); err == nil { // check-dependencies reports faults
			one.Dependencies, _ = dependency.Read(document.Root())
		}
		n.packs = append(n.packs, one)
	}
	if kubernetes != "" {
		n.kubernetes = &dependency.Pack{Name: "kubernetes", Version: kubernetes}
	}
	return n
}

// Newer compares the pack at an index with the available releases. It ignores versions that
// cannot be parsed, and pre-releases unless the pack is a pre-release itself.
func (n *Neighbours) Newer(at int, releases []Release) (newer Newer) {
	is := n.packs[at]
	current, err := version.Parse(is.Version)
	if err != nil {
		return newer
	}
	type candidate struct {
		Release
		version version.Version
	}
	var all []candidate
	for _, r := range releases {
		v, err := version.Parse(r.Version)
		if err == nil && v.Compare(current) > 0 && (!v.IsPrerelease() || current.IsPrerelease()) {
			all = append(all, candidate{r, v})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return b.version.Compare(a.version) })
	now := n.broken(at, is)
	for i, c := range all {
		next := &dependency.Pack{Name: is.Name, Version: c.Version, Layer: is.Layer, Origin: is.Origin}
		if document, err := values.Parse(string(c.Metadata())); err == nil {
			next.Dependencies, _ = dependency.Read(document.Root())
		}
		var holders []string
		for broken, holder := range n.broken(at, next) {
			if _, isOld := now[broken]; !isOld {
				holders = append(holders, holder)
			}
		}
		slices.Sort(holders)
		if i == 0 {
			newer.Newest, newer.HeldBy = c.Version, slices.Compact(holders)
		}
		if len(holders) == 0 {
			newer.Allowed = c.Version
			break
		}
	}
	return newer
}

// broken returns the requirements that do not hold with another version of a pack, each with the
// name of the pack that has it.
func (n *Neighbours) broken(at int, next *dependency.Pack) map[string]string {
	packs := slices.Clone(n.packs)
	packs[at] = next
	all := map[string]string{}
	for _, f := range dependency.Check(packs, dependency.Context{Packs: packs, Kubernetes: n.kubernetes, Installed: n.packs[at : at+1]}) {
		if f.Level() == diag.Error {
			by, what := f.Tags["requirer"], fmt.Sprint(f.Tags)
			if f.Tags == nil { // something is missing
				by, what = f.Pack, f.Found
			}
			if by == next.Name {
				by = "its own requirements"
			}
			all[f.Rule.ID+" "+f.Pack+" "+what] = by
		}
	}
	return all
}
