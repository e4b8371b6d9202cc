// Package template finds the `{{ }}` actions in a text, separates the macros of
// packs from the templates of other languages, and parses them.
//
// Values files carry templates of many languages: Helm, jinja, Prometheus, Go
// raw strings. Only the actions whose code reads `.spectro.` are macros in the
// sense of the pack constraints document; all others are plain text.
//
// An action is an expression of Go templates: pipelines, functions, literals and
// parentheses. This package parses it, because names of packs hold hyphens, which
// text/template does not allow in paths.
//
//	host: '{{ .spectro.system.cluster.name }}.example.com'  # a macro
//	message: '{{ .Values.greeting }}'                        # a text of Helm
//
// [Actions] finds the actions, and [ParseAction] parses the code of one. tree.go has the types of its
// result.
package template
