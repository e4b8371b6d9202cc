package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/registry"
	"github.com/krm-packs/functions/pkg/values"
)

// Require returns the errors about paths of a key that are not there, with their lines in the file;
// nil if all are. The keys are sources, catalogs, fleet.set and fleet.upstream.
func (f *File) Require(key string) error {
	of := values.Resolve(values.Field(f.root, strings.Split(key, ".")...))
	var missing []string
	add := func(step, path string, n *yaml.Node) {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, fmt.Sprintf("%s:%d: %s%s: %s: no such file or directory", f.Path, values.At(n).Line, key, step, path))
		}
	}
	addAll := func(paths []string) {
		for i, path := range paths {
			switch {
			case registry.Is(path):
			case of.Kind == yaml.SequenceNode:
				add(fmt.Sprintf("[%d]", i), path, of.Content[i])
			default:
				add("", path, of)
			}
		}
	}
	switch key {
	case "sources":
		addAll(f.Shown())
	case "catalogs":
		addAll(f.OfCatalogs())
	case "fleet.set":
		addAll(f.Sets())
	case "fleet.upstream":
		for _, name := range slices.Sorted(maps.Keys(f.Fleet.Upstream)) {
			add("["+name+"]", f.path(f.Fleet.Upstream[name]), values.Field(of, name))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return errors.New(strings.Join(missing, "; "))
}
