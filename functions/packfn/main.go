// Command packfn is the suite as one program. `packfn NAME` runs the function of that
// name, and so does a link to packfn with that name; its other commands import, check
// and change packs without kpt.
package main

import (
	"os"

	"github.com/krm-packs/functions/build"
	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/cli"
	"github.com/krm-packs/functions/pkg/packfn/helm/engine"
)

func main() {
	all, args := suite.All(), os.Args[1:]
	if f, ok := find(all, function.ProgramName(os.Args[0])); ok {
		os.Exit(function.Main(f, functions.Docs(f.Name)))
	}
	if len(args) == 1 && args[0] == cli.RenderCommand { // what packfn starts for charts
		os.Exit(engine.Main(os.Stdin, os.Stdout))
	}
	if len(args) == 0 && !function.IsTerminal() {
		os.Exit(function.MainByKind("packfn", all))
	}
	if len(args) == 1 && args[0] == "--version" {
		os.Exit(function.PrintVersion("packfn", os.Stdout, os.Stderr))
	}
	if len(args) > 0 {
		if f, ok := find(all, args[0]); ok {
			os.Args = append([]string{os.Args[0]}, args[1:]...)
			os.Exit(function.Main(f, functions.Docs(f.Name)))
		}
	}
	os.Exit(cli.Main(cli.Program{Functions: all, Docs: functions.Docs, Schemas: build.Schemas()}, args, os.Stdin, os.Stdout, os.Stderr))
}

func find(all []function.Function, name string) (function.Function, bool) {
	for _, f := range all {
		if f.Name == name {
			return f, true
		}
	}
	return function.Function{}, false
}
