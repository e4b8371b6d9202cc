// Package template finds the `{{ }}` actions in a text, tells the macros of
// packs from everybody else's templates, and parses them.
//
// Values files carry templates of many languages: Helm, jinja, Prometheus, Go
// raw strings. Only the actions whose code reads `.spectro.` are macros in the
// sense of the pack constraints document; all others are text like any other.
//
//	for _, action := range template.Actions(text) {
//		if action.Macro {
//			pipeline, err := template.ParseAction(action.Code)
//		}
//	}
//
// The language of an action is that of Go templates as far as expressions go:
// pipelines, functions, literals and parentheses. It is parsed here, and not
// by text/template, because the names of packs hold hyphens, which paths
// of text/template do not (rule M2 of macros).
package template
