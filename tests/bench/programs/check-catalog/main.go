// Command check-catalog checks the file-based catalog on standard input, as packfn check does. It
// fails if the catalog has an error.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "check-catalog:", err)
		os.Exit(1)
	}
}

func run() error {
	defer packfntest.HeapOfCheck.Set()()
	dir, err := os.MkdirTemp("", "catalog")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "catalog.json")
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, os.Stdin); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	r, err := packfntest.Check([]string{name}, packfntest.CheckOptions{Functions: suite.All(), Root: dir})
	if err == nil && r.Failed() {
		err = fmt.Errorf("%s: %s", r.Findings[0].Rule, r.Findings[0].Message)
	}
	return err
}
