// Command kpt-render renders the packages of the fleet on standard input by the kpt that is
// beside this program, one by one, with the functions there. It makes the packages by a
// preview, which the command fleet measures alone.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/fleet"
	"github.com/krm-packs/functions/pkg/staging"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "kpt-render:", err)
		os.Exit(1)
	}
}

func run() error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "kpt-render-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := unpack(string(text), dir); err != nil {
		return err
	}
	p, err := fleet.Run(context.Background(), fleet.Options{
		Functions: suite.All(), KeepFiles: true,
		Sets: []string{filepath.Join(dir, "set")}, Upstreams: []fleet.Upstream{{Dir: filepath.Join(dir, "upstream")}},
	})
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "out")
	var area staging.Area
	if err := area.WriteTree(context.Background(), out, p.Files()); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for i := range p.Rows {
		kpt := exec.Command(filepath.Join(filepath.Dir(self), "kpt"), "fn", "render", filepath.Join(out, p.Rows[i].Name()), "--allow-exec")
		kpt.Env = []string{"PATH=" + filepath.Dir(self), "HOME=" + dir}
		if output, err := kpt.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", p.Rows[i].Name(), err, output)
		}
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
