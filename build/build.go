// Package build has what is generated for editors, for the programs that use it.
package build

import (
	"embed"
	"io/fs"
)

//go:embed schemas/*.json
var files embed.FS

// Schemas returns the JSON Schemas of the kinds and documents of the suite, by the names of
// their files.
func Schemas() fs.FS {
	below, _ := fs.Sub(files, "schemas")
	return below
}
