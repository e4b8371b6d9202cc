// Command fleet-shard computes a tenth of the fleet on standard input, in the form of
// fleetinput, and prints the shard.
package main

import (
	"fmt"
	"os"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/tests/bench/fleetinput"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fleet-shard:", err)
		os.Exit(1)
	}
}

func run() error {
	defer packfntest.HeapOfShard.Set()()
	values.KeepRecent(packfntest.RecentBytes, packfntest.MostRecentBytes)
	p, dir, err := fleetinput.Preview(os.Stdin, packfntest.FleetOptions{Shard: &packfntest.Shard{Index: 1, Of: 10}})
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	return p.WriteShard(os.Stdout, "")
}
