// Program fake replaces a function where the runner itself is tested. What it does depends on the text that it
// reads:
//
//	paint: red         becomes blue, with a result of severity info
//	forbidden: true    gives a result of severity error, a line on stderr and the exit code 1
//	grow: x            grows by an x, in every run
//
// When E2E_DUMP names a folder, the input is saved in it, as 0.yaml, 1.yaml and so on.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	if dir := os.Getenv("E2E_DUMP"); dir != "" {
		saved, err := os.ReadDir(dir)
		if err != nil {
			fail(err)
		}
		name := filepath.Join(dir, fmt.Sprintf("%d.yaml", len(saved)))
		if err := os.WriteFile(name, data, 0o644); err != nil {
			fail(err)
		}
	}
	list := string(data)
	if strings.Contains(list, "forbidden: true") {
		fmt.Print(list, `results:
- message: "this is forbidden [fake/forbidden]"
  severity: error
`)
		fmt.Fprintln(os.Stderr, "this is forbidden [fake/forbidden]")
		os.Exit(1)
	}
	list = strings.ReplaceAll(list, "grow: x", "grow: xx")
	if strings.Contains(list, "paint: red") {
		list = strings.ReplaceAll(list, "paint: red", "paint: blue") + `results:
- message: painted
  severity: info
`
	}
	fmt.Print(list)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
