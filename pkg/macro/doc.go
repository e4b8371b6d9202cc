// Package macro resolves pack macros: the `{{ }}` actions that read facts about the
// cluster, variables, and the values of packs.
//
// It is a plain Go API over value trees:
//
//	r := macro.NewResolver(macro.Context{
//		System: map[string]string{"cluster.name": "edge-7"},
//	}, []macro.Pack{{Name: "kubernetes", Values: tree}})
//	out, findings := r.Text("{{ .spectro.system.cluster.name | upper }}")
//
// [Resolver.Document] does the same for every value of a document and returns the edits
// for [values.Document.ReplaceScalars].
//
// The rules M1 to M11 are those of the pack constraints document and of the README of
// resolve-macros. In short: actions of other languages stay byte for byte (M1); names
// are `.spectro.system.X`, `.spectro.pack.NAME.PATH`, `.spectro.var.X` and
// `.spectro.macro.X` (M6); a pack's value is its source text (M5) and is resolved before
// it is used (M9); functions are those of sprig, except those that read the host, the
// clock, the network or randomness (M10).
//
// # Undefined names
//
// A name that is not supplied, or leads to no value, null or "", is undefined. Its value
// is "", and the result of a function with an undefined argument is undefined too. Only
// `default` and `coalesce` cover it: when they replace an empty value, its undefined
// names no longer count.
//
//	.spectro.pack.a.b | upper | default "x"          // covered: upper of "" is empty
//	.spectro.pack.a.b | printf "v%s" | default "x"   // not covered: "v" is not empty
//
// [Context.Missing] says what happens to the names that are still undefined at the end
// of the action (M7, M8).
//
// # Hostile input
//
// Actions, values and documents may come from anyone. Each action has a budget of calls
// and of work, and each value a largest size. Functions whose result may be much larger
// than their arguments are checked by their arguments, before anything is allocated.
// See the constants. Findings have functions, names and positions, never values, which
// may be secrets.
package macro
