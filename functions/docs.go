// Package functions holds the documents of the functions, which their programs
// embed: --help prints what the README begins with, --doc the README and the metadata as JSON.
package functions

import (
	"embed"

	"github.com/krm-packs/functions/pkg/function"
)

//go:embed */README.md */metadata.yaml
var files embed.FS

// Docs returns the documents of the function of a name, empty ones if no
// function has the name.
func Docs(name string) function.Docs {
	readme, _ := files.ReadFile(name + "/README.md")
	metadata, _ := files.ReadFile(name + "/metadata.yaml")
	return function.Docs{Readme: readme, Metadata: metadata}
}
