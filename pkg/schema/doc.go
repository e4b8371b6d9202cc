// Package schema parses the language of a pack's schema.yaml and checks pack
// values with it. The language is that of the section "Pack Values Constraints"
// of Spectro Cloud's pack constraints document.
//
// A schema has one template for each path of the values:
//
//	registry.type:
//	  schema: '{{ required | format "${list:[PACK,GIT,CHART]}" | hints "kind of registry" }}'
//	registry.addresses.$[]:
//	  schema: '{{ format "${ipv4} - ${ipv4}" }}'
//
// ParseTemplate parses one template. Its format, if it has one, checks single
// values, each a Scalar: the text, and whether YAML reads it as a string.
//
//	t, err := schema.ParseTemplate(`{{ required | format "${number:[5000-5005]}" }}`)
//	if err != nil {
//		return err // a *TemplateError: what is wrong, and where
//	}
//	f := t.Format.Match(schema.Scalar{Text: "70000"})
//	fmt.Println(f.Message()) // must be number in [5000-5005], got 70000
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
// The regex sees the whole value, in a composite its own segment. An unknown type
// accepts everything, and Format.Unknown returns its name.
//
// # Promises
//
// Values may be secrets. Findings say what kind of value was found, and show the
// value only if it is a number, an address or a version.
//
// Values and schemas may be hostile. Formats have a limited length, and a single
// placeholder takes time in proportion to the length of the value. A composite
// checks values of at most MaxCompositeBytes, in polynomial time. A value that is
// too long has a finding that says so.
package schema
