// Package hydration keeps the sources of macros beside the values that they become.
//
// A package is rendered many times. Its macros must not be lost at the first time, so
// resolve-macros writes the source of a value into a comment on the line of the value, as kpt's
// setters do:
//
//	host: eu-1.example.com # kpt-macro: {{ .spectro.system.cluster.name }}.example.com
//
// [Read] finds these comments. [Sources.Document] has the sources in the places of the
// values, [Sources.Restored] is the text without results and comments, and [Sources.Edits]
// writes new results.
//
// docs/macros.md defines the syntax of the comments. A comment without a macro, a comment that
// cannot be read, and a comment behind the key of a block collection are texts of the user.
//
// # The files
//
// comment.go reads and writes the comments. sources.go puts the sources in the places of the values,
// and align.go finds the macros of a source again in a result that a user has edited. edit.go writes
// results. tree.go adjusts comments where others change values, such as presets: it removes the ones
// that no longer fit, and carries sources over to another document.
package hydration
