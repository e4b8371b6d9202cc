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
// example. To check a single value, [ParseFormat] reads a format, and [Format.Match] compares it
// with a [Scalar]: the text of the value, and whether YAML reads it as a string.
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
// accepts everything.
//
// # Limits
//
// Values may be secrets. Findings describe the kind of value that was found, and show the
// value only if it is a number, an address or a version.
//
// Values and schemas may be hostile. Formats have a limited length, and the time of a single
// placeholder is proportional to the length of the value. A composite checks values of at
// most [MaxCompositeBytes], in polynomial time. If a value is too long, a finding says so.
//
// # The way of the data
//
// Parse makes an [Entry] of each key: its path, and the [Template], whose format is a list of parts
// (format_parser.go). For each entry the checker finds the values at the path in the merged values of
// the pack, and checks presence, read-only values and formats (check.go, absent.go, readonly.go,
// matcher.go). A composite format is matched from left to right with the set of all positions where a
// part can end (matcher_composite.go).
//
// What no entry addresses is compared by name with the keys of the schema, of the pack's own values
// and of presets, so that misspelt keys of overrides are found (unknown.go, slip.go, keys.go).
// Findings get their words in matcher_wording.go, which is the only file that decides whether a
// message may show a value.
//
// As a function, validate-pack-values checks each pack with its schema (krm.go), the values of Helm
// releases (krm_release.go), the variables of profiles (profile.go, variable.go), and the fields that
// its configuration names (krm_target.go).
package schema
