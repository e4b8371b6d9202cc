package schema

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// The placeholders that authors leave for users to replace, in exact spellings: public packs
// have texts such as changeit and example.com as values that work.
var (
	placeholder = regexp.MustCompile(`^(?:(?i:(?:change|replace|fill)[-_ ]?(?:me|this)|your[-_][a-z0-9._-]+)|TODO|FIXME|TBD|PLACEHOLDER|X{4,}|<[A-Za-z][A-Za-z0-9 ,.'/_-]*>)$`)
	// inText is a placeholder as a part of a text, outside of comments.
	inText = regexp.MustCompile(`(?m)^[^#\n]*(?:\b(?:CHANGE|REPLACE)[-_]?(?:ME|THIS)(?:[-_][A-Z0-9_-]*)?\b|<(?i:your|insert|enter|replace|change)[-_ ][^<>\n]{1,80}>)`)
	// inBrackets are texts in angle brackets that are values.
	inBrackets = []string{"<none>", "<nil>", "<null>", "<no value>", "<unset>", "<not set>", "<empty>", "<default>", "<auto>", "<any>", "<all>", "<unknown>", "<br>", "<hr>", "<p>"}
)

// longest is the length of the longest text that can be a placeholder as a whole.
const longest = 100

// isPlaceholder reports whether a text is a placeholder, or has one.
func isPlaceholder(text string) bool {
	whole := strings.TrimSpace(text)
	if whole == "" {
		return false
	}
	if len(whole) <= longest && strings.IndexByte("<cCfFpPrRtTxXyY", whole[0]) >= 0 && placeholder.MatchString(whole) {
		return !slices.Contains(inBrackets, strings.ToLower(whole))
	}
	return (strings.Contains(text, "ME") || strings.Contains(text, "THIS") || strings.Contains(text, "<")) && inText.MatchString(text)
}

// placeholders reports the placeholders among the values. What is below a map
// that is switched off does nothing.
func (c *checker) placeholders() {
	c.values.Tree.Each(func(steps []values.Step, n *yaml.Node, layer int) bool {
		if n.Kind != yaml.ScalarNode {
			return !isOff(n)
		}
		if isString(n) && isPlaceholder(n.Value) {
			f := diag.Say("the value is a placeholder that was not replaced").Do("write the real value here, or in a PackValues")
			c.add(f.Of(rule.ValuesPlaceholder), c.values.Layers[layer].Origin(), keyOf(steps), n)
		}
		return true
	})
}

// isOff reports whether a map says that nothing is made of it.
func isOff(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch n.Content[i].Value {
		case "enabled", "enable", "create":
			if n.Content[i+1].Kind == yaml.ScalarNode && n.Content[i+1].Value == "false" {
				return true
			}
		}
	}
	return false
}
