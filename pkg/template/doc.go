// Package template finds the `{{ }}` actions in a text and tells the macros of
// packs from everybody else's templates.
//
// Values files carry templates of many languages: Helm, jinja, Prometheus, Go
// raw strings. Only the actions whose code reads `.spectro.` are macros in the
// sense of the pack constraints document; all others are text like any other.
package template
