package helm

const head = `apiVersion: v2
name: web
version: 1.0.0
`

// charts are small charts by their names, each with its files.
var charts = map[string]map[string]string{
	"plain": {
		"Chart.yaml": head,
		"values.yaml": `replicas: 1
image: {tag: v1, repository: a}
empty:
extra: {}
list: [{name: a}]
enabled: true
`,
		"values.schema.json": `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["replicas", "image"],
			"properties": {"replicas": {"type": "integer", "minimum": 1}, "image": {"type": "object", "required": ["tag"], "additionalProperties": false, "properties": {"tag": {"type": "string"}, "repository": {"type": "string"}}},
			"empty": {"type": ["string", "null"]}, "extra": {"type": "object", "additionalProperties": {"type": "string"}}, "list": {"type": "array", "items": {"type": "object", "required": ["name"]}}, "enabled": {"type": "boolean"}}}`,
		"templates/a.yaml": `a: {{ .Values.replicas }}
b: {{ .Values.image.tag }}
{{ if .Values.enabled }}c: {{ toYaml .Values.extra }}{{ end }}
{{ range .Values.list }}d: {{ .name }}{{ end }}
`,
	},
	"helpers": {
		"Chart.yaml": head,
		"values.yaml": `a: {b: {c: 1, d: x}}
labels: {}
text: '{{ .Values.a.b.d }}'
enabled: false
`,
		"templates/_h.tpl": `{{ define "web.all" }}{{ with .ctx.Values.a }}{{ .b.c }}{{ end }}{{ tpl .text .ctx }}{{ end }}`,
		"templates/a.yaml": `x: {{ include "web.all" (dict "ctx" $ "text" .Values.text) }}
{{- range $k, $v := .Values.labels }}
{{ $k }}: {{ $v }}{{ end }}
{{ if and .Values.enabled .Values.more }}y: {{ .Values.more.z }}{{ end }}
`,
		"templates/b.yaml": `z: {{ get .Values.a "b" | toYaml }}
{{ $x := default (dict) .Values.other }}{{ $x.k }}
`,
		"templates/NOTES.txt": "{{ .Values.note }}",
		"values.schema.json":  `{"properties": {"a": {"type": "object", "properties": {"b": {"type": "object"}}}, "text": {"type": "string"}}}`,
	},
	"subcharts": {
		"Chart.yaml": head + `dependencies:
- {name: db, version: 1.0.0, condition: 'db.enabled,data.enabled', tags: [data]}
- {name: db, alias: cache, version: 1.0.0, tags: [data, fast]}
- {name: log, version: 1.0.0}
`,
		"values.yaml": `db: {enabled: true, port: 5432, drop: null}
global: {zone: a, deep: {x: 1}}
tags: {data: true}
name: web
`,
		"values.schema.json": `{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "db": {"type": "object", "properties": {"port": {"type": "integer"}, "user": {"type": "string"}}, "required": ["port"]},
			"global": {"type": "object", "properties": {"zone": {"type": "string"}}}, "cache": {"type": "object", "additionalProperties": {"not": {"const": "x"}}}}}`,
		"templates/a.yaml": "a: {{ .Values.name }}{{ .Values.global.zone }}{{ .Values.db.port }}\n",
		"charts/db/Chart.yaml": `apiVersion: v2
name: db
version: 1.0.0
`,
		"charts/db/values.yaml": `port: 1
user: root
drop: 1
nothing:
nested: {a: null, b: 1}
global: {own: 1, deep: {y: 2}}
`,
		"charts/db/values.schema.json": `{"required": ["port", "user"], "properties": {"port": {"type": "integer"}, "user": {"type": "string"}, "nothing": {"type": "string"}, "nested": {"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}, "global": {"type": "object", "required": ["zone"], "properties": {"zone": {"type": "string"}, "own": {"type": "integer"}}}}}`,
		"charts/db/templates/a.yaml":   "b: {{ .Values.port }}{{ .Values.user }}{{ .Values.global.zone }}{{ .Values.nested.b }}\n",
		"charts/log/Chart.yaml": `apiVersion: v2
name: log
version: 1.0.0
dependencies:
- {name: sink, version: 1.0.0, condition: sink.enabled}
`,
		"charts/log/values.yaml": `level: info
sink: {enabled: false}
`,
		"charts/log/templates/a.yaml": "c: {{ .Values.level }}\n",
		"charts/log/charts/sink/Chart.yaml": `apiVersion: v2
name: sink
version: 1.0.0
`,
		"charts/log/charts/sink/values.yaml":        "size: 1\n",
		"charts/log/charts/sink/values.schema.json": `{"properties": {"size": {"type": "integer"}}, "required": ["size"]}`,
		"charts/log/charts/sink/templates/a.yaml":   "d: {{ .Values.size }}\n",
	},
	"a schema with a comma too many": rejected(`{"properties": {"port": {"type": "integer"},}}`),
	"an empty schema":                rejected(""),
	"a schema that is YAML": rejected(`properties:
  port: {type: integer}
`),
	"a schema with a comment":          rejected("// ports\n{}"),
	"a schema that is a string":        rejected(`"object"`),
	"a schema in another file":         rejected(`{"properties": {"port": {"$ref": "port.json"}}}`),
	"a schema that is not there":       rejected(`{"properties": {"port": {"$ref": "#/definitions/port"}}}`),
	"a schema with a lookahead":        rejected(`{"properties": {"name": {"pattern": "^(?!web)"}}}`),
	"a schema with a wrong annotation": rejected(`{"description": 7}`),
	"imports": {
		"Chart.yaml": head + `dependencies:
- {name: db, version: 1.0.0, import-values: [conf, {child: ports, parent: net}]}
`,
		"values.yaml":      "name: a\n",
		"templates/a.yaml": "a: {{ .Values.host }}{{ .Values.net.http }}{{ .Values.name }}\n",
		"charts/db/Chart.yaml": `apiVersion: v2
name: db
version: 1.0.0
`,
		"charts/db/values.yaml": `exports: {conf: {host: h}}
ports: {http: 80}
user: x
`,
		"charts/db/values.schema.json": `{"properties": {"user": {"type": "string"}, "ports": {"type": "object"}}}`,
		"charts/db/templates/a.yaml":   "b: {{ .Values.user }}\n",
	},
}

// rejected are the files of a chart with a subchart that has a schema and can be switched off. Helm
// rejects the schema.
func rejected(schema string) map[string]string {
	return map[string]string{
		"Chart.yaml": head + `dependencies:
- {name: db, version: 1.0.0, condition: db.enabled}
`,
		"values.yaml": `name: a
db: {enabled: true}
`,
		"templates/a.yaml": "a: {{ .Values.name }}\n",
		"charts/db/Chart.yaml": `apiVersion: v2
name: db
version: 1.0.0
`,
		"charts/db/values.yaml":        "port: 5432\n",
		"charts/db/values.schema.json": schema,
		"charts/db/templates/a.yaml":   "b: {{ .Values.port }}\n",
	}
}
