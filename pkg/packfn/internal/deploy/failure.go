package deploy

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// layers are the values of a pack or a release with the documents that they come from.
type layers struct {
	// pack is the pack, root the merged values, and documents the documents that count, the lowest
	// first.
	pack      *pack.Pack
	root      *yaml.Node
	documents []*values.Document
	// release is the release, or nil for a pack.
	release *Release
}

// newLayers returns the layers of a pack. An override that replaces the others is the lowest.
func newLayers(p *pack.Pack, effective *pack.Effective) *layers {
	l := &layers{pack: p, root: effective.Tree.Root(), documents: effective.Documents}
	for i, o := range p.Overrides {
		if at := len(effective.Documents) - len(p.Overrides) + i; o.Replace {
			l.documents = effective.Documents[at:]
		}
	}
	return l
}

// fault sets the place of a finding about a value: at the value, or at the nearest mapping
// above it that a layer has.
func (l *layers) fault(f diag.Finding, keys ...string) diag.Finding {
	steps := values.Keys(keys...)
	if l.release != nil {
		return l.release.Place(f, steps[min(len(steps), aboveChart):])
	}
	path := jsonschema.Path(steps).String()
	for n := len(steps); n > 0; n-- {
		for _, document := range slices.Backward(l.documents) {
			for _, pair := range values.Pairs(values.Follow(document.Root(), steps[:n-1])) {
				if name, ok := pair.Name(); ok && name == steps[n-1].Key {
					return f.In(document.Origin(), path, values.At(pair.Key))
				}
			}
		}
	}
	if l.pack.Metadata != nil {
		return f.In(l.pack.Metadata.Origin, "charts", diag.Position{})
	}
	return f.About(l.pack.Resource, "")
}

// TagUnsure marks failures that may be none in a cluster: values hold macros, which have
// other values when they are deployed, or the template looks into the cluster.
const TagUnsure = "unsure"

// failed returns the finding for a chart that fails.
func (k *rendering) failed(source chart.Source, failure helm.Failure, macros int) diag.Finding {
	name := strings.TrimSpace(source.Name + " " + source.Version)
	keys := []string{"charts", source.Key}
	var f diag.Finding
	switch at := source.Locate(failure.Message); {
	case failure.Kind == helm.Version:
		f = diag.Say("the chart %s does not support the cluster: %s", name, failure.Message)
	case failure.Kind == helm.Dependencies:
		action := "run helm dependency build"
		if k.release != nil { // a catalog has the charts that releases depend on
			action += ", or name a folder with them by --charts or --source"
		}
		f = diag.Say("the chart %s cannot be rendered, because it depends on charts that are not in its folder charts: %s", name, brief(failure.Message)).Do(action)
	case failure.Kind != helm.Template || at.File == "":
		f = diag.Say("the chart %s cannot be rendered: %s", name, k.shown(failure, failure.Message, source.Templates(), source.Has))
	default:
		message := brief(at.Words)
		if !at.Literal {
			message = k.shown(failure, at.Words, source.Templates(), source.Has)
		}
		place := at.File
		if at.Line > 0 {
			place = fmt.Sprintf("%s:%d", at.File, at.Line)
		}
		f = diag.Say("the chart %s fails in %s: %s", name, place, message)
		if keys = append(keys, at.Key...); len(at.Key) > 0 && isAbsent(values.Follow(k.values.root, values.Keys(keys...))) {
			if k.release != nil {
				keys = keys[aboveChart:]
			}
			f = f.Do("set " + jsonschema.Path(values.Keys(keys...)).String())
			keys = slices.Concat([]string{"charts", source.Key}, at.Key)
		}
	}
	if looksUp := source.LooksUp(failure.Message); looksUp || macros > 0 {
		f.Tags = map[string]string{TagUnsure: "true"}
		if looksUp && f.Action == "" {
			f = f.Do("the template looks objects up in the cluster, and packfn gives it none")
		}
	}
	if failure.Kind == helm.Version {
		return k.values.fault(f, keys...).Of(rule.ValuesChartVersion)
	}
	return k.values.fault(f, keys...).Of(rule.ValuesChartFails)
}

// isAbsent reports whether a value is null, or an empty text, map or list.
func isAbsent(n *yaml.Node) bool {
	return values.IsNull(n) || n.Value == "" && len(n.Content) == 0
}

// quoted are the parts of a message that repeat a text: of an action, or in quotes.
var quoted = regexp.MustCompile("<[^<>]{3,}>|\"[^\"]{3,}\"|`[^`]{3,}`")

// shown returns a message of Helm on one line. Text that may come from values is masked, unless
// it is written in the templates or contained in the chart.
func (k *rendering) shown(failure helm.Failure, message string, templates []string, isPublished func(string) bool) string {
	if failure.Kind != helm.Ended { // that is a message of packfn
		message = chart.Shown(message, templates, strings.Contains(failure.Message, "execution error at ("), shown.Hidden)
	}
	all := secrets(k.values.root, isPublished)
	for _, text := range all {
		message = strings.ReplaceAll(message, text, shown.Hidden)
	}
	// A value that is run as a template is a template in messages.
	isPart := func(text string) bool {
		text = strings.TrimSuffix(text, "...")
		return text != "" && !isPublished(text) && slices.ContainsFunc(all, func(secret string) bool { return strings.Contains(secret, text) })
	}
	message = quoted.ReplaceAllStringFunc(message, func(part string) string {
		if inner := part[1 : len(part)-1]; !strings.HasPrefix(inner, ".") && isPart(inner) {
			return part[:1] + shown.Hidden + part[len(part)-1:]
		}
		return part
	})
	if isPart(message) {
		return shown.Hidden
	}
	return brief(message)
}

// brief returns the start of a message on one line. The rest of a long one may have half a
// value, which is not recognized.
func brief(message string) string {
	const most = 1000
	message = diag.OneLine(strings.ToValidUTF8(message, ""))
	if runes := []rune(message); len(runes) > most {
		message = string(runes[:most]) + "…"
	}
	return message
}

// minSecret is the length of the shortest text that is hidden without regard to its key: a
// shorter one is a part of most words.
const minSecret = 3

// secrets returns the texts of values that may be secrets, also as charts encode them, the
// longest first.
func secrets(root *yaml.Node, isPublished func(string) bool) []string {
	var all []string
	walk(root, "", nil, func(path string, n, _ *yaml.Node) {
		isSecret := secret.IsSecretKey(path)
		switch tag := n.ShortTag(); {
		case n.Value == "", tag == "!!bool", tag == "!!null":
			return
		case !isSecret && (len(n.Value) < minSecret || tag != "!!str" || schema.IsPublic(path, n, nil) || isPublished(n.Value)):
			return
		}
		all = append(all, n.Value, base64.StdEncoding.EncodeToString([]byte(n.Value)))
		if text := fmt.Sprintf("%q", n.Value); text[1:len(text)-1] != n.Value {
			all = append(all, text[1:len(text)-1])
		}
		for line := range strings.Lines(n.Value) {
			if line = strings.TrimSpace(line); len(line) > 3 && line != n.Value && (isSecret || !isPublished(line)) {
				all = append(all, line)
			}
		}
	})
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(all)
}

// walk visits the scalars below a node, with the mappings that they are values of.
func walk(n *yaml.Node, path string, parent *yaml.Node, visit func(path string, n, parent *yaml.Node)) {
	n = values.Resolve(n)
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for _, pair := range values.Pairs(n) {
			name, _ := pair.Name()
			walk(pair.Value, diag.Join(path, name), n, visit)
		}
	case n.Kind == yaml.SequenceNode:
		for i, child := range n.Content {
			walk(child, fmt.Sprintf("%s[%d]", path, i), nil, visit)
		}
	default:
		visit(path, n, parent)
	}
}
