package jsonschema

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// keywords are the keywords of all drafts, and the similar keywords of OpenAPI. Other keywords have
// no meaning in the drafts.
var keywords = strings.Fields("$anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema $vocabulary " +
	"additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default definitions dependencies " +
	"dependentRequired dependentSchemas deprecated description else enum example examples exclusiveMaximum exclusiveMinimum format id if items " +
	"maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not oneOf pattern " +
	"patternProperties prefixItems properties propertyNames readOnly required then title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly")

// The keywords whose value is a schema, and the keywords whose value contains several schemas.
var (
	ofSchema  = strings.Fields("not if then else items additionalItems additionalProperties unevaluatedItems unevaluatedProperties propertyNames contains contentSchema")
	ofSchemas = strings.Fields("allOf anyOf oneOf items prefixItems $defs definitions properties patternProperties dependencies dependentSchemas")
)

// firstDraft is the first draft that has a keyword: earlier ones ignore it.
var firstDraft = map[string]int{
	"const": 6, "contains": 6, "propertyNames": 6, "if": 7, "then": 7, "else": 7, "$anchor": 2019, "dependentRequired": 2019, "dependentSchemas": 2019,
	"minContains": 2019, "maxContains": 2019, "unevaluatedProperties": 2019, "unevaluatedItems": 2019, "prefixItems": 2020,
}

const (
	maxFaults = 20
	// maxSchemaWork bounds what the library keeps and copies to compile a schema, about in
	// bytes: workOfMap for each map, and its pointer.
	maxSchemaWork = 4_000_000
	workOfMap     = 400
)

// survey looks through a document before it is compiled: the library has no limits,
// and does not report the keywords that it ignores.
type survey struct {
	*tree
	// draft is the draft of the document.
	draft int
	// warnings are about unknown keywords. ignored are keywords of other drafts.
	warnings []Fault
	ignored  map[string]bool
	// refs are the references, and names what they may lead to: identifiers and anchors.
	refs  []reference
	names []string
	// work is spent for maps, and copies are of them.
	work, maps, copies int
	// tracks reports whether an unevaluated keyword depends on which children were validated.
	tracks   bool
	patterns patterns
}

// reference is a $ref: its text, and where it is.
type reference struct {
	text    *yaml.Node
	pointer string
}

// newSurvey looks through a document. $schema decides the draft, if it names one.
func newSurvey(t *tree, draft int) *survey {
	s := &survey{tree: t, draft: draft, ignored: map[string]bool{}, patterns: patterns{compiled: map[string]pattern{}}}
	uri := t.text(t.root, "$schema")
	for name, draft := range map[string]int{"/draft-04/": 4, "/draft-06/": 6, "/draft-07/": 7, "/2019-09/": 2019, "/2020-12/": 2020} {
		if strings.Contains(uri, name) {
			s.draft = draft
		}
	}
	s.walk(t.root, "", 0, schema)
	// The library looks through the identifiers for each schema, and copies the list of schemas
	// for a reference to what is not known to be one.
	s.work += 2 * s.maps * (len(s.names) + s.copies)
	if len(s.ignored) > 0 {
		at, declared := "#/$schema", "$schema is "+quote(uri)+", a draft that"
		if uri == "" {
			at, declared = "#", "the schema declares no draft, so it is validated as draft "+map[int]string{7: "07", 2020: "2020-12"}[draft]+", which"
		}
		list := strings.Join(slices.Sorted(maps.Keys(s.ignored)), ", ")
		s.warnings = slices.Insert(s.warnings, 0, Fault{Pointer: at, Message: fmt.Sprintf("%s ignores these keywords: %s. Declare a draft that has them", declared, list)})
	}
	return s
}

// text returns the text of a member, or "" if there is none.
func (t *tree) text(n *yaml.Node, name string) string {
	if c := t.children(n); c != nil {
		if i, ok := c.index[name]; ok && n.Kind == yaml.MappingNode && kindOf(c.pairs[i].Value) == "string" {
			return c.pairs[i].Value.Value
		}
	}
	return ""
}

// role is the role of a node in a schema.
type role int

const (
	data    role = iota
	schema       // is a schema
	schemas      // has schemas
)

// roleOf returns the role of the value of a keyword.
func roleOf(keyword string, n *yaml.Node) role {
	switch {
	case slices.Contains(ofSchemas, keyword) && (keyword != "items" || n.Kind == yaml.SequenceNode):
		return schemas
	case slices.Contains(ofSchema, keyword):
		return schema
	}
	return data
}

// walk goes through a node, which is at a pointer. It stops when the schema is too large.
func (s *survey) walk(n *yaml.Node, pointer string, depth int, is role) {
	c := s.children(n)
	if c == nil {
		return
	}
	s.maps++
	s.work += workOfMap + len(pointer)*(1+depth/50) + len(c.pairs)*(workOfMap+len(pointer))/10
	if s.work > maxSchemaWork {
		return
	}
	for i, p := range c.pairs {
		name, below := c.name(i), data
		at := pointer + pointerTo(name)
		switch {
		case is == schemas:
			below = schema
		case is == schema && p.Key != nil:
			below = roleOf(name, p.Value)
			s.keyword(c, name, p.Value, at)
		}
		s.walk(p.Value, at, depth+1, below)
	}
}

// keyword looks at one keyword of a schema.
func (s *survey) keyword(of *children, name string, n *yaml.Node, at string) {
	switch name {
	case "$ref":
		s.refs = append(s.refs, reference{n, at})
		isDefinition := strings.HasPrefix(n.Value, "#/definitions/") || s.draft > 7 && strings.HasPrefix(n.Value, "#/$defs/")
		if n.Value != "#" && !(isDefinition && strings.Count(n.Value, "/") == 2) {
			s.copies++
		}
	case "id", "$id", "$anchor", "$dynamicAnchor":
		s.names = append(s.names, n.Value)
	case "unevaluatedProperties", "unevaluatedItems":
		s.tracks = true
	}
	if _, isAlone := of.index["$ref"]; isAlone && s.draft <= 7 { // the draft ignores its neighbors
		return
	}
	if firstDraft[name] > s.draft || name == "additionalItems" && s.draft == 2020 {
		s.ignored[name] = true
	}
	near := nearest.Misspelt(name, keywords) // it would accept everything
	if _, isGiven := of.index[near]; near != "" && !isGiven && len(s.warnings) < maxFaults {
		s.warnings = append(s.warnings, Fault{Pointer: "#" + at, Message: "unknown keyword " + quote(name), Nearest: near})
	}
}

// faultsOfReferences returns the references that lead to nothing.
func (s *survey) faultsOfReferences() (faults Faults) {
	for _, r := range s.refs {
		address, fragment, _ := strings.Cut(r.text.Value, "#")
		if unescaped, err := url.PathUnescape(fragment); err == nil {
			fragment = unescaped
		}
		isName := func(name string) bool { return strings.TrimPrefix(name, "#") == fragment }
		isAddress := func(name string) bool {
			return address != "" && strings.HasSuffix(name, strings.TrimLeft(address, "./"))
		}
		switch {
		case address != "" && !slices.ContainsFunc(s.names, isAddress):
			faults = append(faults, Fault{Pointer: "#" + r.pointer, Message: fmt.Sprintf("must be a reference to a part of this document, got %s, which leads to another document", quote(r.text.Value)),
				isUnsure: isOnServer(address) || !strings.Contains(address, ":") && slices.ContainsFunc(s.names, isOnServer)})
		case address == "" && fragment != "" && s.pointed(fragment) == nil && !slices.ContainsFunc(s.names, isName):
			faults = append(faults, Fault{Pointer: "#" + r.pointer, Message: fmt.Sprintf("must be # or #/ and the path to a schema of this document, got %s, which leads to no schema", quote(r.text.Value))})
		}
	}
	return faults
}

// isOnServer reports whether Helm asks a server for a document, or does without it, as it does for a
// URN. It reads all others from files, and the file of a reference such as "defs.json", relative to
// [address], is not in the chart.
func isOnServer(address string) bool {
	scheme, _, _ := strings.Cut(address, ":")
	return slices.Contains([]string{"http", "https", "urn"}, scheme)
}

// pointed returns the node that a JSON pointer leads to, or nil if there is none.
func (t *tree) pointed(pointer string) *yaml.Node {
	n := t.root
	for _, token := range strings.Split(pointer, "/")[1:] {
		c := t.children(n)
		if c == nil {
			return nil
		}
		i, ok := c.index[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
		if !ok {
			return nil
		}
		n = c.pairs[i].Value
	}
	if n == t.root && pointer[0] != '/' {
		return nil
	}
	return n
}
