package preview

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// What is no shard is an error of one line. What is one can be shown in each format.
func FuzzShard(f *testing.F) {
	whole := shardOf(1, 1)
	whole.graphs = []graph{{Title: "a", Nodes: []graphNode{{Name: "a", Depth: 1}, {Name: "b"}}, Edges: []graphEdge{{From: 0, To: 1, Versions: "1"}, {From: 1, To: 1}}}}
	var packed bytes.Buffer
	if err := whole.WriteShard(&packed, "v1"); err != nil {
		f.Fatal(err)
	}
	unpacked, err := folder.Unpack(packed.Bytes(), folder.MaxBytes, errTooLarge)
	if err != nil {
		f.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	head, rest, _ := bytes.Cut(text, []byte("\n"))
	f.Add(append(head, '\n'))
	f.Add(rest)
	f.Add([]byte("{}"))
	f.Add([]byte(`{"format":"packfn.fleet-shard/v2","version":"v1","shard":{"index":1,"of":1},"earlier":{"hasOutcomes":true},"rows":1}
{"change":{"files":[{"text":"@\n+\n"}]}} {"row":{"outcome":"refused","findings":null,"since":{"is":"changed"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.NoCompression)
		w.Write(text)
		w.Close()
		m := &merger{preview: &Preview{Sets: &report.Report{}}}
		err := m.read(b.Bytes(), "a.shard", "v1")
		if err == nil {
			err = checkShards(m.shards)
		}
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("got %q", err)
			}
			return
		}
		p := m.merged()
		for _, format := range Formats {
			for _, isAll := range []bool{false, true} {
				if err := p.Write(io.Discard, Print{Format: report.Format(format), Version: "v1", All: isAll}); err != nil {
					t.Errorf("%s: %v", format, err)
				}
			}
		}
	})
}

// A record is read, or the error names its file. What is read can be compared with others.
func FuzzRecord(f *testing.F) {
	for _, text := range []string{
		`{"format":"packfn.fleet-outcomes/v1","shard":{"index":1,"of":2},"refused":{"a/b":"refused"},"setErrors":["a"]}`,
		`{"format":"packfn.fleet-outcomes/v1","shard":{"index":1,"of":2000000000}}`, `{"format":"packfn.fleet-outcomes/v1","shard":{"index":-1,"of":0}}`, "{}", "[", "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parseRecord(text, "a-file")
		switch {
		case err == nil && r.Shard != nil:
			checkShards([]Shard{*r.Shard, {1, 3}})
		case err != nil && !strings.Contains(err.Error(), "a-file"):
			t.Errorf("got %v", err)
		}
	})
}
