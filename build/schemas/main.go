// Command schemas writes a JSON Schema for each kind that the functions read,
// for editors: go run ./build/schemas, from the root of the repository.
//
// The schemas are made of the same Go types that the kinds are decoded into, and
// of their comments, so that an editor accepts what a function accepts.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/fleet"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/policy"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/report"
)

func main() {
	files, err := generate(".")
	if err == nil {
		err = write(filepath.Join("build", "schemas"), files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generate returns the schemas by their file names, for the sources at root.
func generate(root string) (map[string][]byte, error) {
	d := &describer{root: root, comments: map[string]map[string]string{}}
	files := map[string][]byte{}
	add := func(apiVersion, kind string, spec any) error {
		s, err := d.kind(apiVersion, kind, spec)
		if err != nil {
			return err
		}
		text, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			return err
		}
		files[strings.ToLower(kind)+".json"] = append(text, '\n')
		return nil
	}
	for kind, spec := range pack.Kinds() {
		if err := add(pack.GroupVersion, kind, spec); err != nil {
			return nil, err
		}
	}
	for kind, spec := range policy.Kinds() {
		if err := add(manifest.GroupVersion, kind, spec); err != nil {
			return nil, err
		}
	}
	for _, f := range suite.All() {
		if err := add(function.ConfigGroupVersion, f.Kind, f.New().Config()); err != nil {
			return nil, err
		}
	}
	for name, form := range map[string]reflect.Type{"Report": reflect.TypeFor[report.File](), "Fleet": reflect.TypeFor[fleet.File]()} {
		described, err := d.document(name, form)
		if err != nil {
			return nil, err
		}
		text, err := json.MarshalIndent(described, "", "  ")
		if err != nil {
			return nil, err
		}
		files[strings.ToLower(name)+".json"] = append(text, '\n')
	}
	return files, nil
}

func write(dir string, files map[string][]byte) error {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
