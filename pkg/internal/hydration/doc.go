// Package hydration keeps the sources of macros beside the values that they become.
//
// A package is rendered many times. Its macros must not be lost at the first time, so
// resolve-macros writes what a value was resolved from into a comment on the line of the
// value, as kpt's setters do:
//
//	host: eu-1.example.com # kpt-macro: {{ .spectro.system.cluster.name }}.example.com
//
// [Read] finds these comments. [Sources.Document] has the sources in the places of the
// values, [Sources.Restored] is the text without results and comments, and [Sources.Edits]
// writes new results.
//
// The syntax of the comments is that of docs/macros.md. A comment without a macro, one that
// cannot be read, and one behind the key of a block collection are texts of the user.
package hydration
