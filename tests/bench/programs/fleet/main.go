// Command fleet previews the fleet on standard input, in the form of fleetinput. It fails
// unless every package can be deployed.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/fleet"
	"github.com/krm-packs/functions/pkg/packfn/report"
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
	defer fleet.Collect(false)()
	values.KeepRecent(fleet.RecentBytes, fleet.MostRecentBytes)
	p, dir, err := fleetinput.Preview(os.Stdin, fleet.Options{Checks: check.Names(suite.All())})
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	if err := p.Write(os.Stdout, fleet.Print{Format: report.JSON}); err != nil {
		return err
	}
	if p.IsFailed() {
		return errors.New(p.Summary())
	}
	return nil
}
