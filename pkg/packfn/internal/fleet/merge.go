package fleet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// Merge reads the shards of a preview, in any order, and returns the preview of the whole
// fleet. It is equal to that of one run. version is that of the program: shards of another
// one are rejected, as are those of other inputs, and a shard that is missing or given
// twice. A shard has at most 64 MiB, unpacked.
func Merge(files []string, version string) (*Preview, error) {
	m := &merger{patches: map[digest]*Patch{}}
	for _, file := range files {
		packed, err := folder.Read(file, folder.MaxBytes)
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = fmt.Errorf("%s: %w", file, path.Err)
		}
		if err != nil {
			return nil, err
		}
		if err := m.read(packed, file, version); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if err := checkShards(m.shards); err != nil {
		return nil, err
	}
	return m.preview(), nil
}

// merger collects the shards of a preview.
type merger struct {
	shards []Shard
	// first is the head of the first file, and name the name of that.
	first *blobHead
	name  string

	rows     []Row
	found    findings
	changes  *Patches
	verdicts *Verdicts
	patches  map[digest]*Patch
	texts    map[string]string
	ran      map[string][]string
}

// errNoBlob says that a file is not a shard.
var errNoBlob = errors.New("not a shard of packfn fleet")

// errTooLarge says that a shard is larger than packfn reads.
var errTooLarge = fmt.Errorf("the shard has more than %d MiB, unpacked; compute the fleet in more shards", folder.MaxBytes>>20)

// read takes a shard.
func (m *merger) read(packed []byte, file, version string) error {
	unpacked, err := folder.Unpack(packed, folder.MaxBytes, errTooLarge)
	if err != nil {
		return errNoBlob
	}
	lines := json.NewDecoder(unpacked)
	lines.UseNumber()
	decode := func(line any, otherwise error) error {
		err := lines.Decode(line)
		if err == nil || errors.Is(err, errTooLarge) || errors.Is(err, errDamaged) {
			return err
		}
		return otherwise
	}
	var head blobHead
	if err := decode(&head, errNoBlob); err != nil {
		return err
	}
	if err := m.check(&head, file, version); err != nil {
		return err
	}
	found := make([]*found, 0, min(head.Findings, 1<<16))
	for range head.Findings {
		var f blobFinding
		if err := decode(&f, errDamaged); err != nil {
			return err
		}
		f.Finding.Source = f.Source
		found = append(found, m.found.keep(f.Finding, f.Group))
	}
	for range head.Rows {
		var r blobRow
		if err := decode(&r, errDamaged); err != nil {
			return err
		}
		if r.Outcome.rank() == len(outcomes) {
			return fmt.Errorf("the shard has the unknown outcome %q of %q. Compute it again", r.Outcome, path.Join(r.Repo, r.Package))
		}
		row := Row{
			Variant: r.Variant, Repo: r.Repo, Package: m.text(r.Package), Upstream: m.text(r.Upstream), Outcome: Outcome(m.text(string(r.Outcome))), Reason: m.text(r.Reason),
			Ran: m.names(r.Ran), unmatched: r.Unmatched,
		}
		var isWhole, isHintWhole bool
		row.findings, isWhole = choose(found, r.Findings)
		row.hinted, isHintWhole = choose(found, r.Hinted)
		if !isWhole || !isHintWhole {
			return errDamaged
		}
		if r.IsHinted && row.hinted == nil {
			row.hinted = row.findings[:0:0]
		}
		m.rows = append(m.rows, row)
	}
	for range head.Patches {
		var p blobPatch
		if err := decode(&p, errDamaged); err != nil {
			return err
		}
		if len(p.Packages) == 0 {
			return errDamaged
		}
		m.patch(&p)
	}
	// The checksum is at the end.
	if rest, err := io.ReadAll(io.MultiReader(lines.Buffered(), unpacked)); errors.Is(err, errTooLarge) {
		return err
	} else if err != nil || len(bytes.TrimSpace(rest)) > 0 {
		return errDamaged
	}
	return nil
}

// errDamaged says that a shard is not as it was written.
var errDamaged = errors.New("the shard is damaged or cut off")

// check rejects a shard that is not of the same preview as the others.
func (m *merger) check(head *blobHead, file, version string) error {
	switch {
	case head.Format == "":
		return errNoBlob
	case head.Format != blobFormat:
		return fmt.Errorf("the shard must have the format %q, got %q", blobFormat, head.Format)
	case head.Version != version:
		return fmt.Errorf("the shard was computed by packfn %s; this is %s", head.Version, version)
	case !head.Shard.isWhole() || head.Findings < 0 || head.Rows < 0 || head.Patches < 0:
		return errDamaged
	}
	if slices.ContainsFunc(head.Graphs, func(g graph) bool { return !g.isWhole() }) {
		return errDamaged
	}
	if drawn, _ := drawable(head.Graphs); len(drawn) < len(head.Graphs) {
		return errDamaged
	}
	if slices.Contains(m.shards, head.Shard) { // before more is kept of it
		return fmt.Errorf("shard %s is given twice", head.Shard.String())
	}
	m.shards = append(m.shards, head.Shard)
	if m.first == nil {
		m.first, m.name = head, file
	} else if head.Inputs != m.first.Inputs || head.Shard.Of != m.first.Shard.Of || (head.Changes == nil) != (m.first.Changes == nil) {
		return fmt.Errorf("computed from other inputs or with other options than %s", m.name)
	}
	if c := head.Changes; c != nil {
		if m.changes == nil {
			m.changes = &Patches{Gone: c.Gone}
		}
		m.changes.New, m.changes.Unknown = append(m.changes.New, c.New...), append(m.changes.Unknown, c.Unknown...)
		m.changes.Same += c.Same
		m.changes.isMasked = m.changes.isMasked || !c.HasValues
		if v := c.Verdicts; v != nil {
			if m.verdicts == nil {
				m.verdicts = &Verdicts{NewErrors: v.NewErrors}
			}
			m.verdicts.Newly, m.verdicts.NoLonger, m.verdicts.Still = append(m.verdicts.Newly, v.Newly...), append(m.verdicts.NoLonger, v.NoLonger...), append(m.verdicts.Still, v.Still...)
		}
	}
	return nil
}

// patch adds a change. The patch that is shown is that of the first package.
func (m *merger) patch(p *blobPatch) {
	one := &Patch{Packages: p.Packages, Files: p.Files, NamesDiffer: p.NamesDiffer, raw: p.Raw}
	known := m.patches[p.Key]
	if known == nil {
		m.patches[p.Key] = one
		return
	}
	known.NamesDiffer = known.NamesDiffer || one.NamesDiffer || known.raw != one.raw
	known.others = append(known.others, one)
}

// preview returns the preview of all shards.
func (m *merger) preview() *Preview {
	p := &Preview{Rows: m.rows, Sets: &report.Report{}, Notes: m.first.Notes, given: m.first.Given, graphs: m.first.Graphs, Patches: m.changes, Verdicts: m.verdicts}
	for _, f := range m.first.Sets {
		f.Finding.Source = f.Source
		p.Sets.Findings = append(p.Sets.Findings, f.Finding)
	}
	// Variants of one name are in one shard, in their order.
	slices.SortStableFunc(p.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Repo, b.Repo), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Variant, b.Variant))
	})
	p.group()
	if p.Patches == nil {
		return p
	}
	order := make(map[string]int, len(p.Rows))
	for i := range p.Rows {
		order[p.Rows[i].Name()] = i
	}
	inOrder := func(names []string) {
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(order[a], order[b]) })
	}
	inOrder(p.Patches.New)
	inOrder(p.Patches.Unknown)
	if v := p.Verdicts; v != nil {
		inOrder(v.Newly)
		inOrder(v.NoLonger)
		inOrder(v.Still)
	}
	for _, key := range slices.SortedFunc(maps.Keys(m.patches), func(a, b digest) int { return bytes.Compare(a[:], b[:]) }) {
		patch := m.patches[key]
		first := patch
		for _, other := range patch.others {
			if order[other.Packages[0]] < order[first.Packages[0]] {
				first = other
			}
		}
		patch.Files = first.Files
		for _, other := range patch.others {
			patch.Packages = append(patch.Packages, other.Packages...)
		}
		patch.others = nil
		inOrder(patch.Packages)
		p.Patches.Groups = append(p.Patches.Groups, *patch)
	}
	p.Patches.sort()
	return p
}

// text returns a text that many packages have.
func (m *merger) text(text string) string {
	if known, ok := m.texts[text]; ok {
		return known
	}
	if m.texts == nil {
		m.texts = map[string]string{}
	}
	m.texts[text] = text
	return text
}

// names returns the names of functions that many packages have.
func (m *merger) names(names []string) []string {
	key := strings.Join(names, " ")
	if known, ok := m.ran[key]; ok {
		return known
	}
	if m.ran == nil {
		m.ran = map[string][]string{}
	}
	m.ran[key] = names
	return names
}

// choose returns the findings of a package, and whether all of them are there.
func choose(all []*found, indexes []int) (chosen []*found, ok bool) {
	for _, at := range indexes {
		if at < 0 || at >= len(all) {
			return nil, false
		}
		chosen = append(chosen, all[at])
	}
	return chosen, true
}
