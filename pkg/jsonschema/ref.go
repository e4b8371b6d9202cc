package jsonschema

import (
	"net/url"
	"strings"
)

// resource is a part of a document with an identifier of its own, or the whole.
// References in it are relative to the identifier.
type resource struct {
	id   *url.URL
	root *value
	at   *pointer
	// anchors are its named schemas, dynamic the names that a $dynamicRef looks for.
	anchors map[string]*schema
	dynamic map[string]bool
}

// identify returns the resource that a schema is in: that of its $id, else the one
// around it. It notes the anchors.
func (c *compiler) identify(s *schema, v *value, in *resource) *resource {
	if in == nil {
		in = c.addResource(&url.URL{}, s, v)
	}
	if id := v.child("$id"); id != nil && id.kind == text && !c.hasRefAlone(v) {
		absolute, fragment := in.resolve(id.text)
		if absolute != nil && absolute.String() != in.id.String() {
			in = c.addResource(absolute, s, v)
		}
		if c.judging&upTo7 != 0 && fragment != "" { // the anchors of draft-07
			in.anchors[fragment] = s
		}
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if anchor := v.child(keyword); anchor != nil && anchor.kind == text && c.judging&from2019 != 0 {
			in.anchors[anchor.text] = s
			in.dynamic[anchor.text] = in.dynamic[anchor.text] || keyword == "$dynamicAnchor"
		}
	}
	return in
}

// addResource returns a new resource. The first one of an identifier counts.
func (c *compiler) addResource(id *url.URL, s *schema, v *value) *resource {
	r := &resource{id, v, s.at, map[string]*schema{}, map[string]bool{}}
	if _, ok := c.resources[id.String()]; !ok {
		c.resources[id.String()] = r
	}
	return r
}

// resolve returns the absolute form of a reference, nil if it is not a URI, and its
// fragment.
func (r *resource) resolve(reference string) (absolute *url.URL, fragment string) {
	relative, err := url.Parse(reference)
	if err != nil {
		return nil, ""
	}
	absolute = r.id.ResolveReference(relative)
	fragment = absolute.Fragment
	absolute.Fragment, absolute.RawFragment = "", ""
	return absolute, fragment
}

// reference is a $ref or $dynamicRef.
type reference struct {
	keyword
	to *schema
	// dynamic is the anchor by which a $dynamicRef is resolved again when it is
	// followed, "" for others.
	dynamic string
}

func (k keyword) addReference() {
	r := &reference{keyword: k}
	k.s.refs = append(k.s.refs, r)
	k.c.references = append(k.c.references, r)
}

// link finds the schemas of all references. Those that it compiles on the way may
// have further ones.
func (c *compiler) link() {
	for i := 0; i < len(c.references); i++ {
		r := c.references[i]
		absolute, fragment := r.s.in.resolve(r.value.text)
		var in *resource
		if absolute != nil {
			in = c.resources[absolute.String()]
		}
		switch {
		case in == nil:
			r.addFault("must be a reference to a part of this document, got %s, which leads to another document", r.value)
			continue
		case fragment == "" || fragment[0] == '/':
			r.to = c.find(in, fragment)
		default:
			r.to = in.anchors[fragment]
			if r.name == "$dynamicRef" && in.dynamic[fragment] {
				r.dynamic = fragment
			}
		}
		if r.to == nil {
			r.addFault("must be # or #/ and the path to a schema of this document, got %s, which leads to no schema", r.value)
		}
	}
}

// find returns the schema that a JSON pointer leads to, nil if there is none. The
// value of an unknown keyword may be one.
func (c *compiler) find(in *resource, pointer string) *schema {
	v, at, shape := in.root, in.at, noSchema
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		of := v
		if v = v.child(token); v == nil {
			return nil
		}
		at, shape = at.below(token), noSchema
		if c.made[of] != nil {
			shape = shapeOf(token, v)
		}
	}
	if shape == schemaList || shape == namedSchemas || v.kind&(object|boolean) == 0 {
		return nil
	}
	return c.compile(v, at, in, 0)
}
