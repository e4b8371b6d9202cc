package variant

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Difference lists the fields in which one value differs from another, by their
// paths alone: what they hold may be a secret.
type Difference struct{ Set, Added, Removed []string }

// IsEmpty reports whether there is no difference.
func (d *Difference) IsEmpty() bool { return len(d.Set)+len(d.Added)+len(d.Removed) == 0 }

// namedPaths bounds the paths that a message names.
const namedPaths = 8

// String is `sets a, b; adds c; removes d`.
func (d *Difference) String() string {
	var parts []string
	for _, part := range []struct {
		verb  string
		paths []string
	}{{"sets", d.Set}, {"adds", d.Added}, {"removes", d.Removed}} {
		if len(part.paths) == 0 {
			continue
		}
		text := part.verb + " " + strings.Join(part.paths[:min(len(part.paths), namedPaths)], ", ")
		if more := len(part.paths) - namedPaths; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// compare adds the differences between two values at a path.
func (d *Difference) compare(path string, old, want *yaml.Node) {
	old, want = values.Resolve(old), values.Resolve(want)
	switch {
	case old == want:
	case old == nil:
		d.Added = append(d.Added, path)
	case want == nil:
		d.Removed = append(d.Removed, path)
	case old.Kind == yaml.MappingNode && want.Kind == yaml.MappingNode && len(old.Content) > 0 && len(want.Content) > 0:
		after := map[string]*yaml.Node{}
		for _, p := range values.Pairs(want) {
			name, _ := p.Name()
			after[name] = p.Value
		}
		for _, p := range values.Pairs(old) {
			name, _ := p.Name()
			d.compare(diag.Join(path, name), p.Value, after[name])
			delete(after, name)
		}
		for _, p := range values.Pairs(want) {
			if name, _ := p.Name(); after[name] != nil {
				d.compare(diag.Join(path, name), nil, p.Value)
			}
		}
	case old.Kind == yaml.SequenceNode && want.Kind == yaml.SequenceNode && len(old.Content) == len(want.Content):
		for i := range old.Content {
			d.compare(fmt.Sprintf("%s[%d]", path, i), old.Content[i], want.Content[i])
		}
	case !values.Equal(old, want):
		d.Set = append(d.Set, path)
	}
}
