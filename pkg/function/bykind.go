package function

import (
	"os"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/memory"
	"github.com/krm-packs/functions/pkg/values"
)

// MainByKind runs, for the list on standard input, the one of several functions whose
// functionConfig it has, and returns the exit code. A list where the kind of its
// functionConfig names no function is written back unchanged, with an error on standard
// error: a client that finds no list deletes the package.
func MainByKind(program string, functions []Function) int {
	memory.Guard()
	return serve(program, byKind(functions), os.Stdin, os.Stdout, os.Stderr)
}

// byKind chooses the function that has the kind of the functionConfig.
func byKind(functions []Function) chooser {
	return func(config *yaml.Node) (Function, diag.Finding) { return ByKind(functions, config) }
}

// ByKind returns the function that the kind of a functionConfig names. If there is none, New of the
// function is nil, and the finding explains why; else Found of the finding is "".
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
