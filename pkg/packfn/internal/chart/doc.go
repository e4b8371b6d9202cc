// Package chart reads Helm charts, and finds the values that a chart does not read.
//
// Templates are parsed, not run. A walk over their trees follows `.Values` through fields,
// variables, functions, and named templates with their arguments. A value that it cannot follow
// counts as read, with everything below it, so no template reads a key that is reported. A key of
// the chart's values.yaml or values.schema.json counts as read, too.
//
// The manifests of a pack are treated as charts with a single template.
//
// # The way of the data
//
//	archive or folder ─ Open ─→ Chart ─ Facts ─→ facts.Chart
//
// [Open] reads the files within limits: an archive can be small and unpack to any size (open.go,
// measure.go). [Chart.Facts] makes a scope of the chart and of each subchart, whose values are a tree
// of nodes (node.go), and walks the templates (walk.go). In the walk, each value of a template is an
// abstract value: the set of everything that it can be in a run (abstract.go, functions.go). For
//
//	{{- with .Values.server }}{{ .port }}{{ end }}
//
// the dot inside is the node server, and server.port is marked as read. At the end a builder makes a
// tree of the nodes that are read, of the keys in values.yaml, and of the keys in values.schema.json
// (facts.go, schema.go, bundle.go).
//
// A [Catalog] has the charts at hand for releases, and a [Run] checks packs. asks.go finds the value
// that a template reads where Helm fails, and said.go masks what such a message may repeat of values.
package chart
