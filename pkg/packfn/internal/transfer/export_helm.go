package transfer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/values"
)

// Helm returns a directory for each pack of a package, with the effective values of its charts in
// files that Helm reads, and a README.md that lists the charts. The notes are about content that
// is not exported.
//
//	vault/README.md
//	vault/vault/values.yaml
func Helm(p *kptpackage.Package, functions []function.Function) (all []Exported, notes []string, err error) {
	packs, err := Effective(p, functions)
	if err != nil {
		return nil, nil, err
	}
	for i := range packs {
		e := &packs[i]
		more, err := e.helm()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		if notes = append(notes, more...); len(e.Files) > 0 {
			all = append(all, *e)
		}
	}
	return all, notes, nil
}

// helm replaces the files of a pack with the files for Helm. There are no files if the pack has
// no charts.
func (e *Exported) helm() (notes []string, err error) {
	var root *yaml.Node
	for _, f := range e.Files {
		if f.Name == valuesFile {
			document, err := values.Parse(string(f.Text))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			root = document.Root()
		}
	}
	e.Files = nil
	known, err := e.facts()
	if err != nil {
		return nil, err
	}
	keys := slices.Collect(maps.Keys(known.Charts))
	if len(keys) == 0 || known.Incomplete {
		for _, pair := range values.Pairs(values.Field(root, "charts")) {
			if name, ok := pair.Name(); ok && pair.Value.Kind == yaml.MappingNode {
				keys = append(keys, name)
			}
		}
	}
	slices.Sort(keys)
	if keys = slices.Compact(keys); len(keys) == 0 {
		return []string{e.Name + ": the pack has no charts"}, nil
	}
	if len(known.Manifests) > 0 {
		notes = append(notes, e.Name+": the manifests of the pack are not in a chart; packfn template prints them")
	}
	var readme bytes.Buffer
	fmt.Fprintf(&readme, "# %s %s\n\nThe values of its charts, as packfn export --as helm wrote them.\n\n| values | chart | version | sha256 | release | namespace |\n|---|---|---|---|---|---|\n", cell(e.Pack), cell(e.read.Version))
	macros, folders := 0, map[string]bool{"readme.md": true}
	for _, key := range keys {
		if err := staging.CheckName(key); err != nil {
			return nil, fmt.Errorf("charts.%s: %w", key, err)
		}
		if folders[strings.ToLower(key)] {
			return nil, fmt.Errorf("the folder of charts.%s and another file are one on some systems; rename the key", key)
		}
		folders[strings.ToLower(key)] = true
		text, count, err := helmValues(values.Field(root, "charts", key))
		if err != nil {
			return nil, fmt.Errorf("charts.%s: %w", key, err)
		}
		macros += count
		file, c := path.Join(key, valuesFile), known.Charts[key]
		if c == nil {
			c = &facts.Chart{}
		}
		e.Files = append(e.Files, packdir.File{Name: file, Text: text})
		release, namespace := chart.Release(root, key, cmp.Or(c.Name, key))
		readme.WriteString("|")
		for _, one := range []string{file, cmp.Or(c.Name, key), c.Version, e.digest(c), release, namespace} {
			fmt.Fprintf(&readme, " %s |", cell(cmp.Or(one, "-")))
		}
		readme.WriteString("\n")
	}
	e.Files = append(e.Files, packdir.File{Name: "README.md", Text: readme.Bytes()})
	if macros > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s with a macro, which no mutator of the package resolves", e.Name, diag.Count(macros, "value")))
	}
	return notes, nil
}

// facts returns the chart facts of the pack.
func (e *Exported) facts() (*facts.Pack, error) {
	if e.read.ChartFacts == nil {
		return &facts.Pack{}, nil
	}
	document, err := e.read.ChartFacts.Document()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", facts.FileName, err)
	}
	return facts.Read(document)
}

// digest returns the digest of a chart that the import recorded, or "" if there is none.
func (e *Exported) digest(c *facts.Chart) string {
	for _, name := range slices.Sorted(maps.Keys(e.record.Charts)) {
		if base := strings.TrimSuffix(path.Base(name), ".tgz"); c.Name != "" && (base == c.Name || base == c.Name+"-"+c.Version) {
			return e.record.Charts[name]
		}
	}
	return ""
}

// helmValues returns the values of a chart as a separate YAML text. It resolves aliases and merge
// keys, so that other YAML parsers read the same values. It also returns the number of values
// with a macro.
func helmValues(n *yaml.Node) (text []byte, macros int, err error) {
	if values.IsNull(n) {
		n = layout.Map()
	}
	if n.Kind != yaml.MappingNode {
		return nil, 0, errors.New("got " + values.KindOf(n) + ", and charts take a map")
	}
	text, err = values.Print(plain(n, &macros))
	return text, macros, err
}

// plain returns values without anchors and comments, and counts the macros in them.
func plain(n *yaml.Node, macros *int) *yaml.Node {
	n = values.Resolve(n)
	if n.Kind == yaml.ScalarNode && template.HasMacro(n.Value) {
		*macros++
	}
	c := *n
	c.Anchor, c.Content = "", nil
	if n.Kind == yaml.ScalarNode && n.Value == "" && values.IsNull(n) {
		c.Value = "null" // in flow style the encoder would write a string
	}
	if n.Kind == yaml.MappingNode {
		for _, pair := range values.Pairs(n) {
			c.Content = append(c.Content, layout.Clone(pair.Key), plain(pair.Value, macros))
		}
		return &c
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, plain(child, macros))
	}
	return &c
}

// cell escapes a text for a cell of a Markdown table.
func cell(text string) string { return strings.ReplaceAll(diag.OneLine(text), "|", "\\|") }
