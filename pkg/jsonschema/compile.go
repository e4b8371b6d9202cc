package jsonschema

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/values"
)

// compiler compiles the schemas of one document, each once.
type compiler struct {
	declared, judging draft
	made              map[*value]*schema
	resources         map[string]*resource
	references        []*reference
	faults            Faults
	// differing are the keywords that the declared draft may read differently.
	differing map[string]bool
	// warnings are about misspelt keywords.
	warnings []Fault
	// patternSize is the size of all patterns.
	patternSize int
	// tracks says that there is an unevaluated keyword.
	tracks bool
}

const (
	maxFaults = 20
	// maxSchemaNesting is the deepest nesting of schemas.
	maxSchemaNesting = 250
)

func (c *compiler) addFault(at *pointer, v *value, format string, args ...any) {
	if len(c.faults) < maxFaults {
		c.faults = append(c.faults, Fault{Pointer: at.String(), Position: values.At(v.node), Message: fmt.Sprintf(format, args...)})
	}
}

// compile returns the schema that v is, nil with a fault if it is none.
func (c *compiler) compile(v *value, at *pointer, in *resource, depth int) *schema {
	if s, ok := c.made[v]; ok {
		return s
	}
	switch {
	case v.kind != object && v.kind != boolean:
		c.addFault(at, v, "must be a schema (an object, true or false), got %q", v.kind)
		return nil
	case depth > maxSchemaNesting:
		c.addFault(at, v, "its schemas are nested more than %d deep", maxSchemaNesting)
		return nil
	}
	s := &schema{at: at, refusesAll: v.text == "false", subs: map[string][]named{}, properties: map[string]*schema{}, minContains: 1, maxContains: maxCount}
	c.made[v] = s
	s.in = c.identify(s, v, in)
	alone := c.hasRefAlone(v)
	for _, member := range v.children {
		k := keyword{c, s, member.value, member.name, at.below(member.name), depth + 1}
		c.warnMisspelt(v, member, k.at)
		if k.value.kind == null && k.name != "const" || alone && k.name != "$ref" && k.name != "$defs" && k.name != "definitions" {
			continue
		}
		of, use := draftsOf(k.name, k.value)
		if of&c.declared == 0 || of&c.judging == 0 {
			c.differing[use] = true
		}
		if of&c.judging != 0 {
			k.compile(v.child("items"))
		}
	}
	not := s.sub("not")
	s.refusesAll = s.refusesAll || not != nil && not.acceptsAll()
	return s
}

// hasRefAlone reports whether a schema has a $ref that makes its draft ignore the
// keywords next to it.
func (c *compiler) hasRefAlone(v *value) bool {
	ref := v.child("$ref")
	return ref != nil && ref.kind != null && c.judging&upTo7 != 0
}

// shape is what schemas the value of a keyword has.
type shape int

const (
	noSchema shape = iota
	oneSchema
	schemaList
	namedSchemas
)

func shapeOf(keyword string, v *value) shape {
	switch keyword {
	case "not", "if", "then", "else", "additionalProperties", "unevaluatedProperties", "propertyNames", "contains", "additionalItems", "unevaluatedItems":
		return oneSchema
	case "items":
		if v.kind != array {
			return oneSchema
		}
		return schemaList
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return schemaList
	case "$defs", "definitions", "properties", "patternProperties", "dependencies", "dependentSchemas":
		return namedSchemas
	}
	return noSchema
}

// keyword is one keyword of a schema that is compiled.
type keyword struct {
	c     *compiler
	s     *schema
	value *value
	name  string
	at    *pointer
	depth int // of the schemas in it
}

func (k keyword) addFault(format string, args ...any) { k.c.addFault(k.at, k.value, format, args...) }

// reject adds the fault that the keyword does not take its value.
func (k keyword) reject(accepted string) { k.addFault("must be %s, got %q", accepted, k.value.kind) }

// compile compiles a keyword next to items, which may be nil. Schemas get the name
// that their keyword has in 2020-12.
func (k keyword) compile(items *value) {
	shape := shapeOf(k.name, k.value)
	switch listed := items != nil && items.kind == array; {
	case k.name == "items" && listed:
		k.name = "prefixItems"
	case k.name == "additionalItems" && listed:
		k.name = "items"
	case k.name == "unevaluatedItems" || k.name == "unevaluatedProperties":
		k.c.tracks = true
	}
	switch {
	case shape == noSchema:
		k.compileCheck()
	case shape == oneSchema:
		k.addSchema("")
	case shape == schemaList && k.value.kind != array:
		k.reject("a list of schemas")
	case shape == namedSchemas && k.value.kind != object:
		k.reject("an object with schemas")
	default:
		for _, c := range k.value.children {
			sub := k.below(c)
			if k.name == "dependencies" && c.value.kind == array {
				sub.addRequired(c.name)
				continue
			}
			if k.name == "patternProperties" {
				k.s.patterns = append(k.s.patterns, sub.compilePattern(c.name))
			}
			sub.addSchema(c.name)
		}
	}
}

// below returns the keyword with a child of its value as the value.
func (k keyword) below(c child) keyword {
	k.value, k.at = c.value, k.at.below(c.name)
	return k
}

// addSchema adds the value of the keyword as a schema.
func (k keyword) addSchema(name string) {
	sub := k.c.compile(k.value, k.at, k.s.in, k.depth)
	k.s.subs[k.name] = append(k.s.subs[k.name], named{name, sub})
	if k.name == "properties" {
		k.s.properties[name] = sub
	}
}
