// Package chart reads Helm charts, and finds the values that a chart does not read.
//
// Templates are parsed, not run. A walk over their trees follows `.Values` through
// fields, variables, functions, and named templates with their arguments. What it cannot
// follow counts as read with all that is below it: a key that is reported is read by no
// template. A key of the chart's values.yaml or values.schema.json counts as read, too.
//
// The manifests of a pack are charts with one template.
package chart
