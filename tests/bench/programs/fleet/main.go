// Command fleet previews the fleet on standard input, in the form of fleetinput. It fails
// unless every package can be deployed.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/tests/bench/fleetinput"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

func run() error {
	defer packfntest.HeapOfFleet.Set()()
	values.KeepRecent(packfntest.RecentBytes, packfntest.MostRecentBytes)
	p, dir, err := fleetinput.Preview(os.Stdin, packfntest.FleetOptions{})
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	if err := p.Write(os.Stdout, packfntest.FleetPrint{Format: "json"}); err != nil {
		return err
	}
	if p.IsFailed() {
		return errors.New(p.Summary())
	}
	return nil
}
