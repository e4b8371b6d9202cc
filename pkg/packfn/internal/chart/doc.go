// Package chart reads Helm charts, and finds the values that a chart does not read.
//
// Templates are parsed, not run. A walk over their trees follows `.Values` through fields,
// variables, functions, and named templates with their arguments. A value that it cannot follow
// counts as read, with everything below it, so no template reads a key that is reported. A key of
// the chart's values.yaml or values.schema.json counts as read, too.
//
// The manifests of a pack are treated as charts with a single template.
package chart
