// Command kpt-render renders the packages of the fleet on standard input by the kpt in the
// folder of this program, one by one, with the functions there. It makes the packages by a
// preview, which the command fleet measures alone.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/tests/bench/fleetinput"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "kpt-render:", err)
		os.Exit(1)
	}
}

func run() error {
	p, dir, err := fleetinput.Preview(os.Stdin, packfntest.FleetOptions{KeepFiles: true})
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "out")
	var area packfntest.Area
	if err := area.WriteTree(context.Background(), out, p.Files("")); err != nil {
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
