// Package macro resolves pack macros: the `{{ }}` actions that read facts about the
// cluster, variables, and the values of packs.
//
// [NewResolver] takes the facts and the packs. [Resolver.Text] returns a text with its macros
// resolved, and [Resolver.Document] does the same for every value of a document. The examples
// show both. Edits of the document are made from the results by package hydration.
//
// The pack constraints document and the README of resolve-macros define macros:
//
//   - Their names are `.spectro.system.X`, `.spectro.pack.NAME.PATH`, `.spectro.var.X` and
//     `.spectro.macro.X`. Actions of other languages stay byte for byte.
//   - The value of a pack is its source text. If that contains macros, they are resolved first.
//   - Functions are the functions of sprig, except functions that read the host, the clock, the
//     network or randomness.
//
// # Undefined names
//
// A name is undefined if it is not supplied, or if it leads to no value, null or "". Its value
// is "", and the result of a function with an undefined argument is undefined, too. Only
// `default` and `coalesce` cover an undefined name: if they replace an empty value, its
// undefined names are ignored.
//
//	.spectro.pack.a.b | upper | default "x"          // covered: upper of "" is empty
//	.spectro.pack.a.b | printf "v%s" | default "x"   // not covered: "v" is not empty
//
// [Context.Missing] sets what happens to the names that are still undefined at the end of the
// action.
//
// # Hostile input
//
// Actions, values and documents may come from anyone. Each action has a budget of calls and of
// work, and each value has a largest size: see the constants. Before a function is called whose
// result may be much larger than its arguments, the arguments are checked. Findings contain
// functions, names and positions, but never values, which may be secrets.
//
// # The way of a text
//
//	text ─ template.Macros ─→ actions ─ parse ─→ pipeline ─ evaluate ─→ outcome ─ print ─→ text
//
// The package internal/template finds the actions of a text and parses their code. An action is parsed
// once for each code, whatever the number of texts that have it (action.go). Before it is evaluated,
// the values of packs that it reads are resolved, because they can contain macros themselves
// (chain.go). evaluate.go calls the functions, whose arguments are converted and checked in
// callable.go, check.go, format.go and regex.go. A fault has an offset in the text, and position.go
// finds its line in the document.
//
// As a function, resolve-macros makes a job of each document with values (krm_job.go). The sources of
// macros that earlier renders resolved are read from comments, and written back, by package
// internal/hydration.
package macro
