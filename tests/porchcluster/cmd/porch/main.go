// Command porch runs a whole Porch with the examples of the suite on this machine, until it
// is interrupted. See the README of tests/porchcluster.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/krm-packs/functions/tests/porchcluster"
)

func main() {
	build := flag.Bool("build", false, "build the programs that are not in the cache, and start nothing")
	built := flag.Bool("built", false, "exit with 0 if all programs are in the cache, and otherwise say which are not and exit with 1")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch {
	case *built:
		var missing []string
		if _, missing, err = porchcluster.Built(); err == nil && len(missing) > 0 {
			fmt.Println("not built:", strings.Join(missing, ", "))
			os.Exit(1)
		}
	case *build:
		_, err = porchcluster.Build(ctx, os.Stderr)
	default:
		err = demo(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// demo starts Porch with the example fleet, and prints how to look at it.
func demo(ctx context.Context) (err error) {
	programs, err := porchcluster.Build(ctx, os.Stderr)
	if err != nil {
		return err
	}
	dir, remove, err := porchcluster.TempDir("porch-examples")
	if err != nil {
		return err
	}
	defer remove() //nolint:errcheck // it is temporary
	functions := filepath.Join(dir, "functions")
	if err := porchcluster.BuildFunctions(ctx, functions); err != nil {
		return err
	}
	example, err := porchcluster.WriteExample(ctx, filepath.Join(dir, "examples"))
	if err != nil {
		return err
	}
	cluster, err := porchcluster.StartSuite(ctx, porchcluster.Options{Programs: programs, Functions: functions, Log: os.Stderr})
	if err != nil {
		return err
	}
	defer func() {
		fmt.Fprintln(os.Stderr, "ending everything")
		if closeErr := cluster.Close(); err == nil {
			err = closeErr
		}
	}()
	fleet, err := cluster.NewFleet(ctx, "default")
	if err == nil {
		err = fleet.ApplyExample(ctx, example)
	}
	if err != nil {
		return err
	}
	fmt.Printf(`
Porch runs with the set of examples/expand-variant-set-fleet: 10 clusters. Their packages
appear within a minute. In another terminal:

  export KUBECONFIG=%[1]s
  alias porchctl=%[2]s
%[3]s  kubectl get packagevariants -o wide                              # if you have kubectl
  kubectl describe packagevariant platform-eu-central-3-platform   # why it is rejected
  less %[4]s

Ctrl-C ends everything and removes all files.
`, cluster.Kubeconfig, programs.Path("porchctl"), porchcluster.Commands, cluster.Log("porch-server"))
	return cluster.Run(ctx)
}
