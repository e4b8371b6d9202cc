package jsonschema

import (
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// keywords are those of all drafts, and the ones of OpenAPI that are near them. The drafts give
// others no meaning.
var keywords = strings.Fields("$anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema $vocabulary " +
	"additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default definitions dependencies " +
	"dependentRequired dependentSchemas deprecated description else enum example examples exclusiveMaximum exclusiveMinimum format id if items " +
	"maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not oneOf pattern " +
	"patternProperties prefixItems properties propertyNames readOnly required then title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly")

// warnMisspelt warns of a member of a schema that is a misspelt keyword, which would accept
// everything.
func (c *compiler) warnMisspelt(schema *value, member child, at *pointer) {
	near := nearest.Misspelt(member.name, keywords)
	if near == "" || schema.child(near) != nil || len(c.warnings) >= maxFaults {
		return
	}
	c.warnings = append(c.warnings, Fault{Pointer: at.String(), Position: values.At(member.value.node), Message: "unknown keyword " + quote(member.name), Nearest: near})
}
