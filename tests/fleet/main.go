// Command fleet renders a whole fleet offline, as Porch would: it expands the PackageVariantSet of
// examples/expand-variant-set-fleet, makes each variant's package out of examples/inject-config-fleet, renders it with
// kpt, and prints one table.
//
//	go run ./tests/fleet [-keep DIR]
//
// Its exit code says whether the fleet could be previewed, not whether every package can be deployed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/krm-packs/functions/tests/e2e"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fleet", flag.ContinueOnError)
	keep := flags.String("keep", "", "write the packages into this folder, and leave them there")
	if err := flags.Parse(args); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	bin := filepath.Join(scratch, "bin")
	if _, err := e2e.BuildFunctions(".", bin); err != nil {
		return err
	}
	kpt, err := findKpt(out)
	if err != nil {
		return err
	}
	f := e2e.Fleet{Kpt: kpt, Bin: bin, Dir: filepath.Join(scratch, "fleet"), Examples: "examples"}
	if *keep != "" {
		f.Dir = *keep
	}
	outcomes, err := f.Preview()
	if err != nil {
		return err
	}
	return e2e.Table(out, outcomes)
}

// findKpt returns the kpt on PATH, else the pinned one, which it builds.
func findKpt(out io.Writer) (string, error) {
	if kpt, err := exec.LookPath("kpt"); err == nil {
		return filepath.Abs(kpt)
	}
	fmt.Fprintln(out, "There is no kpt on PATH: building the pinned one, which takes a minute or two the first time.")
	bin, err := filepath.Abs(filepath.Join(".cache", "bin"))
	if err != nil {
		return "", err
	}
	return filepath.Join(bin, "kpt"), e2e.BuildTools(".", bin)
}
