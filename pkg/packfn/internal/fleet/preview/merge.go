package preview

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// shardFormat identifies the format of a shard: lines of JSON, compressed with gzip. The first
// line is the head. The other lines are the rows of the preview. A finding or change stands
// before the first row that has it, and rows refer to it by its index:
//
//	{"format":"packfn.fleet-shard/v2","version":"v1.4.0","shard":{"index":1,"of":2},"rows":2,…}
//	{"finding":{"rule":"dependency/missing","severity":"error",…}}
//	{"row":{"variant":"edge-1","repo":"edge-1","package":"platform","findings":[0],…}}
//	{"row":{"variant":"edge-2","repo":"edge-2","package":"platform","findings":[0],…}}
const shardFormat = "packfn.fleet-shard/v2"

// shardHead is the first line of a shard: the part of the preview that all shards share, and the
// number of rows that follow.
type shardHead struct {
	// Format is shardFormat.
	Format string `json:"format"`
	// Version is the version of packfn that wrote the shard.
	Version string `json:"version"`
	// Shard is the part of the fleet that the file has.
	Shard Shard `json:"shard"`
	// Inputs is a digest of the inputs that all shards of a preview share.
	Inputs string `json:"inputs"`
	// Sets are the findings about the sets. All shards have the same.
	Sets []shardFinding `json:"sets,omitempty"`
	// Skipped is what was not checked in the sets.
	Skipped []report.Skipped `json:"skipped,omitempty"`
	// Notes are the hints for the user.
	Notes []string `json:"notes,omitempty"`
	// Graphs are the graphs of the upstreams.
	Graphs []graph `json:"graphs,omitempty"`
	// Given is the location of the first set or PackageVariant.
	Given report.Place `json:"given"`
	// Earlier is nil if there is no earlier preview to compare with.
	Earlier *earlier `json:"earlier,omitempty"`
	// Rows is the number of rows that follow. A file with fewer is cut off.
	Rows int `json:"rows"`
}

// shardLine is a line after the head. Exactly one of its fields is set.
type shardLine struct {
	// Finding is a finding that a later row is the first to have.
	Finding *shardFinding `json:"finding,omitempty"`
	// Change is a change that a later row is the first to have.
	Change *change `json:"change,omitempty"`
	// Row is the result for a package.
	Row *shardRow `json:"row,omitempty"`
}

// shardFinding is a finding with the key of its group.
type shardFinding struct {
	report.Finding
	// Key is the key of the group of the finding, absent for findings about sets.
	Key digest `json:"group,omitzero"`
}

// shardRow is a row. Its findings and its change are indexes into the preceding finding and
// change lines.
type shardRow struct {
	Row
	// Since is the result of the comparison with an earlier preview, or nil.
	Since *since `json:"since,omitempty"`
}

// WriteShard writes the preview of a shard for [Merge]. version is the version of packfn.
func (p *Preview) WriteShard(w io.Writer, version string) error {
	packed := gzip.NewWriter(w)
	out := bufio.NewWriter(packed)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	head := shardHead{Format: shardFormat, Version: version, Shard: *p.Shard, Inputs: p.Inputs, Skipped: p.Sets.Skipped, Notes: p.Notes, Graphs: p.graphs, Given: p.Given, Earlier: p.earlier, Rows: len(p.Rows)}
	for _, f := range p.Sets.Findings {
		head.Sets = append(head.Sets, shardFinding{Finding: f})
	}
	err := lines.Encode(head)
	write := func(line shardLine) {
		if err == nil {
			err = lines.Encode(line)
		}
	}
	found, changes := map[*Found]int{}, map[*change]int{}
	for i := range p.Rows {
		row := shardRow{p.Rows[i], p.Rows[i].since}
		for _, f := range row.Found {
			at, known := found[f]
			if !known {
				at = len(found)
				found[f] = at
				write(shardLine{Finding: &shardFinding{f.Finding, f.key}})
			}
			row.Findings = append(row.Findings, at)
		}
		if row.Since != nil && row.Since.change != nil {
			at, known := changes[row.Since.change]
			if !known {
				at = len(changes)
				changes[row.Since.change] = at
				write(shardLine{Change: row.Since.change})
			}
			row.Since.At = at
		}
		write(shardLine{Row: &row})
	}
	return cmp.Or(err, out.Flush(), packed.Close())
}

// Merge reads the shards of a preview, in any order, and returns the preview of the whole fleet,
// which equals the preview of a single run. version is the version of packfn. Merge returns an
// error if a shard was written by another version or computed from other inputs, if a shard is
// missing or given twice, or if it has more than 64 MiB, unpacked, or 600,000 JSON objects.
// Values in changes are masked unless values is set.
func Merge(files []string, version string, values bool) (*Preview, error) {
	m := &merger{preview: &Preview{Sets: &report.Report{}}}
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
	if values {
		m.preview.Audience = diag.All
	}
	return m.merged(), nil
}

// merger collects the shards of a preview.
type merger struct {
	// shards are the shards that were read.
	shards []Shard
	// first is the head of the first file, and name the name of that file.
	first *shardHead
	name  string
	// preview gets the rows.
	preview *Preview
}

var (
	// errNoShard is returned for a file that is not a shard.
	errNoShard = errors.New("not a shard of packfn fleet")
	// errTooLarge is returned for a shard that exceeds the size limit.
	errTooLarge = fmt.Errorf("the shard has more than %d MiB, unpacked; compute the fleet in more shards", folder.MaxBytes>>20)
	// errTooMany is returned for a shard with more than mostObjects JSON objects.
	errTooMany = fmt.Errorf("the shard has more than %s JSON objects; compute the fleet in more shards", number(mostObjects))
	// errDamaged is returned for a shard that is incomplete or was changed after it was written.
	errDamaged = errors.New("the shard is damaged or cut off")
)

// mostObjects is the maximum number of JSON objects in a shard, because an empty object takes 300
// times its text in memory. The shard of an ordinary fleet has one object per 118 bytes, which
// makes 570,000 in 64 MiB.
const mostObjects = 600_000

// limited is a reader that fails after a number of opening braces. Braces in strings count, too.
type limited struct {
	// from is the unpacked text, and left the number of opening braces that may still come.
	from io.Reader
	left int
}

// Read counts the opening braces in what it reads, which bounds the number of objects before any is
// parsed.
func (o *limited) Read(to []byte) (int, error) {
	n, err := o.from.Read(to)
	if o.left -= bytes.Count(to[:n], []byte("{")); o.left < 0 {
		return 0, errTooMany
	}
	return n, err
}

// isBeyond reports whether a shard could not be read because it exceeds a limit.
func isBeyond(err error) bool { return errors.Is(err, errTooLarge) || errors.Is(err, errTooMany) }

// read reads a shard and adds its rows to the preview.
func (m *merger) read(packed []byte, file, version string) error {
	unpacked, err := folder.Unpack(packed, folder.MaxBytes, errTooLarge)
	if err != nil {
		return errNoShard
	}
	unpacked = &limited{unpacked, mostObjects}
	lines := json.NewDecoder(unpacked)
	lines.UseNumber()
	decode := func(line any, otherwise error) error {
		err := lines.Decode(line)
		if err == nil || isBeyond(err) {
			return err
		}
		return otherwise
	}
	var head shardHead
	if err := decode(&head, errNoShard); err != nil {
		return err
	}
	if err := m.check(&head, file, version); err != nil {
		return err
	}
	var all []*Found
	var changes []*change
	for rows := 0; rows < head.Rows; {
		var line shardLine
		if err := decode(&line, errDamaged); err != nil {
			return err
		}
		switch {
		case line.Finding != nil && line.Finding.isWhole():
			all = append(all, &Found{line.Finding.Finding, line.Finding.Key})
		case line.Change != nil:
			changes = append(changes, line.Change)
		case line.Row != nil:
			rows++
			if err := m.add(line.Row, all, changes); err != nil {
				return err
			}
		default:
			return errDamaged
		}
	}
	// The checksum is at the end.
	if rest, err := io.ReadAll(io.MultiReader(lines.Buffered(), unpacked)); isBeyond(err) {
		return err
	} else if err != nil || len(bytes.TrimSpace(rest)) > 0 {
		return errDamaged
	}
	return nil
}

// check returns an error if a shard does not belong to the same preview as the others.
func (m *merger) check(head *shardHead, file, version string) error {
	switch {
	case head.Format == "":
		return errNoShard
	case head.Format != shardFormat:
		return fmt.Errorf("the shard must have the format %q, got %q. Compute it again", shardFormat, head.Format)
	case head.Version != version:
		return fmt.Errorf("the shard was computed by packfn %s; this is %s", head.Version, version)
	case !head.Shard.isWhole() || head.Rows < 0 || !areDrawable(head.Graphs):
		return errDamaged
	case slices.ContainsFunc(head.Sets, func(f shardFinding) bool { return !f.isWhole() }):
		return errDamaged
	case slices.Contains(m.shards, head.Shard): // before more is kept of it
		return fmt.Errorf("shard %s is given twice", head.Shard.String())
	}
	m.shards = append(m.shards, head.Shard)
	if m.first == nil {
		m.first, m.name, m.preview.earlier = head, file, head.Earlier
	} else if head.Inputs != m.first.Inputs || head.Shard.Of != m.first.Shard.Of || (head.Earlier == nil) != (m.first.Earlier == nil) {
		return fmt.Errorf("computed from other inputs or with other options than %s", m.name)
	}
	if head.Earlier != nil {
		m.preview.earlier.HasValues = m.preview.earlier.HasValues && head.Earlier.HasValues
	}
	return nil
}

// isWhole reports whether a finding has the fields that the output formats require.
func (f *shardFinding) isWhole() bool {
	return f.Rule != "" && slices.Contains(severities, f.Severity)
}

// add adds a row with its findings and its change. Strings that are equal to strings of the
// previous row are shared, to save memory.
func (m *merger) add(line *shardRow, all []*Found, changes []*change) error {
	row := line.Row
	rank := row.Outcome.rank()
	if rank == len(outcomes) {
		return fmt.Errorf("the shard has the unknown outcome %q of %q. Compute it again", row.Outcome, row.Name())
	}
	row.Outcome = outcomes[rank].Outcome
	row.Found = make([]*Found, len(row.Findings))
	for i, at := range row.Findings {
		if at < 0 || at >= len(all) {
			return errDamaged
		}
		row.Found[i] = all[at]
	}
	row.Findings = nil
	if m.preview.earlier != nil {
		if row.since = line.Since; row.since == nil || !slices.Contains(states, row.since.Is) {
			return errDamaged
		}
		if at := row.since.At; row.since.Is == isChanged {
			if at < 0 || at >= len(changes) {
				return errDamaged
			}
			row.since.change = changes[at]
		}
	}
	if n := len(m.preview.Rows); n > 0 {
		before := &m.preview.Rows[n-1]
		for _, text := range [][2]*string{{&row.Package, &before.Package}, {&row.Upstream, &before.Upstream}, {&row.Reason, &before.Reason}} {
			if *text[0] == *text[1] {
				*text[0] = *text[1]
			}
		}
		if slices.Equal(row.Functions, before.Functions) {
			row.Functions = before.Functions
		}
	}
	m.preview.Rows = append(m.preview.Rows, row)
	return nil
}

// merged returns the preview of the whole fleet.
func (m *merger) merged() *Preview {
	p := m.preview
	p.Notes, p.Given, p.graphs = m.first.Notes, m.first.Given, m.first.Graphs
	p.Sets.Skipped = m.first.Skipped
	for i := range m.first.Sets {
		p.Sets.Findings = append(p.Sets.Findings, m.first.Sets[i].Finding)
	}
	// Variants of one name are in one shard, in their order.
	slices.SortStableFunc(p.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Repo, b.Repo), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Variant, b.Variant))
	})
	p.Group()
	if p.earlier != nil {
		p.groupChanges()
	}
	return p
}
