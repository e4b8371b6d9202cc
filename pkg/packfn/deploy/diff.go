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
	"github.com/krm-packs/functions/pkg/packfn/patch"
	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/schema"
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

// Diff returns the differences of what packs deploy, by kind and name. Values that may be
// secrets, and all of Secrets, are masked unless they are shown; that they change is seen.
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

// resources returns the text of each resource. Those of one name are one text.
func resources(all []*Rendered, show bool) map[string]string {
	found := map[string]string{}
	for _, r := range all {
		for _, m := range r.Manifests {
			for _, document := range documents(m.Text) {
				root, text := document.Root(), document.Text()
				parts := []string{values.Text(values.Field(root, "kind"))}
				for _, field := range []string{"namespace", "name"} {
					if part := values.Text(values.Field(root, "metadata", field)); part != "" {
						parts = append(parts, part)
					}
				}
				if !show {
					text = masked(text, root, r.secrets)
				}
				found[diag.OneLine(strings.Join(parts, "/"))] += text
			}
		}
	}
	return found
}

// tag marks a masked line with a sum of what it was, so that a change of it is one of lines.
var tag = regexp.MustCompile("\x00[0-9a-f]{16}")

// masked returns a document without the values that may be secrets.
func masked(text string, root *yaml.Node, secrets []string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	whole := linesOf(root, lines)
	for i, line := range lines {
		shown := line
		if whole[i] {
			shown = report.Mask(line)
		}
		for _, secret := range secrets {
			shown = strings.ReplaceAll(shown, secret, report.Hidden)
		}
		if shown != line {
			sum := fnv.New64a()
			sum.Write([]byte(line))
			lines[i] = fmt.Sprintf("%s\x00%016x", shown, sum.Sum64())
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// linesOf returns the indexes of the lines that have a secret: the data of Secrets, values
// of keys that are named like one, and of entries with such a name, as variables of the
// environment are.
func linesOf(root *yaml.Node, lines []string) map[int]bool {
	whole := map[int]bool{}
	hide := func(n *yaml.Node) {
		if n.Value == "" || n.ShortTag() == "!!bool" || n.ShortTag() == "!!null" {
			return
		}
		first := n.Line - 1
		whole[first] = true
		if first >= len(lines) || !isLong(n) {
			return
		}
		indent := indentOf(lines[first])
		for i := first + 1; i < len(lines) && (strings.TrimSpace(lines[i]) == "" || indentOf(lines[i]) > indent); i++ {
			whole[i] = true
		}
	}
	isSecret := values.Text(values.Field(root, "kind")) == "Secret"
	walk(root, "", nil, func(path string, n, parent *yaml.Node) {
		isData := isSecret && (strings.HasPrefix(path, "data") || strings.HasPrefix(path, "stringData"))
		isEntry := n == values.Field(parent, "value") && schema.IsSecretKey(values.Text(values.Field(parent, "name")))
		if isData || isEntry || schema.IsSecretKey(path[strings.LastIndexByte(path, '.')+1:]) {
			hide(n)
		}
	})
	return whole
}

// isLong reports whether a scalar may have more than one line.
func isLong(n *yaml.Node) bool {
	return n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 || strings.ContainsAny(n.Value, " \n")
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
