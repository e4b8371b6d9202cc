// Command packfn holds all functions in one program: `packfn NAME` runs the
// function of that name, and so does a link to packfn that bears it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
)

func main() {
	name, args := filepath.Base(os.Args[0]), os.Args[1:]
	if f, ok := find(name); ok {
		os.Exit(function.Main(f, functions.Docs(f.Name)))
	}
	if len(args) > 0 {
		if f, ok := find(args[0]); ok {
			os.Args = append([]string{os.Args[0]}, args[1:]...)
			os.Exit(function.Main(f, functions.Docs(f.Name)))
		}
	}
	hint := ""
	if len(args) > 0 {
		hint = nearest.Hint(args[0], names())
	}
	fmt.Fprintf(os.Stderr, "packfn: name the function to run, one of %s%s\n", strings.Join(names(), ", "), hint)
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
