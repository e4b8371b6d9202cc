package function

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
)

// readmes is the address of the folders of the functions, which have their READMEs.
const readmes = "https://github.com/krm-packs/functions/blob/main/functions/"

// Short returns the line that the README begins with: what the function does.
func (d Docs) Short() string { return strings.Join(strings.Fields(d.part("Short")), " ") }

// part returns the text between two markers of the README, "" without these:
//
//	<!--mdtogo:Short-->
//	Apply named presets to the values of packs.
//	<!--mdtogo-->
func (d Docs) part(name string) string {
	_, text, _ := strings.Cut(string(d.Readme), "<!--mdtogo:"+name+"-->")
	text, _, _ = strings.Cut(text, "<!--mdtogo-->")
	return strings.TrimSpace(text)
}

// printDocs prints the documentation and the metadata as JSON, as kpt's SDK does, so that tools read them like the
// documentation of every function of the catalog. A test compares both.
func printDocs(name string, docs Docs, stdout, stderr io.Writer) int {
	printed := struct {
		Short              string   `json:"short"`
		Long               string   `json:"long"`
		Examples           string   `json:"examples"`
		Image              string   `json:"image" yaml:"image"`
		Description        string   `json:"description" yaml:"description"`
		Tags               []string `json:"tags" yaml:"tags"`
		SourceURL          string   `json:"sourceURL" yaml:"sourceURL"`
		ExamplePackageURLs []string `json:"examplePackageURLs" yaml:"examplePackageURLs"`
		License            string   `json:"license" yaml:"license"`
		Hidden             bool     `json:"hidden" yaml:"hidden"`
	}{}
	if err := yaml.Unmarshal(docs.Metadata, &printed); err != nil {
		fmt.Fprintf(stderr, "%s: metadata.yaml: %v\n", name, err)
		return 1
	}
	printed.Short, printed.Long, printed.Examples = docs.part("Short"), docs.part("Long"), docs.part("Examples")
	text, err := json.MarshalIndent(printed, "", "  ")
	if err == nil {
		_, err = stdout.Write(text)
	}
	return exitOfWriting(name, err, stderr)
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
	return exitOfWriting(f.Name, err, stderr)
}

// exitOfWriting returns the exit code of a program that has written its output, and prints the error if there is one.
func exitOfWriting(name string, err error, stderr io.Writer) int {
	if err != nil {
		fmt.Fprintf(stderr, "%s: writing the output: %v\n", name, err)
		return 1
	}
	return 0
}
