// Package schema is the language of a pack's schema.yaml, and judges pack
// values by it. The language is that of the section "Pack Values Constraints"
// of Spectro Cloud's pack constraints document.
//
// A schema has one template for each path of the values:
//
//	registry.type:
//	  schema: '{{ required | format "${list:[PACK,GIT,CHART]}" | hints "kind of registry" }}'
//	registry.addresses.$[]:
//	  schema: '{{ format "${ipv4} - ${ipv4}" }}'
//
// ParseTemplate reads one template. Its format, when it has one, judges single
// values, as a Scalar: the text, and whether YAML reads it as a string.
//
//	t, err := schema.ParseTemplate(`{{ required | format "${number:[5000-5005]}" }}`)
//	if err != nil {
//		return err // a *TemplateError: what is wrong, and where
//	}
//	m := t.Format.Match(schema.Scalar{Text: "70000"})
//	fmt.Printf("got %s, want %s", m.Got, m.Want) // got 70000, want number in [5000-5005]
//
// # Formats
//
// A format is one placeholder, or a composite of placeholders and literal text
// over the whole value. The types are
//
//	string    a YAML string, quoted or plain
//	password  the same, and nothing is told of it
//	number    decimal text: sign, fraction, exponent; ${number:[1-10]} has bounds
//	boolean   true or false
//	list      one of the options of ${list:[A,B]}
//	ipv4      four octets without leading zeros
//	version   a strict semantic version
//
// and each takes a regex, ${string:/^a/}: RE2, not anchored, with the whole
// value before it, in a composite its own segment. A type of another name
// accepts everything, and Format.Unknown tells of it.
//
// # Promises
//
// Values may be secrets: a Mismatch says what kind of value was found, and
// shows the value itself only where it is a number, an address or a version.
//
// Values and schemas may be hostile: formats are bounded in length, and a match
// takes time in proportion to the length of the value. Composites are not
// matched by trying splits but by one sweep over all of them, and a match that
// would still take too long ends in a Mismatch that says so.
package schema
