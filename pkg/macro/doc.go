// Package macro resolves pack macros: the `{{ }}` actions that read the
// cluster, the tenant, variables, and the values of packs.
//
// It is a plain Go API over value trees:
//
//	r := macro.NewResolver(macro.Context{
//		System: map[string]string{"cluster.name": "edge-7"},
//	}, []macro.Pack{{Name: "kubernetes", Values: tree}})
//	out, uses, problems := r.Text("{{ .spectro.system.cluster.name | upper }}")
//
// Document does the same for every value of a document and returns the edits
// that values.Document.ReplaceScalars takes.
//
// The rules M1 to M11 are those of the pack constraints document and of
// resolve-macros' README. In short: the actions of others stay byte for byte
// (M1); names are `.spectro.system.X`, `.spectro.pack.NAME.PATH`,
// `.spectro.var.X` and `.spectro.macro.X` (M6); a pack's value is its source
// text (M5) and is itself resolved before it is used (M9); functions are
// sprig's without those that read the host, the clock, the network or
// randomness (M10).
//
// # Undefined names
//
// A name that is not supplied, or that leads to nothing, to null or to "", is
// undefined: its value is "", and remembers that it is. What a function makes
// of an undefined argument is undefined too. `default` and `coalesce` alone
// cover: where they pass an empty value over, what was undefined in it is
// forgotten. So `.spectro.pack.a.b | upper | default "x"` is covered, as upper
// of nothing is empty, and `printf "v%s" .spectro.pack.a.b | default "x"` is
// not, as "v" is no empty value. What is still undefined at the end of the
// action is judged by Context.Missing and by the name (M7, M8).
//
// # Hostile input
//
// Actions, values and documents may come from anybody. Each action has a
// budget of calls and of work, each value a largest size; functions whose
// result is larger than their arguments are judged by their arguments, before
// anything is allocated. See the constants. Messages name functions, names and
// positions, never values: these may be secrets.
package macro
