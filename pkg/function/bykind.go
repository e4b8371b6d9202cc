package function

import (
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// MainByKind runs, for the list on standard input, the one of several functions whose
// functionConfig it has, and returns the exit code. A list where the kind of its
// functionConfig names no function is written back unchanged, with an error on standard
// error: a client that finds no list deletes the package.
func MainByKind(program string, functions []Function) int {
	return runByKind(program, functions, os.Stdin, os.Stdout, os.Stderr)
}

func runByKind(program string, functions []Function, stdin *os.File, stdout, stderr io.Writer) int {
	input, err := readAll(stdin, maxInput)
	if err != nil {
		fmt.Fprintf(stderr, "%s: reading standard input: %v\n", program, err)
		return 1
	}
	l, err := list.Read(input)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %s\n", program, diag.OneLine(err.Error()))
		return 1
	}
	f, finding := ByKind(functions, l.Config())
	if f.New == nil {
		stdout.Write(input)
		fmt.Fprintf(stderr, "%s: %s\n", program, finding.Message())
		return 1
	}
	return filter(f, input, stdout, stderr)
}

// ByKind returns the function that the kind of a functionConfig names. The finding says
// why there is none: then New of the function is nil.
func ByKind(functions []Function, config *yaml.Node) (Function, diag.Finding) {
	given := TypeMeta{values.Text(values.Field(config, "apiVersion")), values.Text(values.Field(config, "kind"))}
	var kinds, names []string
	for _, f := range functions {
		for _, kind := range append([]TypeMeta{{ConfigGroupVersion, f.Kind}}, f.Accepts...) {
			if kind == given {
				return f, diag.Finding{}
			}
			kinds = append(kinds, kind.Kind)
		}
		names = append(names, f.Name)
	}
	switch {
	case config == nil || len(config.Content) == 0:
		return Function{}, diag.Say("there is no functionConfig, whose kind names the function").
			Do("use the image or the program of the function: " + diag.OneOf(names))
	case given == configMapType:
		return Function{}, diag.Say("a ConfigMap as functionConfig does not name the function").
			Do("use the image or the program of the function: " + diag.OneOf(names))
	}
	f := diag.GotName(given.Kind, kinds)
	f.Found = "functionConfig of kind " + given.String()
	return Function{}, f
}

// IsTerminal reports whether reading standard input would wait for a user to type.
func IsTerminal() bool { return isTerminal(os.Stdin) }
