package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run runs a command. Folders are relative to build/release, where `go run -C` starts it.
func run(args []string, stdout io.Writer) error {
	if len(args) == 0 {
		return errors.New("no command. Available: completions, describe, images, runner and notes")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	root := flags.String("root", "../..", "the folder of the sources")
	out := flags.String("out", "../../dist", "the folder to write to; for runner, the tarball")
	names := flags.String("programs", "", "the programs, separated by commas (default all)")
	systems := flags.String("platforms", defaultPlatforms[args[0]], "the platforms, separated by commas")
	tag := flags.String("tag", "", "images: the tag, in place of those of the version; notes: the tag that the version must be; runner: the name of the image")
	load := flags.Bool("load", false, "images: give those for this machine to Docker, too")
	push := flags.String("push", "", "images: push to this registry and folder")
	base := flags.String("base", "", "runner: the image of the function runner, or a tarball of it")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	s, err := openSuite(*root)
	if err != nil {
		return err
	}
	programs, err := s.choose(*names)
	if err != nil {
		return err
	}
	switch args[0] {
	case "describe":
		if flags.NArg() != 1 {
			return fmt.Errorf("describe: must have one program, got %d", flags.NArg())
		}
		return s.describe(flags.Arg(0))
	case "completions":
		return s.completions(*out)
	case "images":
		platforms, err := parsePlatforms(*systems)
		if err != nil {
			return err
		}
		all, err := s.images(programs, platforms, imageOptions{out: *out, tag: *tag, load: *load, push: *push})
		for _, b := range all {
			fmt.Fprintf(stdout, "%s:%s@%s\n", b.Name, b.Tags[0], b.Digest)
		}
		return err
	case "runner":
		if *base == "" || *tag == "" {
			return errors.New("runner: want --base and --tag")
		}
		return s.runner(*base, *out, *tag)
	case "notes":
		notes, err := s.notes(*tag)
		fmt.Fprint(stdout, notes)
		return err
	}
	return fmt.Errorf("unknown command %q. Available: completions, describe, images, runner and notes", args[0])
}

var defaultPlatforms = map[string]string{
	"images": "linux/amd64,linux/arm64",
}
