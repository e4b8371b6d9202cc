// Package jsonschema validates YAML values by JSON schemas as Helm does, and reports each fault
// with its path and the accepted values.
//
// A violation never holds the value, which may be a secret: only keys, and its type in the
// message.
//
// # How a value is validated
//
// github.com/santhosh-tekuri/jsonschema, the library that Helm uses, compiles the schema and
// validates the value, so both have the same result. It has no limits, and a short schema can
// keep it busy for minutes. This package adds them:
//
//   - [Compile] reads the schema as JSON would have it: aliases and merge keys are followed,
//     and numbers with huge exponents are faults. Then it surveys the schema: its size, its
//     patterns, and where its references lead. Only what is small enough is compiled.
//   - [Schema.Validate] reads the value in the same way, and computes how much work it is at
//     most, before the library begins.
//   - What the library returns becomes violations, in the order of the text, with the closest
//     schema of anyOf and oneOf.
//
// # Drafts
//
// The supported drafts are 04, 06, 07, 2019-09 and 2020-12, selected by $schema. The default is
// 2020-12, as in Helm, and draft-07 for Capact ([ParseDraft7]). The keyword format is checked up to
// draft-07 only, as the library does. Patterns have the syntax of RE2. A schema with $dynamicRef or
// $recursiveRef validates nothing, because the target of these references, and therefore the amount
// of work, depends on the value. References lead to the same document, or to the schema of a draft.
// Nothing is fetched.
package jsonschema
