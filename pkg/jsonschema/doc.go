// Package jsonschema judges YAML values by JSON schemas, and says of every fault
// where it is and what is accepted.
//
//	schema, err := jsonschema.Parse(`{"properties": {"port": {"type": "integer", "maximum": 65535}}}`)
//	document, err := values.Parse("port: 70000 # the usual one\n")
//	violations, err := schema.Judge(document.Root(), 100)
//
//	v := violations[0]
//	v.Path     // port
//	v.Position // line 1, column 7
//	v.Keyword  // maximum
//	v.Schema   // #/properties/port/maximum
//	v.Found    // integer
//	v.Message  // want a number of at most 65535
//
// A violation never holds the value, which may be a secret: only its type, and keys.
//
// # The story of a judgment
//
// Both the schema and the value are read as what JSON would have ([value]): aliases
// and merge keys are followed, numbers are exact. [Compile] makes a tree of schemas,
// with the keywords that need no other schema as checks, and then links the
// references. [Schema.Judge] walks that tree and the value together. Where a schema
// only asks whether another one accepts the value (not, if, contains), the same walk
// runs without a report and stops at the first violation. Of the schemas of anyOf and
// oneOf that all refuse a value, the report has the closest.
//
// The walk counts its steps, so that a schema that refers to itself or tries all
// combinations of many branches ends with an error. Patterns are those of RE2.
//
// # Drafts
//
// The drafts are draft-07 and 2020-12, as $schema says. Without $schema it is
// draft-07, with the later keywords as 2020-12 has them. Draft-04 and draft-06 are
// judged as draft-07, and 2019-09 as 2020-12: [Schema.Warnings] names the keywords in
// a schema that other judges may read differently. The keywords format and content
// are not checked, and vocabularies are ignored.
//
// References lead to pointers, anchors and identifiers of the same document. Nothing
// is fetched, not even the schemas of the drafts.
package jsonschema
