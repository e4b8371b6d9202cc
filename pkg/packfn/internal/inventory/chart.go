package inventory

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// ChartSchema returns a JSON Schema of the values of a chart, for people who write them: the keys that the
// chart reads or has, with the default, the comment above the key in values.yaml, and what
// values.schema.json says of it. own are the chart's own values, and constraints is its schema; both may be
// nil.
func ChartSchema(read *facts.Chart, own, constraints *values.Document) schema.JSON {
	j := schema.JSON{"type": []string{"object", "null"}}
	if root := rootOf(own); root != nil {
		addOwn(j, root, own.Lines(), 0)
		addChart(j, read, root, 0)
	} else {
		addChart(j, read, nil, 0)
	}
	addConstraints(j, rootOf(constraints), 0)
	return j
}

// rootOf returns the root of a document, which may be nil.
func rootOf(d *values.Document) *yaml.Node {
	if d == nil {
		return nil
	}
	return d.Root()
}

// decoration matches what tools that document values write in comments: `# -- The number of replicas`,
// `## @param replicas The number of replicas`.
var decoration = regexp.MustCompile(`^#+\s*(?:--\s*)?(?:@param\s+\S+\s*(?:\[[^\]]*\]\s*)?)?`)

// directive begins comments that are for Palette: `# spectrocloud.com/enabled-presets: Size:small`.
const directive = "spectrocloud.com/"

// addOwn adds the keys of the chart's own values, which are published: the values as defaults, and the comments
// above the keys as descriptions:
//
//	# The number of replicas
//	replicas: 1
func addOwn(j schema.JSON, n *yaml.Node, lines *values.Lines, depth int) {
	n = values.Resolve(n)
	switch {
	case n == nil || depth > schema.MaxJSONDepth:
		return
	case n.Kind != yaml.MappingNode || len(n.Content) == 0:
		if text, ok := values.JSON(n); ok && !values.IsNull(n) {
			j["default"] = json.RawMessage(text)
		}
		return
	}
	for _, pair := range values.Pairs(n) {
		name, ok := pair.Name()
		if !ok || pair.Merged {
			continue
		}
		words := description(pair, lines)
		below := j.Below(name)
		if len(words) > 0 {
			below["description"] = strings.Join(words, "\n")
		}
		addOwn(below, pair.Value, lines, depth+1)
	}
}

// description returns the lines of the comment above a key of published values. The comment is about the first key of
// a line, and no other:
//
//	# Where clients connect.
//	address: {host: "", port: 80}
func description(pair values.Pair, lines *values.Lines) (words []string) {
	at := values.At(pair.Key)
	if before := lines.Text(at.Line)[:lines.Offset(at)-lines.Start(at.Line)]; strings.Trim(before, " \t-?") != "" {
		return nil
	}
	for line := pair.Key.Line - 1; line > 0; line-- {
		text := strings.TrimSpace(lines.Text(line))
		if !strings.HasPrefix(text, "#") {
			break
		}
		if text = strings.TrimSpace(decoration.ReplaceAllString(text, "")); text != "" && !strings.HasPrefix(text, directive) {
			words = append(words, text)
		}
	}
	slices.Reverse(words)
	return words
}

// addConstraints adds what a JSON Schema says of keys, as far as it needs no reference.
func addConstraints(j schema.JSON, n *yaml.Node, depth int) {
	if n == nil || depth > schema.MaxJSONDepth {
		return
	}
	for _, keyword := range []string{"description", "type", "enum", "minimum", "maximum", "required"} {
		value := values.Field(n, keyword)
		if text, ok := values.JSON(value); ok && value != nil && (keyword != "type" || depth > 0) {
			j[keyword] = json.RawMessage(text)
		}
	}
	for _, pair := range values.Pairs(values.Field(n, "properties")) {
		if name, ok := pair.Name(); ok {
			addConstraints(j.Below(name), values.Resolve(pair.Value), depth+1)
		}
	}
}
