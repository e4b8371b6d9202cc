package preview

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// shardOf is a shard of [everything] as it is computed alone.
func shardOf(index, of int) *Preview {
	p := ungrouped()
	p.Shard, p.Inputs, p.Audience = &Shard{index, of}, "inputs", diag.All
	first := map[*change]string{}
	for i := range p.Rows {
		if c := p.Rows[i].since.change; c != nil {
			if first[c] == "" {
				first[c] = p.Rows[i].Variant
			}
		}
	}
	p.Rows = slices.DeleteFunc(p.Rows, func(r Row) bool { return !p.Shard.Has(r.Variant) })
	for i := range p.Rows {
		if s := p.Rows[i].since; s.change != nil && !p.Shard.Has(first[s.change]) { // the patch of the first package is shown
			s.change = &change{s.change.Key, []fileChange{{Path: "other", Text: "+other\n"}}}
		}
	}
	return p
}

// writeShards writes shards into files, as version v1.
func writeShards(t *testing.T, shards ...*Preview) (files []string) {
	t.Helper()
	for i, p := range shards {
		var b bytes.Buffer
		if err := p.WriteShard(&b, "v1"); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), fmt.Sprint(i))
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// Shards in any order are merged to what one run prints.
func TestMerge(t *testing.T) {
	const of = 3
	var shards []*Preview
	for i := range of {
		shards = append(shards, shardOf(i+1, of))
		if len(shards[i].Rows) == 0 {
			t.Fatalf("shard %d is empty", i+1)
		}
	}
	files := writeShards(t, shards...)
	whole := everything(diag.All)
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}} {
		p, err := Merge([]string{files[order[0]], files[order[1]], files[order[2]]}, "v1", true)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range Formats {
			how := Print{Format: report.Format(format), Version: "v1"}
			if diff := cmp.Diff(strings.Split(printed(t, whole, how), "\n"), strings.Split(printed(t, p, how), "\n")); diff != "" {
				t.Errorf("%v: %s (-whole +merged):\n%s", order, format, diff)
			}
		}
		if diff := cmp.Diff(whole.Notes, p.Notes); diff != "" {
			t.Error(diff)
		}
	}
}

// Files that are not shards of one preview are refused.
func TestMergeRefuses(t *testing.T) {
	first, second := shardOf(1, 2), shardOf(2, 2)
	files := writeShards(t, first, second)
	// changedOf returns a copy of a shard with other lines.
	changedOf := func(file string, change func(lines []string) []string) string {
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(unpacked)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		packed := gzip.NewWriter(&b)
		if _, err := io.WriteString(packed, strings.Join(change(strings.SplitAfter(string(text), "\n")), "")); err != nil {
			t.Fatal(err)
		}
		if err := packed.Close(); err != nil {
			t.Fatal(err)
		}
		file = filepath.Join(t.TempDir(), "changed")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	changed := func(change func(lines []string) []string) string { return changedOf(files[1], change) }
	replaced := func(old, new string) string {
		return changed(func(lines []string) []string {
			text := strings.Join(lines, "")
			if !strings.Contains(text, old) {
				t.Fatalf("no %s in\n%s", old, text)
			}
			return []string{strings.Replace(text, old, new, 1)}
		})
	}
	unpackedFile := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(unpackedFile, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	others := shardOf(2, 2)
	others.Inputs = "others"
	withoutChanges := shardOf(2, 2)
	withoutChanges.earlier = nil
	more := writeShards(t, others, withoutChanges, shardOf(1, 3), shardOf(1, 3))
	damaged := "FILE: the shard is damaged or cut off"
	noShard := "FILE: not a shard of packfn fleet"
	large := "FILE: the shard has more than 64 MiB, unpacked; compute the fleet in more shards"
	many := "FILE: the shard has more than 600,000 JSON objects; compute the fleet in more shards"
	text, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)-6] ^= 1
	wrong := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(wrong, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ file, want string }{
		"the other half":         {files[1], ""},
		"as it was":              {changed(func(lines []string) []string { return lines }), ""},
		"none":                   {filepath.Join(t.TempDir(), "none"), "FILE: no such file or directory"},
		"a text":                 {unpackedFile, noShard},
		"nothing":                {changed(func([]string) []string { return nil }), noShard},
		"another object":         {replaced(`"format":"packfn.fleet-shard/v2",`, ""), noShard},
		"another format":         {replaced("fleet-shard/v2", "fleet-shard/v1"), `FILE: the shard must have the format "packfn.fleet-shard/v2", got "packfn.fleet-shard/v1". Compute it again`},
		"another version":        {replaced(`"version":"v1"`, `"version":"v2"`), "FILE: the shard was computed by packfn v2; this is v1"},
		"other inputs":           {more[0], "FILE: computed from other inputs or with other options than FIRST"},
		"without changes":        {more[1], "FILE: computed from other inputs or with other options than FIRST"},
		"of three":               {more[2], "FILE: computed from other inputs or with other options than FIRST"},
		"twice":                  {files[0], "FILE: shard 1/2 is given twice"},
		"shard 0":                {replaced(`"index":2`, `"index":0`), damaged},
		"a shard after the last": {replaced(`"index":2`, `"index":3`), damaged},
		"of none":                {replaced(`"of":2`, `"of":0`), damaged},
		"of too many":            {replaced(`"of":2`, `"of":10001`), damaged},
		"fewer rows":             {replaced(`"rows":`, `"rows":-`), damaged},
		"no change":              {replaced(`"is":"changed"`, `"is":"changed","at":-1`), damaged},
		"a change too far":       {replaced(`"is":"changed"`, `"is":"changed","at":99`), damaged},
		"another state":          {replaced(`"is":"changed"`, `"is":"x"`), damaged},
		"nothing since":          {replaced(`"since":`, `"x":`), damaged},
		"no finding":             {replaced(`"findings":[0`, `"findings":[-1`), damaged},
		"a finding too far":      {replaced(`"findings":[0`, `"findings":[99`), damaged},
		"a digest that is short": {replaced(`"group":"`, `"group":"0`), damaged},
		"a digest of others":     {replaced(`"raw":"`, `"raw":"xx`), damaged},
		"an unknown outcome":     {replaced(`"outcome":"`, `"outcome":"\u001b[2J`), "FILE: the shard has the unknown outcome \"\\x1b[2Jcan be deployed\" of \"a/p\". Compute it again"},
		"no outcome":             {replaced(`"outcome":"`, `"x":"`), "FILE: the shard has the unknown outcome \"\" of \"a/p\". Compute it again"},
		"an unknown severity":    {replaced(`"severity":"`, `"severity":"x`), damaged},
		"no rule":                {replaced(`"rule":"`, `"x":"`), damaged},
		"a finding of nothing":   {changed(func(lines []string) []string { return slices.Insert(lines, 1, "null") }), damaged},
		"as many objects as there may be": {changed(func(lines []string) []string {
			return []string{`{"format":"x","x":[` + strings.Repeat(`{},`, 599_998) + "{}]}"}
		}), `FILE: the shard must have the format "packfn.fleet-shard/v2", got "x". Compute it again`},
		"too many objects in a line": {changed(func(lines []string) []string {
			return append([]string{`{"sets":[` + strings.Repeat(`{},`, 600_000) + "{}]}"}, lines...)
		}), many},
		"too many objects behind it": {changed(func(lines []string) []string { return append(lines, strings.Repeat(`{}`, 600_000)) }), many},
		"a row that is too long": {changed(func(lines []string) []string {
			return append(lines[:len(lines)-2], "\""+strings.Repeat("a", folder.MaxBytes))
		}), large},
		"a head that is too long": {changed(func([]string) []string { return []string{strings.Repeat(" ", folder.MaxBytes+1)} }), large},
		"too much at the end":     {changed(func(lines []string) []string { return append(lines, strings.Repeat(" ", folder.MaxBytes)) }), large},
		"a wrong checksum":        {wrong, damaged},
		"one line more":           {changed(func(lines []string) []string { return append(lines, "{}") }), damaged},
	} {
		got := ""
		if _, err := Merge([]string{files[0], tc.file}, "v1", true); err != nil {
			got = strings.NewReplacer(tc.file, "FILE", files[0], "FIRST").Replace(err.Error())
		}
		if got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
	first.earlier = nil
	for _, pair := range [][]string{files, {writeShards(t, first)[0], more[1]}} { // the second has findings and packages alone
		for n, last := 1, false; ; n++ {
			file := changedOf(pair[1], func(lines []string) []string {
				last = n >= len(lines)-1
				return lines[:n]
			})
			if last {
				break
			}
			if _, err := Merge([]string{pair[0], file}, "v1", true); err == nil || !strings.HasSuffix(err.Error(), "damaged or cut off") {
				t.Errorf("%d lines: %v", n, err)
			}
		}
	}
	if _, err := Merge(files[:1], "v1", true); err == nil {
		t.Error("half a fleet is merged")
	}
}

// The graphs of a shard are as packfn makes them, and no larger than the page draws.
func TestMergedGraphs(t *testing.T) {
	chain := graph{}
	for i := range 100 {
		chain.Nodes = append(chain.Nodes, graphNode{Name: fmt.Sprint(i)})
		chain.Edges = append(chain.Edges, graphEdge{From: 99, To: i})
		if i > 0 {
			chain.Edges = append(chain.Edges, graphEdge{From: i, To: i - 1})
		}
	}
	chain.layer()
	deep := slices.Clone(chain.Nodes)
	deep[0].Depth = 100
	for name, tc := range map[string]struct {
		graphs []graph
		want   string
	}{
		"of packfn":        {[]graph{chain}, ""},
		"to no pack":       {[]graph{{Nodes: chain.Nodes, Edges: []graphEdge{{From: 0, To: 100}}}}, "damaged"},
		"from no pack":     {[]graph{{Nodes: chain.Nodes, Edges: []graphEdge{{From: -1, To: 0}}}}, "damaged"},
		"too deep":         {[]graph{{Nodes: deep}}, "damaged"},
		"more than drawn":  {[]graph{chain, chain}, ""},
		"far more than it": {[]graph{{Nodes: chain.Nodes, Edges: slices.Repeat(chain.Edges, 10)}}, "damaged"},
	} {
		p := shardOf(1, 1)
		p.graphs = tc.graphs
		_, err := Merge(writeShards(t, p), "v1", true)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
