package fleet

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

// blobFormat names the form of a shard: lines of JSON, compressed with gzip. The first
// line is its head. Findings, packages and changes follow, as many as the head says.
const blobFormat = "packfn.fleet-shard/v1"

// blobHead is what all shards of a preview have in common, and what follows it.
type blobHead struct {
	Format  string `json:"format"`
	Version string `json:"version"`
	Shard   Shard  `json:"shard"`
	// Inputs is the digest of what the shards are computed from.
	Inputs string        `json:"inputs"`
	Sets   []blobFinding `json:"sets,omitempty"`
	Notes  []string      `json:"notes,omitempty"`
	Graphs []graph       `json:"graphs,omitempty"`
	Given  report.Place  `json:"given"`
	// Changes is nil when there is nothing to compare with.
	Changes *blobChanges `json:"changes,omitempty"`
	// Findings, Rows and Patches count the lines.
	Findings int `json:"findings"`
	Rows     int `json:"rows"`
	Patches  int `json:"patches,omitempty"`
}

// blobChanges are the changes of a shard without their patches.
type blobChanges struct {
	// HasValues says that values in patches are not masked.
	HasValues bool      `json:"hasValues,omitempty"`
	New       []string  `json:"new,omitempty"`
	Gone      []string  `json:"gone,omitempty"`
	Unknown   []string  `json:"unknown,omitempty"`
	Same      int       `json:"same,omitempty"`
	Verdicts  *Verdicts `json:"verdicts,omitempty"`
}

// blobFinding is a finding with all that is shown of it.
type blobFinding struct {
	report.Finding
	Source shown.Line `json:"source"`
	Group  digest     `json:"group,omitzero"`
}

// UnmarshalJSON reads a finding that formats can show.
func (f *blobFinding) UnmarshalJSON(text []byte) error {
	type plain blobFinding // without this method
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if err := in.Decode((*plain)(f)); err != nil {
		return err
	}
	if f.Rule == "" || f.Severity != diag.Error && f.Severity != diag.Warning && f.Severity != diag.Info {
		return errDamaged
	}
	return nil
}

// blobRow is a package. Its findings are indexes of findings.
type blobRow struct {
	Variant   string   `json:"variant"`
	Repo      string   `json:"repo"`
	Package   string   `json:"package"`
	Upstream  string   `json:"upstream,omitempty"`
	Outcome   Outcome  `json:"outcome"`
	Reason    string   `json:"reason,omitempty"`
	Ran       []string `json:"ran,omitempty"`
	Findings  []int    `json:"findings,omitempty"`
	Unmatched bool     `json:"unmatched,omitempty"`
	IsHinted  bool     `json:"isHinted,omitempty"`
	Hinted    []int    `json:"hinted,omitempty"`
}

// blobPatch is a change of packages.
type blobPatch struct {
	Key         digest      `json:"key"`
	Raw         digest      `json:"raw"`
	Packages    []string    `json:"packages"`
	NamesDiffer bool        `json:"namesDiffer,omitempty"`
	Files       []FilePatch `json:"files"`
}

// MarshalText writes a digest as hexadecimal digits.
func (d digest) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(d[:])), nil }

// UnmarshalText reads hexadecimal digits.
func (d *digest) UnmarshalText(text []byte) error {
	if len(text) != 2*len(d) {
		return hex.ErrLength
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// WriteShard writes a preview of a shard for [Merge]. Values in changes are masked unless
// values is set. version is that of the program.
func (p *Preview) WriteShard(w io.Writer, version string, values bool) error {
	packed := gzip.NewWriter(w)
	out := bufio.NewWriter(packed)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	head := blobHead{Format: blobFormat, Version: version, Shard: *p.shard, Inputs: p.inputs, Notes: p.Notes, Given: p.given, Graphs: p.graphs, Rows: len(p.Rows)}
	for _, f := range p.Sets.Findings {
		head.Sets = append(head.Sets, blobFinding{Finding: f, Source: f.Source})
	}
	if c := p.Patches; c != nil {
		head.Changes = &blobChanges{values, c.New, c.Gone, c.Unknown, c.Same, p.Verdicts}
		head.Patches = len(c.Groups)
	}
	index := map[*found]int{}
	var all []*found
	number := func(of []*found) []int {
		var numbers []int
		for _, f := range of {
			at, known := index[f]
			if !known {
				at = len(all)
				index[f], all = at, append(all, f)
			}
			numbers = append(numbers, at)
		}
		return numbers
	}
	rows := make([]blobRow, len(p.Rows))
	for i := range p.Rows {
		r := &p.Rows[i]
		rows[i] = blobRow{r.Variant, r.Repo, r.Package, r.Upstream, r.Outcome, r.Reason, r.Ran, number(r.findings), r.unmatched, r.hinted != nil, number(r.hinted)}
	}
	head.Findings = len(all)
	if err := lines.Encode(head); err != nil {
		return err
	}
	for _, f := range all {
		if err := lines.Encode(blobFinding{f.Finding, f.Source, f.key}); err != nil {
			return err
		}
	}
	for i := range rows {
		if err := lines.Encode(&rows[i]); err != nil {
			return err
		}
	}
	if p.Patches != nil {
		for i := range p.Patches.Groups {
			g := &p.Patches.Groups[i]
			patch := blobPatch{g.key, g.raw, g.Packages, g.NamesDiffer, nil}
			for j := range g.Files {
				patch.Files = append(patch.Files, g.Files[j].inShard(values))
			}
			if err := lines.Encode(patch); err != nil {
				return err
			}
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return packed.Close()
}
