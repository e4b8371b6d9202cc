// Package fleetinput previews the fleet that tests/bench writes as one text, for the
// programs that are measured with it.
package fleetinput

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// Preview reads the files in the folders set and upstream, each after a line with its
// path, -- set/a.yaml --. It writes them to a new folder, which the caller removes, and
// previews the fleet with these options.
func Preview(in io.Reader, options packfntest.FleetOptions) (preview *packfntest.Preview, dir string, err error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, "", err
	}
	if dir, err = os.MkdirTemp("", "bench-fleet-"); err != nil {
		return nil, "", err
	}
	for part := range strings.SplitSeq(string(text), "\n-- ") {
		name, content, _ := strings.Cut(strings.TrimPrefix(part, "-- "), " --\n")
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, dir, err
		}
		if err := os.WriteFile(file, []byte(content+"\n"), 0o644); err != nil {
			return nil, dir, err
		}
	}
	options.Functions = suite.All()
	options.Sets = []string{filepath.Join(dir, "set")}
	options.Upstreams = []packfntest.Upstream{{Dir: filepath.Join(dir, "upstream")}}
	preview, err = packfntest.RunFleet(context.Background(), options)
	return preview, dir, err
}
