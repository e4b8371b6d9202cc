package preview

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// Outcome is the verdict of a preview on a package.
type Outcome string

// The outcomes.
const (
	Deployable Outcome = "can be deployed"
	Refused    Outcome = "refused"
	// RefusedAtClone means that the upstream package is refused before the variant changes its
	// copy. RefusedAtUpgrade means that an existing package cannot be upgraded.
	RefusedAtClone   Outcome = "refused at clone"
	RefusedAtUpgrade Outcome = "refused at upgrade"
	// NotRendered means that the pipeline names functions of other suites. The findings of the
	// functions of this suite are still reported. No package has this outcome if kpt
	// renders those.
	NotRendered Outcome = "not rendered"
	// Failed means that the package cannot be computed.
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

// outcome describes how the output formats show an Outcome.
type outcome struct {
	Outcome
	// Mark distinguishes the outcome without color, and Class is its CSS class on the page.
	Mark, Class string
	// isCounted is true if summaries include the outcome even if no package has it.
	isCounted bool
}

// rank returns the position of an outcome in summaries. An unknown outcome is the last.
func (o Outcome) rank() int {
	at := slices.IndexFunc(outcomes, func(known outcome) bool { return known.Outcome == o })
	if at < 0 {
		return len(outcomes)
	}
	return at
}

// shown returns how the output formats show the outcome.
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
	// Outcome is the outcome.
	Outcome Outcome `json:"outcome" required:"true" enum:"can be deployed,refused,refused at clone,refused at upgrade,not rendered,failed"`
	// Count is the number of packages with it.
	Count int `json:"count" required:"true"`
}

// Counts returns the number of packages for each outcome that summaries include.
func (p *Preview) Counts() []OutcomeCount {
	var all []OutcomeCount
	for _, o := range outcomes {
		if n := p.countOf(o.Outcome); n > 0 || o.isCounted {
			all = append(all, OutcomeCount{o.Outcome, n})
		}
	}
	return all
}

// countOf returns the number of packages with an outcome.
func (p *Preview) countOf(o Outcome) int {
	return p.count(func(r *Row) bool { return r.Outcome == o })
}

// WrittenRefused returns the number of packages that have files although they must not be
// deployed.
func (p *Preview) WrittenRefused() int {
	return p.count(func(r *Row) bool { return r.Outcome != Deployable && r.Files != nil })
}

// count returns the number of rows that satisfy a predicate.
func (p *Preview) count(is func(*Row) bool) (count int) {
	for i := range p.Rows {
		if is(&p.Rows[i]) {
			count++
		}
	}
	return count
}

// Summary returns one line with the counts, such as `3 clusters: 2 can be deployed, 1 refused, 0
// failed`.
func (p *Preview) Summary() string {
	var parts []string
	for _, c := range p.Counts() {
		parts = append(parts, fmt.Sprintf("%s %s", number(c.Count), c.Outcome))
	}
	return Plural(len(p.Rows), p.noun()) + ": " + strings.Join(parts, ", ")
}

// IsFailed reports whether any package cannot be deployed, any set has an error, or a cluster refuses any change.
func (p *Preview) IsFailed() bool {
	return p.hasChangeError || p.Sets.Failed() || slices.ContainsFunc(p.Rows, func(r Row) bool { return r.Outcome != Deployable })
}

// recordName is the file in a folder of packages that records their outcomes. Its name has no
// extension, because kpt reads *.yaml, *.yml and *.json.
const recordName = ".packfn-fleet"

const recordFormat = "packfn.fleet-outcomes/v1"

// record is the content of the file recordName:
//
//	{
//	  "format": "packfn.fleet-outcomes/v1",
//	  "version": "v1.4.0",
//	  "refused": {"edge-1/platform": "refused"}
//	}
type record struct {
	// Format is recordFormat.
	Format string `json:"format"`
	// Version is the version of packfn that wrote the record.
	Version string `json:"version"`
	// Shard is the part of the fleet that the folder contains, or nil for the whole fleet.
	Shard *Shard `json:"shard,omitempty"`
	// Refused maps the packages that cannot be deployed, REPO/PACKAGE, to their outcomes.
	Refused map[string]Outcome `json:"refused"`
	// SetErrors are the fingerprints of the sets' errors.
	SetErrors []string `json:"setErrors,omitempty"`
}

// record returns the file of outcomes that a later preview compares with.
func (p *Preview) record(version string) staging.Change {
	r := record{Format: recordFormat, Version: version, Shard: p.Shard, Refused: map[string]Outcome{}, SetErrors: p.setErrors()}
	for i := range p.Rows {
		if row := &p.Rows[i]; row.Outcome != Deployable {
			r.Refused[row.Name()] = row.Outcome
		}
	}
	name := recordName
	if p.Shard != nil {
		name += fmt.Sprintf("-%d-of-%d", p.Shard.Index, p.Shard.Of)
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		panic(err) // texts and numbers only
	}
	return staging.Change{Path: name, Text: append(text, '\n')}
}

// setErrors returns the fingerprints of the errors about the sets.
func (p *Preview) setErrors() (all []string) {
	for i := range p.Sets.Findings {
		if f := &p.Sets.Findings[i]; f.Severity == diag.Error {
			all = append(all, f.Fingerprint)
		}
	}
	return all
}

// errNoRecord is returned for a folder that has no record of outcomes.
var errNoRecord = errors.New("it has no record of outcomes; write it again with --to")

// readRecord reads the record of a folder, or the records of all shards of a preview and merges
// them.
func readRecord(dir string) (*record, error) {
	in, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	entries, err := fs.ReadDir(in.Files(), ".")
	if err != nil {
		return nil, err
	}
	all := &record{Refused: map[string]Outcome{}}
	var shards []Shard
	isWhole := false
	for _, entry := range entries {
		if isShard, _ := filepath.Match(recordName+"-*-of-*", entry.Name()); !isShard && entry.Name() != recordName {
			continue
		}
		text, err := in.Read(entry.Name(), folder.MaxBytes)
		if err != nil {
			return nil, err
		}
		r, err := parseRecord(text, filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		if r.Shard != nil {
			shards = append(shards, *r.Shard)
		} else {
			isWhole = true
		}
		maps.Copy(all.Refused, r.Refused)
		all.SetErrors = append(all.SetErrors, r.SetErrors...)
	}
	switch {
	case isWhole == (len(shards) > 0): // neither, or both
		return nil, errNoRecord
	case isWhole:
		return all, nil
	}
	return all, checkShards(shards)
}

// parseRecord reads the record of one shard or of the whole fleet. file is its name in errors.
//
//	{"format": "packfn.fleet-outcomes/v1", "version": "…", "refused": {"edge-1/platform": …}}
func parseRecord(text []byte, file string) (*record, error) {
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: not a record of outcomes: %w", file, err)
	}
	if r.Format != recordFormat {
		return nil, fmt.Errorf("%s: the record must have the format %q, got %q", file, recordFormat, r.Format)
	}
	if r.Shard != nil && !r.Shard.isWhole() {
		return nil, fmt.Errorf("%s: the record is of shard %s, which packfn does not write; write it again with --to", file, r.Shard.String())
	}
	return &r, nil
}
