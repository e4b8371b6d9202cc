package function

import (
	"fmt"
	"io"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// readmes is the address of the folders of the functions, which have their READMEs.
const readmes = "https://github.com/krm-packs/functions/blob/main/functions/"

// Short returns the line that the README begins with: what the function does.
func (d Docs) Short() string {
	_, short, _ := strings.Cut(string(d.Readme), "<!--mdtogo:Short-->")
	short, _, _ = strings.Cut(short, "<!--mdtogo-->")
	return strings.Join(strings.Fields(short), " ")
}

// printHelp prints how to use the program of a function.
func printHelp(f Function, docs Docs, stdout, stderr io.Writer) int {
	files := "it reads these, and prints the findings for people"
	if f.Mutates {
		files = "it reads these, and prints their resources as changed; findings go to standard error"
	}
	var kinds []string
	for _, accepted := range f.configTypes() {
		kinds = append(kinds, accepted.String())
	}
	_, err := fmt.Fprintf(stdout, `Usage: %[1]s [FILE…]

%[2]s
%[1]s reads a ResourceList from standard input and prints it with its results, as kpt, kustomize and Porch ask for.
With files as arguments, %[3]s.
The functionConfig has the kind %[4]s.
The exit code is 1 if an error was found, otherwise 0.

Flags:
  -h, --help      print this text
      --doc       print the documentation and the metadata as JSON
      --version   print the version

More: %[5]s%[1]s/README.md
`, f.Name, docs.Short(), files, diag.OneOf(kinds), readmes)
	if err != nil {
		fmt.Fprintf(stderr, "%s: writing the output: %v\n", f.Name, err)
		return 1
	}
	return 0
}
