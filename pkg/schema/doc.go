// Package schema parses the language of a pack's schema.yaml and checks pack values with it. The
// language is described in the section "Pack Values Constraints" of Spectro Cloud's pack
// constraints document.
//
// A schema has one template for each path of the values:
//
//	registry.type:
//	  schema: '{{ required | format "${list:[PACK,GIT,CHART]}" | hints "kind of registry" }}'
//	registry.addresses.$[]:
//	  schema: '{{ format "${ipv4} - ${ipv4}" }}'
//
// [Parse] reads a schema, and [Schema.Check] returns the findings of values under it, as in the
// example. To check a single value, [ParseTemplate] reads one template, and [Format.Match] compares
// its format with a [Scalar]: the text of the value, and whether YAML reads it as a string.
//
// # Formats
//
// A format is one placeholder, or a composite of placeholders and literal text
// over the whole value. The types are
//
//	string    a YAML string, quoted or plain
//	password  the same, and messages say nothing about it
//	number    decimal text: sign, fraction, exponent; ${number:[1-10]} has a range
//	boolean   true or false
//	list      one of the options of ${list:[A,B]}
//	ipv4      four octets without leading zeros
//	version   a strict semantic version
//
// Each type takes a regex, ${string:/^a/}, in the syntax of RE2 and not anchored.
// The regex sees the whole value, and in a composite only its own segment. An unknown type
// accepts everything, and [Format.Unknown] returns its name.
//
// # Limits
//
// Values may be secrets. Findings describe the kind of value that was found, and show the
// value only if it is a number, an address or a version.
//
// Values and schemas may be hostile. Formats have a limited length, and the time of a single
// placeholder is proportional to the length of the value. A composite checks values of at
// most [MaxCompositeBytes], in polynomial time. If a value is too long, a finding says so.
package schema
