package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// shards are shards of a fleet that packfn did not write.
func shards() []work {
	const finding, row = `{"rule":"a/b","severity":"info","message":"%d"}` + "\n", `{"variant":"v","outcome":"refused","reason":"%d"}` + "\n"
	var all []work
	for name, tc := range map[string]struct {
		isWhole bool
		text    func(n int) string
	}{
		"many findings": {true, func(n int) string { return shardHead(n, 0, 0) + each(n, finding) }},
		"many packages": {true, func(n int) string { return shardHead(0, n, 0) + each(n, row) }},
		"findings of packages": {true, func(n int) string {
			return shardHead(1, n, 0) + fmt.Sprintf(finding, 0) + strings.Repeat(`{"variant":"v","outcome":"refused","findings":[0]}`+"\n", n)
		}},
		"changes of one key":   {true, func(n int) string { return shardHead(0, 0, n) + strings.Repeat(`{"packages":["a/b"]}`+"\n", n) }},
		"changes of each key":  {true, func(n int) string { return shardHead(0, 0, n) + each(n, `{"key":"%032x","packages":["a/b"]}`+"\n") }},
		"much behind it":       {true, func(n int) string { return shardHead(0, 0, 0) + strings.Repeat(" ", 100*n) }},
		"much before it":       {false, func(n int) string { return strings.Repeat(" ", 100*n) }},
		"findings of the sets": {false, func(n int) string { return `{"sets":[` + strings.Repeat(`{},`, n) + `{}]}` }},
		"findings of nothing":  {false, func(n int) string { return shardHead(n, 0, 0) + strings.Repeat("{}\n", n) }},
		"packages of nothing":  {false, func(n int) string { return shardHead(0, n, 0) + strings.Repeat("{}\n", n) }},
	} {
		all = append(all, work{name: "a shard with " + name, size: 2000, prepare: func(n int) func() {
			file := write(func(w io.Writer) error {
				packed := gzip.NewWriter(w)
				_, err := io.WriteString(packed, tc.text(n))
				return errors.Join(err, packed.Close())
			})
			return func() {
				defer os.Remove(file)
				_, err := packfntest.MergeShards([]string{file}, "v")
				must((err == nil) == tc.isWhole)
			}
		}})
	}
	return all
}

func shardHead(findings, rows, patches int) string {
	return fmt.Sprintf(`{"format":"packfn.fleet-shard/v1","version":"v","shard":{"index":1,"of":1},"changes":{},"findings":%d,"rows":%d,"patches":%d}`+"\n", findings, rows, patches)
}

// write writes a file, and returns its name.
func write(content func(io.Writer) error) string {
	file, err := os.CreateTemp("", "hostile")
	if err == nil {
		err = errors.Join(content(file), file.Close())
	}
	if err != nil {
		panic(err)
	}
	return file.Name()
}
