// Command fleet previews the fleet on standard input: files in the
// folders set and upstream, each after a line with its path, -- set/a.yaml --. It fails unless every package can be deployed.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/check"
	"github.com/krm-packs/functions/pkg/fleet"
	"github.com/krm-packs/functions/pkg/report"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

func run() error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := unpack(string(text), dir); err != nil {
		return err
	}
	debug.SetGCPercent(fleet.GCPercent)
	p, err := fleet.Run(context.Background(), fleet.Options{
		Functions: suite.All(), Checks: check.Names,
		Sets: []string{filepath.Join(dir, "set")}, Upstreams: []fleet.Upstream{{Dir: filepath.Join(dir, "upstream")}},
	})
	if err != nil {
		return err
	}
	if err := p.Write(os.Stdout, fleet.Print{Format: report.JSON}); err != nil {
		return err
	}
	if p.IsFailed() {
		return fmt.Errorf("%s", p.Summary())
	}
	return nil
}

// unpack writes the files of an input to a folder.
func unpack(text, dir string) error {
	for part := range strings.SplitSeq(text, "\n-- ") {
		name, content, _ := strings.Cut(strings.TrimPrefix(part, "-- "), " --\n")
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(content+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}
