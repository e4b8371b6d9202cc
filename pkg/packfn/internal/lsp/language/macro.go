package language

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/values"
)

// The prefixes of the names of macros.
const (
	macroRoot    = ".spectro."
	systemPrefix = macroRoot + "system."
	packPrefix   = macroRoot + "pack."
	varPrefix    = macroRoot + "var."
	macroPrefix  = macroRoot + "macro."
)

// macroFields maps the fields of a ClusterContext with values for macros to the prefixes of the
// macros that read them. `{{ .spectro.var.zone }}` reads:
//
//	spec:
//	  variables: {zone: a}
var macroFields = map[string]string{"system": systemPrefix, "variables": varPrefix, "macros": macroPrefix}

// macroTail matches the part of a name or a function that is already typed in an action.
var macroTail = regexp.MustCompile(`(?:^|[\s(|])(\.[A-Za-z0-9_.-]*|[A-Za-z][A-Za-z0-9]*|)$`)

// macro returns the words that can be typed in the template action at the position, and the
// offset where the word begins. isIn is false outside of actions.
func (c *Query) macro() (from int, words []candidate, isIn bool) {
	t := c.site
	before := t.whole[t.lineStart():t.at]
	open := strings.LastIndex(before, "{{")
	if open < 0 || strings.Contains(before[open:], "}}") || t.document == schemaDocument {
		return 0, nil, false
	}
	tail := macroTail.FindStringSubmatch(strings.TrimPrefix(before[open+2:], "-"))
	if tail == nil {
		return 0, nil, true
	}
	word := tail[1]
	if !strings.HasPrefix(word, ".") {
		for _, name := range macro.FunctionNames() {
			words = append(words, candidate{text: name, kind: protocol.CompletionFunction})
		}
	}
	if strings.HasPrefix(word, ".") || word == "" {
		words = append(c.macroNames(word), words...)
	}
	return t.at - len(word), words, true
}

// macroNames returns the names that macros can read. If typed names a pack, it returns the values
// of that pack at the next level.
func (c *Query) macroNames(typed string) []candidate {
	var all []candidate
	add := func(name, means string) {
		all = append(all, candidate{text: name, kind: protocol.CompletionVariable, detail: means})
	}
	if p, path := c.snapshot.packReference(typed); p != nil {
		step := strings.LastIndexByte(path, '.')
		at, above := c.snapshot.of(p).form, ""
		if step >= 0 {
			above = path[:step+1]
			at = at.at(values.Keys(strings.Split(path[:step], ".")...))
		}
		for _, key := range at.keys() {
			add(packPrefix+p.Name+"."+above+key, at.Properties[key].detail(false))
		}
		return all
	}
	for _, name := range pack.SystemNames() {
		add(systemPrefix+name, c.snapshot.macroValue(systemPrefix+name).shown)
	}
	if cluster := c.snapshot.cluster; cluster != nil {
		for _, name := range slices.Sorted(maps.Keys(cluster.Variables)) {
			add(varPrefix+name, c.snapshot.macroValue(varPrefix+name).shown)
		}
		for _, name := range slices.Sorted(maps.Keys(cluster.Macros)) {
			add(macroPrefix+name, c.snapshot.macroValue(macroPrefix+name).shown)
		}
	}
	for _, p := range c.snapshot.set.Packs {
		add(packPrefix+p.Name+".", strings.TrimSpace("values of "+p.Name+" "+p.Version))
	}
	return all
}

// packReference returns the pack that a name reads, or nil if there is none, and the path in its
// values as far as it is typed.
func (k *Snapshot) packReference(name string) (found *pack.Pack, path string) {
	for _, p := range k.set.Packs {
		if below, isOf := strings.CutPrefix(name, packPrefix+p.Name+"."); isOf && (found == nil || len(p.Name) > len(found.Name)) {
			found, path = p, below
		}
	}
	return found, path
}

// macroValue is the value that a macro reads.
type macroValue struct {
	// shown is the value, masked if it may be a secret, or "" if there is no value.
	shown string
	// source describes where the value comes from. It is "" if there is no value.
	source string
	filePosition
}

// macroValue returns the value of a name for the ClusterContext of the package.
func (k *Snapshot) macroValue(name string) (v macroValue) {
	if p, path := k.packReference(name); p != nil {
		why, err := inventory.Why(p, path)
		if err != nil {
			return v
		}
		v.shown = why.Show(why.Effective, diag.Terminal)
		for _, layer := range why.Layers {
			if layer.Counts {
				v.source = "values of " + strings.TrimSpace(p.Name+" "+p.Version)
				v.filePosition = k.place(layer.Source.Origin, path, layer.Position)
			}
		}
		return v
	}
	if k.cluster == nil {
		return v
	}
	for field, prefix := range macroFields {
		rest, ok := strings.CutPrefix(name, prefix)
		text, isThere := map[string]map[string]pack.Text{"variables": k.cluster.Variables, "macros": k.cluster.Macros}[field][rest]
		if fact, isFact := k.cluster.System[rest]; field == "system" {
			text, isThere = pack.Text(fact), isFact
		}
		if !ok || !isThere {
			continue
		}
		n := &yaml.Node{Kind: yaml.ScalarNode, Value: string(text), Style: yaml.DoubleQuotedStyle}
		if v.shown = shown.Hidden; field == "system" && !secret.IsSecretKey(rest) || diag.Terminal.Sees(secret.Context{Path: rest}.ClassOf(n)) {
			v.shown = diag.OneLine(string(text))
		}
		v.source = "ClusterContext " + k.cluster.Resource.Name
		v.filePosition = k.place(diag.Whole(k.cluster.Resource), "spec."+field+"."+rest, diag.Position{})
	}
	return v
}

// macroAt returns the name of the macro at the position, and its range in the innermost text, or
// "" if there is none.
func (t *site) macroAt() (name string, from, to int) {
	return t.matched(inventory.MacroName, func(before, _ string) bool { return strings.Contains(before, "{{") })
}

// matched returns the match of a pattern that contains the position, and its range in the
// innermost text. Only matches within the line for which isMeant is true count. It returns "" if
// there is none.
func (t *site) matched(pattern *regexp.Regexp, isMeant func(before, text string) bool) (text string, from, to int) {
	start := t.lineStart()
	line, _, _ := strings.Cut(t.whole[start:], "\n")
	for _, found := range pattern.FindAllStringIndex(line, -1) {
		if from, to = start+found[0], start+found[1]; from <= t.at && t.at <= to && isMeant(t.whole[start:from], t.whole[from:to]) {
			return t.whole[from:to], from, to
		}
	}
	return "", 0, 0
}

func (t *site) lineStart() int { return strings.LastIndexByte(t.whole[:t.at], '\n') + 1 }

// show formats a position as FILE:LINE, with the file relative to the package.
func (k *Snapshot) show(s filePosition) string {
	return fmt.Sprintf("%s:%d", k.nameOf(s.path), s.at.Line)
}
