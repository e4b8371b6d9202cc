package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
)

// The first argument names what the program does. Without arguments it checks the limits.
const (
	// commandRun runs the function of the next argument over standard input.
	commandRun = "run"
	// commandPrint prints the input of the next arguments, a name and a size.
	commandPrint = "print"
	// commandCount prints the counts of the works whose names contain the next argument; of
	// all without it.
	commandCount = "count"
	// commandPackfn runs packfn with the next arguments.
	commandPackfn = "packfn"
)

func main() {
	if len(os.Args) == 1 {
		os.Exit(checkLimits())
	}
	os.Exit(do(os.Args[1], os.Args[2:]))
}

func do(command string, args []string) int {
	switch {
	case command == commandRun && len(args) == 1:
		return runFunction(args[0])
	case command == commandPrint && len(args) == 2:
		return printInput(args[0], args[1])
	case command == commandCount && len(args) <= 1:
		return printCounts(strings.Join(args, ""))
	case command == commandPackfn:
		return runCommand(args)
	}
	fmt.Fprintln(os.Stderr, "hostile takes no arguments")
	return 2
}

// runFunction runs a function over standard input and returns its exit code.
func runFunction(name string) int {
	for _, f := range suite.All() {
		if f.Name == name {
			os.Args = os.Args[:1]
			return function.Main(f, functions.Docs(name))
		}
	}
	fmt.Fprintln(os.Stderr, "no function is named", name)
	return 2
}
