package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// recordName is the file with the outcomes in a folder of packages. Its name has no
// ending: kpt reads *.yaml, *.yml and *.json.
const recordName = ".packfn-fleet"

const recordFormat = "packfn.fleet-outcomes/v1"

// record is what a folder of packages keeps of the preview that wrote it.
type record struct {
	Format  string `json:"format"`
	Version string `json:"version"`
	// Shard says which part of the fleet the folder has; nil for all.
	Shard *Shard `json:"shard,omitempty"`
	// Refused are the packages, REPO/PACKAGE, that cannot be deployed, with their
	// outcomes.
	Refused map[string]Outcome `json:"refused"`
	// SetErrors are the fingerprints of the sets' errors.
	SetErrors []string `json:"setErrors,omitempty"`
}

// record returns what a later preview compares its outcomes with.
func (p *Preview) record(version string) staging.Change {
	r := record{Format: recordFormat, Version: version, Shard: p.shard, Refused: map[string]Outcome{}}
	for i := range p.Rows {
		if row := &p.Rows[i]; row.Outcome != Deployable {
			r.Refused[row.Name()] = row.Outcome
		}
	}
	for i := range p.Sets.Findings {
		if f := &p.Sets.Findings[i]; f.Severity == diag.Error {
			r.SetErrors = append(r.SetErrors, f.Fingerprint)
		}
	}
	name := recordName
	if p.shard != nil {
		name += fmt.Sprintf("-%d-of-%d", p.shard.Index, p.shard.Of)
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		panic(err) // texts and numbers only
	}
	return staging.Change{Path: name, Text: append(text, '\n')}
}

// errNoRecord says that a folder does not record outcomes.
var errNoRecord = errors.New("it has no record of outcomes; write it again with --to")

// readRecord reads the outcomes of a folder, which may have those of all shards of a
// preview.
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
	whole := false
	for _, entry := range entries {
		if !isRecord(entry.Name()) {
			continue
		}
		file := filepath.Join(dir, entry.Name())
		r, err := readRecordFile(in, entry.Name(), file)
		if err != nil {
			return nil, err
		}
		if r.Shard != nil {
			shards = append(shards, *r.Shard)
		} else {
			whole = true
		}
		for name, outcome := range r.Refused {
			all.Refused[name] = outcome
		}
		all.SetErrors = append(all.SetErrors, r.SetErrors...)
	}
	switch {
	case whole && len(shards) == 0:
	case whole || len(shards) == 0:
		return nil, errNoRecord
	default:
		if err := checkShards(shards); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func readRecordFile(in *folder.Folder, name, file string) (*record, error) {
	text, err := in.Read(name, folder.MaxBytes)
	if err != nil {
		return nil, err
	}
	return parseRecord(text, file)
}

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

// isRecord reports whether a file in a folder of packages is a record.
func isRecord(name string) bool {
	isShard, _ := filepath.Match(recordName+"-*-of-*", name)
	return isShard || name == recordName
}

// checkShards rejects shards that are not one whole fleet.
func checkShards(shards []Shard) error {
	slices.SortFunc(shards, func(a, b Shard) int { return a.Index - b.Index })
	of := shards[0].Of
	for _, s := range shards {
		if s.Of != of {
			return fmt.Errorf("shard %s is not one of %d", s.String(), of)
		}
	}
	var missing []string
	at := 0
	for index := 1; index <= of; index++ {
		if at < len(shards) && shards[at].Index == index {
			at++
			if at < len(shards) && shards[at].Index == index {
				return fmt.Errorf("shard %d/%d is given twice", index, of)
			}
			continue
		}
		missing = append(missing, fmt.Sprintf("%d/%d", index, of))
	}
	if len(missing) > 0 {
		return fmt.Errorf("no shard %s", some(missing, fewNames))
	}
	return nil
}
