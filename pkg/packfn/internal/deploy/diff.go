package deploy

import (
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/breaking"
	"github.com/krm-packs/functions/pkg/packfn/internal/patch"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/values"
)

// Change is the difference of a resource.
type Change struct {
	// Name is its kind, namespace and name: `Deployment/default/web`.
	Name string
	// What is added, removed or changed.
	What string
	// Patch is the difference in the unified format.
	Patch string
}

// Diff returns the differences between the resources that packs deploy, by kind and name. Values
// that may be secrets, and all content of Secrets, are masked unless show is true, but the diff
// still shows that they change.
func Diff(before, after []*Rendered, show bool) []Change {
	old, next := resources(before, show), resources(after, show)
	names := maps.Clone(old)
	maps.Copy(names, next)
	var all []Change
	for _, name := range slices.Sorted(maps.Keys(names)) {
		from, had := old[name]
		to, has := next[name]
		c := Change{Name: name, What: "changed"}
		switch {
		case from == to:
			continue
		case !had:
			c.What, c.Patch = "added", patch.Of(name, nil, []byte(to))
		case !has:
			c.What, c.Patch = "removed", patch.Of(name, []byte(from), nil)
		default:
			c.Patch = patch.Of(name, []byte(from), []byte(to))
		}
		c.Patch = tag.ReplaceAllString(c.Patch, "")
		all = append(all, c)
	}
	return all
}

// resources returns the text of each resource by its name. The texts of resources with the same name are joined.
func resources(all []*Rendered, show bool) map[string]string {
	found := map[string]string{}
	for _, r := range all {
		for _, m := range r.Manifests {
			for _, document := range documents(m.Text) {
				for _, one := range itemsOf(document) {
					text := one.Text()
					if !show {
						text = masked(text, r.secrets)
					}
					found[nameOf(one.Root())] += text
				}
			}
		}
	}
	return found
}

// nameOf names a resource: `Deployment/default/web`.
func nameOf(root *yaml.Node) string {
	parts := []string{values.Text(values.Field(root, "kind"))}
	for _, field := range []string{"namespace", "name"} {
		if part := values.Text(values.Field(root, "metadata", field)); part != "" {
			parts = append(parts, part)
		}
	}
	return diag.OneLine(strings.Join(parts, "/"))
}

// itemsOf returns the items of a List as documents, because what is shown of a resource depends on its kind, or the
// document itself.
func itemsOf(document *values.Document) (all []*values.Document) {
	for _, item := range breaking.Items(document.Root()) {
		if item == document.Root() {
			return []*values.Document{document}
		}
		if text, err := yaml.Marshal(item); err == nil {
			if one, err := values.Parse(string(text)); err == nil {
				all = append(all, one)
			}
		}
	}
	return all
}

// tag matches the checksum that marks a masked line, so that a change of the masked value is a
// change of the line.
var tag = regexp.MustCompile("\x00[0-9a-f]{16}")

// masked returns a document without its secrets.
func masked(text string, secrets []string) string {
	file := shown.New("manifest.yaml", []byte(text), nil)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		seen := file.Line(i+1, diag.Terminal)
		for _, secret := range secrets {
			seen = strings.ReplaceAll(seen, secret, shown.Hidden)
		}
		if seen != line {
			sum := fnv.New64a()
			sum.Write([]byte(line))
			lines[i] = fmt.Sprintf("%s\x00%016x", seen, sum.Sum64())
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
