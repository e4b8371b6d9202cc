// Command schemas writes a JSON Schema for each kind that the functions read,
// for editors: go run ./build/schemas, from the root of the repository.
//
// It also writes CustomResourceDefinitions of the kinds that are content of packages to
// build/crds, for clusters that hold them: Porch injects a ClusterContext from its cluster.
//
// The schemas are generated from the same Go types that the kinds are decoded into, and
// of their comments, so that an editor accepts what a function accepts. docs/reference.md is
// made of the schemas and of the files in complete/, which have an example of each field.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/cli"
	"github.com/krm-packs/functions/pkg/policy"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/set"
)

func main() {
	files, crds, err := generate(".")
	if err == nil {
		err = errors.Join(write(filepath.Join("build", "schemas"), files), write(filepath.Join("build", "crds"), crds))
	}
	if err == nil {
		var page []byte
		if page, err = reference(".", files); err == nil {
			err = write("docs", map[string][]byte{"reference.md": page})
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generate returns the schemas and the CustomResourceDefinitions by their file names, for
// the sources at root.
func generate(root string) (files, crds map[string][]byte, err error) {
	d := &describer{root: root, comments: map[string]map[string]string{}}
	files, crds = map[string][]byte{}, map[string][]byte{}
	add := func(apiVersion, kind string, spec any) error {
		s, err := d.kind(apiVersion, kind, spec)
		if err != nil {
			return err
		}
		if group, _, _ := strings.Cut(apiVersion, "/"); group == variant.Group { // of Porch, which has the definition
			s["additionalProperties"] = true // status
		} else if apiVersion != function.ConfigGroupVersion {
			name, text, err := definition(apiVersion, kind, s)
			if err != nil {
				return err
			}
			crds[name] = text
		}
		text, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			return err
		}
		files[fileOf(kind)] = append(text, '\n')
		return nil
	}
	for kind, spec := range pack.Kinds() {
		if err := add(pack.GroupVersion, kind, spec); err != nil {
			return nil, nil, err
		}
	}
	for kind, spec := range policy.Kinds() {
		if err := add(manifest.GroupVersion, kind, spec); err != nil {
			return nil, nil, err
		}
	}
	foreign := map[string]string{variant.Kind: variant.GroupVersion, set.Kind: set.APIVersion}
	for _, f := range suite.All() {
		if err := add(function.ConfigGroupVersion, f.Kind, f.New().Config()); err != nil {
			return nil, nil, err
		}
		for kind, spec := range f.Kinds {
			if foreign[kind] == "" {
				continue
			}
			if err := add(foreign[kind], kind, spec); err != nil {
				return nil, nil, err
			}
		}
	}
	documents := map[string]reflect.Type{}
	for _, forms := range []map[string]any{pack.Documents(), cli.Documents()} {
		for name, form := range forms {
			documents[name] = reflect.TypeOf(form).Elem()
		}
	}
	for name, form := range documents {
		described, err := d.document(name, form)
		if err != nil {
			return nil, nil, err
		}
		text, err := json.MarshalIndent(described, "", "  ")
		if err != nil {
			return nil, nil, err
		}
		files[fileOf(name)] = append(text, '\n')
	}
	return files, crds, nil
}

func write(dir string, files map[string][]byte) error {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
