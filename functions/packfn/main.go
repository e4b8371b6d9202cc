// Command packfn holds all functions in one program: `packfn NAME` runs the
// function of that name, and so does a link to packfn with that name.
package main

import (
	"fmt"
	"os"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
)

func main() {
	args := os.Args[1:]
	if f, ok := find(function.ProgramName(os.Args[0])); ok {
		os.Exit(function.Main(f, functions.Docs(f.Name)))
	}
	if len(args) > 0 {
		if f, ok := find(args[0]); ok {
			os.Args = append([]string{os.Args[0]}, args[1:]...)
			os.Exit(function.Main(f, functions.Docs(f.Name)))
		}
	}
	usage := "packfn: name the function to run: " + diag.OneOf(names())
	if len(args) == 1 {
		switch args[0] {
		case "--version":
			os.Exit(function.PrintVersion("packfn", os.Stdout, os.Stderr))
		case "--help", "-h":
			if _, err := fmt.Println(usage); err != nil {
				fmt.Fprintln(os.Stderr, "packfn: writing the output:", err)
				os.Exit(1)
			}
			return
		}
	}
	if len(args) > 0 {
		usage += nearest.Hint(args[0], names())
	}
	fmt.Fprintln(os.Stderr, usage)
	os.Exit(1)
}

func find(name string) (function.Function, bool) {
	for _, f := range suite.All() {
		if f.Name == name {
			return f, true
		}
	}
	return function.Function{}, false
}

func names() []string {
	var names []string
	for _, f := range suite.All() {
		names = append(names, f.Name)
	}
	return names
}
