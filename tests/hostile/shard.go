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
	const finding, row = `{"finding":{"rule":"a/b","severity":"info","message":"%d"}}` + "\n", `{"row":{"variant":"v","outcome":"refused","reason":"%d","since":{"is":"new"}}}` + "\n"
	const change, changed = `{"change":{"key":"%032x"}}` + "\n", `{"row":{"variant":"v","outcome":"refused","findings":[0],"since":{"is":"changed","at":%d}}}` + "\n"
	var all []work
	for name, tc := range map[string]struct {
		isWhole bool
		text    func(n int) string
	}{
		"many findings": {true, func(n int) string { return shardHead(1) + each(n, finding) + fmt.Sprintf(row, 0) }},
		"many packages": {true, func(n int) string { return shardHead(n) + each(n, row) }},
		"findings of packages": {true, func(n int) string {
			return shardHead(n) + fmt.Sprintf(finding, 0) + fmt.Sprintf(change, 0) + strings.Repeat(fmt.Sprintf(changed, 0), n)
		}},
		"changes of one key": {true, func(n int) string {
			return shardHead(n) + fmt.Sprintf(finding, 0) + strings.Repeat(fmt.Sprintf(change, 0), n) + each(n, changed)
		}},
		"changes of each key":  {true, func(n int) string { return shardHead(n) + fmt.Sprintf(finding, 0) + each(n, change) + each(n, changed) }},
		"much behind it":       {true, func(n int) string { return shardHead(0) + strings.Repeat(" ", 100*n) }},
		"much before it":       {false, func(n int) string { return strings.Repeat(" ", 100*n) }},
		"findings of the sets": {false, func(n int) string { return `{"sets":[` + strings.Repeat(`{},`, n) + `{}]}` }},
		"lines of nothing":     {false, func(n int) string { return shardHead(n) + strings.Repeat("{}\n", n) }},
		"findings alone":       {false, func(n int) string { return shardHead(n) + each(n, finding) }},
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

func shardHead(rows int) string {
	return fmt.Sprintf(`{"format":"packfn.fleet-shard/v2","version":"v","shard":{"index":1,"of":1},"earlier":{},"rows":%d}`+"\n", rows)
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
