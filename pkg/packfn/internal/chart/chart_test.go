package chart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// archive packs files as `helm package` does.
func archive(t *testing.T, folder string, files map[string]string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	w := tar.NewWriter(zipped)
	if err := w.WriteHeader(&tar.Header{Name: folder + "/", Mode: 0o755, Typeflag: tar.TypeDir}); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: folder + "/" + name, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func writeFile(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// open makes a chart named web of its files.
func open(t *testing.T, files map[string]string) *Chart {
	t.Helper()
	if files["Chart.yaml"] == "" {
		files["Chart.yaml"] = "name: web\nversion: 1.0.0\n"
	}
	name := filepath.Join(t.TempDir(), "web-1.0.0.tgz")
	writeFile(t, name, archive(t, "web", files))
	c, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// inertKeys returns the paths of the keys that the chart does not read.
func inertKeys(t *testing.T, c *Chart, given string) []string {
	t.Helper()
	document, err := values.Parse(given)
	if err != nil {
		t.Fatal(err)
	}
	found := []string{}
	for _, key := range c.Facts().Inert(document.Root(), []string{given}) {
		found = append(found, strings.Join(key.Path, "."))
	}
	return found
}

func TestInert(t *testing.T) {
	const sub = "name: db\nversion: 2.0.0\n"
	for _, tc := range []struct {
		name  string
		files map[string]string
		given string
		want  []string
	}{
		{"a field", map[string]string{"templates/a.yaml": "{{ .Values.a.b }}"}, "{a: {b: 1, c: 2}, d: 3}", []string{"a.c", "d"}},
		{"all below a field that is used", map[string]string{"templates/a.yaml": "{{ toYaml .Values.a }}"}, "{a: {b: {c: 2}}, d: 3}", []string{"d"}},
		{"values.yaml", map[string]string{"values.yaml": "a: {b: 1}\ne: {}\nf:\n"}, "{a: {b: 1, c: 2}, e: {x: 1}, f: {x: 1}}", []string{"a.c"}},
		{"the schema", map[string]string{"values.schema.json": `{"properties": {"a": {"$ref": "#/$defs/a"}, "m": {"type": "object"}}, "$defs": {"a": {"properties": {"b": {}}}}}`}, "{a: {b: 1, c: 2}, m: {x: 1}}", []string{"a.c"}},
		{"additional properties", map[string]string{"values.schema.json": `{"properties": {"a": {"properties": {"b": {}}, "additionalProperties": {"type": "string"}}}}`}, "{a: {c: 2}, d: 1}", []string{"d"}},
		{"a schema elsewhere", map[string]string{"values.schema.json": `{"$ref": "https://example.com/s.json"}`}, "{a: 1}", []string{}},
		{"index", map[string]string{"templates/a.yaml": `{{ index .Values "a" "b-c" }}{{ $k := "x" }}{{ index .Values.m $k }}{{ get .Values.g "k" }}{{ dig "p" "q" 1 .Values.d }}`},
			"{a: {b-c: 1, d: 1}, m: {x: 1, y: 1}, g: {k: 1, l: 1}, d: {p: {q: 1, r: 1}}}", []string{"a.d", "m.y", "g.l", "d.p.r"}},
		{"index by what only a run knows", map[string]string{"templates/a.yaml": `{{ (index .Values.m .Release.Name).x }}`}, "{m: {any: {x: 1, y: 1}}}", []string{"m.any.y"}},
		{"with", map[string]string{"templates/a.yaml": "{{ with .Values.a }}{{ .b }}{{ $.Values.c }}{{ end }}", "values.yaml": "a: {b: 1}"}, "{a: {b: 1, x: 1}, c: 1, b: 1}", []string{"a.x", "b"}},
		{"a condition on a map without defaults", map[string]string{"templates/a.yaml": "{{ if .Values.a }}{{ .Values.a.b }}{{ end }}"}, "{a: {x: 1}}", []string{}},
		{"a condition on a map with defaults", map[string]string{"templates/a.yaml": "{{ if .Values.a }}{{ .Values.a.b }}{{ end }}", "values.yaml": "a: {b: 1}"}, "{a: {x: 1}}", []string{"a.x"}},
		{"range", map[string]string{"templates/a.yaml": "{{ range $k, $v := .Values.a }}{{ $k }}{{ $v.x }}{{ .z }}{{ end }}", "values.yaml": "a: {one: {x: 1}}"}, "{a: {one: {y: 1, x: 1}, two: {y: 1, z: 1}}}", []string{"a.one.y", "a.two.y"}},
		{"variables", map[string]string{"templates/a.yaml": "{{ $a := .Values.a }}{{ $r := . }}{{ if $a.b }}{{ $a = .Values.c }}{{ end }}{{ $a.d }}{{ $r.Values.e }}"}, "{a: {b: 1, d: 1, x: 1}, c: {d: 1, x: 1}, e: 1, f: 1}", []string{"a.x", "c.x", "f"}},
		{"a variable in a loop", map[string]string{"templates/a.yaml": "{{ $a := .Values.a }}{{ range list 1 2 }}{{ $a = index $a \"b\" }}{{ end }}{{ $a.c }}"}, "{a: {b: {b: {b: {c: 1}}}}}", []string{}},
		{"a named template with the context", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ .Values.a }}{{ end }}`, "templates/a.yaml": `{{ include "n" . | quote }}`}, "{a: 1, b: 1}", []string{"b"}},
		{"a named template with values", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ .a }}{{ end }}`, "templates/a.yaml": `{{ template "n" .Values.m }}{{ include "n" .Values }}`}, "{m: {a: 1, b: 1}, a: 1, b: 1}", []string{"m.b", "b"}},
		{"a named template with a dict", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ .v.a }}{{ .ctx.Values.c }}{{ end }}`, "templates/a.yaml": `{{ include "n" (dict "v" .Values.m "ctx" $) }}`}, "{m: {a: 1, b: 1}, c: 1, d: 1}", []string{"m.b", "d"}},
		{"a named template with a list", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ (index . 0).Values.c }}{{ (last .).a }}{{ end }}`, "templates/a.yaml": `{{ include "n" (list . .Values.m) }}`}, "{m: {a: 1, b: 1}, c: 1, d: 1}", []string{"m.b", "d"}},
		{"a named template whose name only a run knows", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ .Values.a }}{{ end }}`, "templates/a.yaml": `{{ include (printf "%s" .Chart.Name) . }}`}, "{a: 1, b: 1}", []string{"b"}},
		{"a template file by its path", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ toYaml . }}{{ end }}`, "templates/a.yaml": `{{ include (print $.Template.BasePath "/b.yaml") . }}`, "templates/b.yaml": "{{ .Values.a }}"}, "{a: 1, b: 1}", []string{"b"}},
		{"a template that calls itself", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ .a }}{{ range .below }}{{ include "n" . }}{{ end }}{{ end }}`, "templates/a.yaml": `{{ include "n" .Values.t }}`, "values.yaml": "t: {a: 1}"}, "{t: {a: 1, below: [], x: 1}}", []string{"t.x"}},
		{"default and or", map[string]string{"templates/a.yaml": "{{ $x := default .Values.b .Values.a }}{{ $x.c }}{{ (or .Values.d .Values.e).f }}{{ (ternary .Values.g .Values.h true).i }}", "values.yaml": "{a: {c: 1}, b: {c: 1}, d: {f: 1}, e: {f: 1}}"},
			"{a: {x: 1}, b: {c: 1, x: 1}, d: {x: 1}, e: {f: 1}, g: {i: 1}, h: {i: 1, x: 1}}", []string{"a.x", "b.x", "d.x", "h.x"}},
		{"merge", map[string]string{"templates/a.yaml": "{{ $x := merge (dict) .Values.a .Values.b }}{{ $x.c }}"}, "{a: {c: 1, x: 1}, b: {c: 1}}", []string{"a.x"}},
		{"merge into a field of a dict", map[string]string{"templates/a.yaml": "{{ $x := merge (dict \"y\" .Values.b) .Values.a }}{{ $x.y.c }}{{ $x.d }}"}, "{a: {d: 1, x: 1}, b: {c: 1, z: 1}}", []string{"a.x", "b.z"}},
		{"merge of roots", map[string]string{"templates/a.yaml": "{{ $x := merge $ .Values.a }}{{ $x.Values.b.c }}"}, "{a: {x: 1}, b: {c: 1, z: 1}}", []string{"b.z"}},
		{"the message of required", map[string]string{"templates/a.yaml": "{{ required .Values.a .Values.b }}"}, "{a: {x: 1}, b: 1}", []string{}},
		{"a copy", map[string]string{"templates/a.yaml": "{{ $x := deepCopy .Values.a }}{{ $x.c }}"}, "{a: {c: 1, x: 1}}", []string{"a.x"}},
		{"merge into values", map[string]string{"templates/a.yaml": "{{ $_ := mergeOverwrite .Values.a .Values.b }}{{ .Values.a.c }}"}, "{b: {x: 1}}", []string{}},
		{"set", map[string]string{"templates/a.yaml": `{{ $d := dict }}{{ $_ := set $d "ctx" $ }}{{ $d.ctx.Values.a }}{{ $_ := set .Values "n" .Values.m }}`}, "{a: 1, m: {x: 1}, b: 1}", []string{"b"}},
		{"set of the context by a key that only a run knows", map[string]string{"templates/a.yaml": `{{ $_ := set dict .Release.Name $ }}`}, "{a: 1}", []string{}},
		{"set of the context in itself", map[string]string{"templates/a.yaml": `{{ $_ := set $ "x" $ }}`}, "{a: 1}", []string{}},
		{"a dict that a named template changes", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ $_ := merge . .src }}{{ end }}`, "templates/a.yaml": `{{ $a := dict "src" .Values.a }}{{ include "n" $a }}{{ $b := dict "src" .Values.a }}{{ include "n" $b }}{{ $b.x }}`}, "{a: {x: 1}}", []string{}},
		{"all values", map[string]string{"templates/a.yaml": "{{ toYaml .Values }}"}, "{a: 1}", []string{}},
		{"the context", map[string]string{"templates/a.yaml": "{{ unknownFunction . }}"}, "{a: 1}", []string{}},
		{"all values by range", map[string]string{"templates/a.yaml": "{{ range $k, $v := .Values }}{{ $k }}{{ end }}"}, "{a: 1}", []string{}},
		{"a method", map[string]string{"templates/a.yaml": "{{ .Values.AsMap | toYaml }}"}, "{a: 1}", []string{}},
		{"a template that cannot be parsed", map[string]string{"templates/a.yaml": "{{ if }}"}, "{a: 1}", []string{}},
		{"tpl of a value", map[string]string{"templates/a.yaml": "{{ tpl .Values.t . }}"}, `{t: "{{ .Values.a.b }}", a: {b: 1, c: 1}, d: 1}`, []string{"a.c", "d"}},
		{"tpl of all values", map[string]string{"templates/a.yaml": "{{ tpl .Values.t . }}"}, `{t: "{{ with .Values }}{{ .a }}{{ end }}", d: 1}`, []string{}},
		{"tpl that includes", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ .Values.a }}{{ end }}`, "templates/a.yaml": "{{ tpl .Values.t . }}"}, `{t: '{{ include "n" . }}', a: 1, d: 1}`, []string{"d"}},
		{"tpl of a file", map[string]string{"files/x": "{{ .Values.a }}", "templates/a.yaml": `{{ tpl (.Files.Get "files/x") . }}`}, `{a: 1, d: 1}`, []string{"d"}},
		{"tpl with other values", map[string]string{"templates/a.yaml": `{{ tpl "{{ .Values.x }}" (dict "Values" .Values.m) }}`}, `{m: {x: 1}, d: 1}`, []string{"d"}},
		{"a file that is not run", map[string]string{"files/x": "{{ .Values.a }}"}, `{a: 1}`, []string{"a"}},
		{"a subchart", map[string]string{"charts/db/Chart.yaml": sub, "charts/db/templates/a.yaml": "{{ .Values.a }}{{ .Values.global.g }}", "charts/db/values.yaml": "b: 1"},
			"{db: {a: 1, b: 1, c: 1, global: {g: 1}}, global: {g: 1, h: 1}, a: 1}", []string{"db.c", "global.h", "a"}},
		{"a packed subchart", map[string]string{"charts/db-2.0.0.tgz": string(archive(t, "db", map[string]string{"Chart.yaml": sub, "values.yaml": "b: 1"}))}, "{db: {b: 1, c: 1}}", []string{"db.c"}},
		{"an alias, conditions and tags", map[string]string{
			"Chart.yaml":           "name: web\nversion: 1.0.0\ndependencies:\n- {name: db, alias: main, condition: 'main.on,extra.on', tags: [backend]}\n- {name: db, alias: other}\n",
			"charts/db/Chart.yaml": sub, "charts/db/templates/a.yaml": "{{ .Values.a }}",
		}, "{main: {on: true, a: 1, x: 1}, other: {a: 1, on: 1}, extra: {on: true, off: true}, tags: {backend: true, front: true}, db: {a: 1}}", []string{"main.x", "other.on", "extra.off", "tags.front", "db"}},
		{"requirements.yaml", map[string]string{"requirements.yaml": "dependencies: [{name: db, alias: main}]", "charts/db/Chart.yaml": sub, "charts/db/values.yaml": "a: 1"}, "{main: {a: 1, b: 1}}", []string{"main.b"}},
		{"a subchart that is not there", map[string]string{"Chart.yaml": "name: web\nversion: 1.0.0\ndependencies: [{name: db}]"}, "{db: {a: 1}, global: {a: 1}, b: 1}", []string{"b"}},
		{"globals of a subchart that is not there", map[string]string{"Chart.yaml": "name: web\nversion: 1.0.0\ndependencies: [{name: db}]", "templates/a.yaml": "{{ .Values.global.a }}"}, "{global: {b: 1}, c: 1}", []string{"c"}},
		{"dependencies in both files", map[string]string{"Chart.yaml": "name: web\nversion: 1.0.0\ndependencies: [{name: db, alias: main}]", "requirements.yaml": "dependencies: [{name: db, alias: other}]", "charts/db/Chart.yaml": sub, "charts/db/values.yaml": "a: 1"}, "{main: {b: 1}, other: {b: 1}}", []string{"main.b", "other"}},
		{"imported values", map[string]string{"Chart.yaml": "name: web\nversion: 1.0.0\ndependencies: [{name: db, import-values: [data, {child: x.y, parent: z}]}]", "charts/db/Chart.yaml": sub},
			"{db: {exports: {data: {a: 1}}, x: {y: {a: 1}, z: 1}}}", []string{"db.x.z"}},
		{"a subchart that reads all", map[string]string{"charts/db/Chart.yaml": sub, "charts/db/templates/a.yaml": "{{ toYaml .Values }}"}, "{db: {a: 1}, global: {a: 1}, b: 1}", []string{"b"}},
		{"a range with one variable", map[string]string{"templates/a.yaml": "{{ range $v := .Values.a }}{{ $v.x }}{{ end }}", "values.yaml": "a: {one: {x: 1}}"}, "{a: {one: {y: 1, x: 1}}}", []string{"a.one.y"}},
		{"a range over the context", map[string]string{"templates/a.yaml": "{{ range . }}{{ end }}"}, "{a: 1}", []string{}},
		{"a key of two texts", map[string]string{"templates/a.yaml": `{{ $k := "x" }}{{ if .Values.c }}{{ $k = "y" }}{{ end }}{{ index .Values.m $k }}`}, "{m: {x: 1, y: 1, z: 1}, c: 1}", []string{"m.z"}},
		{"one of two lists", map[string]string{"templates/a.yaml": "{{ $l := list .Values.a }}{{ if .Values.c }}{{ $l = list .Values.b }}{{ end }}{{ (first $l).k }}"}, "{a: {k: 1, x: 1}, b: {k: 1, x: 1}, c: 1}", []string{"a.x", "b.x"}},
		{"all subcharts", map[string]string{"charts/db/Chart.yaml": sub, "charts/db/templates/a.yaml": "{{ .Values.a }}", "templates/a.yaml": "{{ .Subcharts }}"}, "{db: {b: 1}}", []string{}},
		{"two subcharts of a name", map[string]string{"charts/db/Chart.yaml": sub, "charts/old/Chart.yaml": "name: db\nversion: 1.0.0\n", "charts/db/templates/a.yaml": "{{ .Values.global.a }}"}, "{db: {a: 1}, global: {b: 1}, c: 1}", []string{"c"}},
		{"globals of two subcharts of a name", map[string]string{"charts/db/Chart.yaml": sub, "charts/old/Chart.yaml": "name: db\nversion: 1.0.0\n", "templates/a.yaml": "{{ .Values.global.a }}{{ .Values.db.a }}"}, "{db: {b: 1}, global: {b: 1}, c: 1}", []string{"c"}},
		{"globals of a subchart that reads all", map[string]string{"charts/db/Chart.yaml": sub, "charts/db/templates/a.yaml": "{{ toYaml .Values }}", "templates/a.yaml": "{{ .Values.global.a }}"}, "{global: {b: 1}, c: 1}", []string{"c"}},
		{"a value of a subchart that is not there", map[string]string{"Chart.yaml": "name: web\nversion: 1.0.0\ndependencies: [{name: db}]", "templates/a.yaml": "{{ .Values.db.a }}"}, "{db: {b: 1}, c: 1}", []string{"c"}},
		{"an alias beside another subchart", map[string]string{"Chart.yaml": "name: web\nversion: 1.0.0\ndependencies: [{name: db, alias: main}, {name: low}]", "charts/db/Chart.yaml": sub, "charts/db/values.yaml": "a: 1", "charts/low/Chart.yaml": "name: low\nversion: 1.0.0\n"},
			"{main: {a: 1, b: 1}}", []string{"main.b"}},
		{"a folder without a chart", map[string]string{"charts/db/values.yaml": "a: 1"}, "{db: {a: 1}}", []string{"db"}},
		{"tags of a subchart's subchart", map[string]string{
			"charts/db/Chart.yaml": sub + "dependencies: [{name: low, tags: [deep]}]", "charts/db/charts/low/Chart.yaml": "name: low\nversion: 1.0.0\n",
		}, "{tags: {deep: 1, x: 1}, db: {tags: {deep: 1, x: 1}}}", []string{"tags.x", "db.tags.x"}},
		{"a template of another chart", map[string]string{"templates/a.yaml": `{{ include "absent" .Values.a }}{{ .Values.b.k }}`, "values.yaml": "{a: {k: 1}, b: {k: 1}}"}, "{a: {x: 1}, b: {x: 1}}", []string{"b.x"}},
		{"a template that passes itself more and more", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ include "n" (dict "a" .) }}{{ end }}`, "templates/a.yaml": `{{ include "n" . }}`}, "{a: 1}", []string{}},
		{"a template that passes itself", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ .Values.b }}{{ include "n" . }}{{ end }}`, "templates/a.yaml": `{{ include "n" . }}`}, "{a: 1, b: 1}", []string{"a"}},
		{"tpl of a text", map[string]string{"templates/a.yaml": `{{ tpl "{{ .Values.a.b }}" . }}`}, `{a: {b: 1, c: 1}, d: 1}`, []string{"a.c", "d"}},
		{"tpl of a text with all values", map[string]string{"templates/a.yaml": `{{ tpl "{{ toYaml .Values }}" . }}`}, `{d: 1}`, []string{}},
		{"tpl of a text that includes", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ .Values.a }}{{ end }}`, "templates/a.yaml": "{{ tpl `{{ include \"n\" . }}` . }}"}, `{a: 1, d: 1}`, []string{"d"}},
		{"tpl of a text that includes a template of another language", map[string]string{"templates/a.yaml": "{{ tpl `{{ template \"absent\" . }}` . }}"}, `{d: 1}`, []string{"d"}},
		{"tpl of a text that includes a computed template", map[string]string{"templates/a.yaml": "{{ tpl `{{ include (print 1) . }}` . }}"}, `{d: 1}`, []string{}},
		{"tpl of a text that includes with other values", map[string]string{"templates/_h.tpl": `{{ define "n" }}{{ end }}`, "templates/a.yaml": "{{ tpl `{{ include \"n\" $x }}` . }}"}, `{d: 1}`, []string{}},
		{"tpl of a text that runs texts", map[string]string{"templates/a.yaml": "{{ tpl `{{ tpl (lookup 1) . }}` . }}"}, `{t: "{{ .Values.a }}", a: 1, d: 1}`, []string{"t", "d"}},
		{"tpl with the context in a list", map[string]string{"templates/a.yaml": "{{ tpl `{{ (index . 0).Values.a }}` (list $) }}"}, `{a: 1, d: 1}`, []string{"d"}},
		{"tpl with the context in a dict", map[string]string{"templates/a.yaml": "{{ tpl `{{ .ctx.Values.a }}` (dict \"ctx\" $) }}"}, `{a: 1, d: 1}`, []string{"d"}},
		{"tpl with the context deep in lists", map[string]string{"templates/a.yaml": "{{ tpl `` (list (list (list (list (list (list $)))))) }}"}, `{a: 1, d: 1}`, []string{}},
		{"tpl with the values in a dict", map[string]string{"templates/a.yaml": "{{ tpl `{{ .Values.a }}` (dict \"Values\" .Values) }}"}, `{a: 1, d: 1}`, []string{"d"}},
		{"a README is not run", map[string]string{"README.md": "{{ .Values.a }}", "docs/README.txt": "{{ .Values.a }}", "notes.txt": "{{ .Values.b }}", "templates/a.yaml": "{{ tpl .Values.t . }}"}, `{t: x, a: 1, b: 1}`, []string{"a"}},
		{"schemas in branches", map[string]string{"values.schema.json": `{"allOf": [{"properties": {"a": {"properties": {"b": {}}}}}], "anyOf": [{"properties": {"c": {}}}], "oneOf": [{"properties": {"d": {}}}], "if": {"properties": {"e": {}}}, "then": {"properties": {"f": {}}}, "else": {"properties": {"g": {}}}, "dependentSchemas": {"x": {"properties": {"h": {}}}}, "dependencies": {"x": {"properties": {"i": {}}}, "y": ["z"]}}`},
			"{a: {b: 1, x: 1}, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, x: 1, z: 1}", []string{"a.x", "x", "z"}},
		{"patterns in a schema", map[string]string{"values.schema.json": `{"properties": {"a": {"properties": {"b": {}}, "patternProperties": {"^x": {}}}, "c": {"properties": {"b": {}}, "unevaluatedProperties": {}}, "d": {"properties": {"b": {}}, "additionalProperties": false}}}`}, "{a: {y: 1}, c: {y: 1}, d: {y: 1}}", []string{"d.y"}},
		{"a reference to what is not there", map[string]string{"values.schema.json": `{"properties": {"a": {"$ref": "#/$defs/a"}}}`}, "{a: {b: 1}, c: 1}", []string{"c"}},
		{"a reference with escapes", map[string]string{"values.schema.json": `{"properties": {"a": {"$ref": "#/$defs/x~1y~0"}}, "$defs": {"x/y~": {"properties": {"b": {}}}}}`}, "{a: {b: 1, c: 1}}", []string{"a.c"}},
		{"an anchor", map[string]string{}, "{a: &x {b: 1}, c: {d: &y 1}, e: 1}", []string{"e"}},
		{"lists", map[string]string{"templates/a.yaml": "{{ range .Values.a }}{{ .x }}{{ end }}"}, "{a: [{x: 1, y: 2}]}", []string{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			// Without any key an empty chart says nothing.
			tc.files["templates/known.yaml"] = "{{ .Values.known }}"
			if diff := cmp.Diff(tc.want, inertKeys(t, open(t, tc.files), tc.given)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	c := open(t, map[string]string{"templates/a.yaml": "{{ .Values.replicaCount }}{{ .Values.other }}"})
	document, _ := values.Parse("replicaCuont: 3\nothre: 1\nother: 1\nglobl: 1\n")
	keys := c.Facts().Inert(document.Root(), nil)
	if len(keys) != 3 || keys[0].Nearest != "replicaCount" || keys[1].Nearest != "" || keys[2].Nearest != "" {
		t.Errorf("got %+v", keys)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	nested := string(archive(t, "web", map[string]string{"Chart.yaml": "name: web"}))
	for range maxNesting + 1 {
		nested = string(archive(t, "web", map[string]string{"Chart.yaml": "name: web", "charts/a.tgz": nested}))
	}
	for name, tc := range map[string]struct {
		packed []byte
		want   string
	}{
		"not an archive":                     {[]byte("text that is not packed"), "gzip"},
		"no chart":                           {archive(t, "web", map[string]string{"a": ""}), "no Chart.yaml"},
		"no name":                            {archive(t, "web", map[string]string{"Chart.yaml": "version: 1"}), "no name"},
		"a path that climbs":                 {archive(t, "web", map[string]string{"Chart.yaml": "name: web", "../../x": ""}), "leads out"},
		"an absolute path":                   {archive(t, "/web", map[string]string{"Chart.yaml": "name: web"}), "leads out"},
		"too large":                          {archive(t, "web", map[string]string{"Chart.yaml": "name: web", "x": strings.Repeat("x", maxBytes+1)}), "MiB"},
		"nested too deep":                    {[]byte(nested), "nested"},
		"values that cannot be parsed":       {archive(t, "web", map[string]string{"Chart.yaml": "name: web", "values.yaml": "a: [\n"}), "values.yaml"},
		"metadata that cannot be parsed":     {archive(t, "web", map[string]string{"Chart.yaml": "a: [\n"}), "Chart.yaml"},
		"requirements that cannot be parsed": {archive(t, "web", map[string]string{"Chart.yaml": "name: web", "requirements.yaml": "a: [\n"}), "requirements.yaml"},
		"a subchart that cannot be parsed":   {archive(t, "web", map[string]string{"Chart.yaml": "name: web", "charts/db/Chart.yaml": "a: [\n"}), "charts/db: Chart.yaml"},
		"a packed subchart without a name":   {archive(t, "web", map[string]string{"Chart.yaml": "name: web", "charts/db.tgz": string(archive(t, "db", nil))}), "charts/db.tgz: the chart has no Chart.yaml"},
		"folders nested too deep":            {archive(t, "web", folders(maxNesting+1)), "charts are nested more than"},
		"a large archive":                    {nil, "MiB"},
	} {
		file := filepath.Join(dir, "web.tgz")
		writeFile(t, file, tc.packed)
		if tc.packed == nil { // it takes no space
			if err := os.Truncate(file, maxBytes+1); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(file); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	b := &budget{files: maxFiles}
	if _, err := b.unpack(archive(t, "web", map[string]string{"Chart.yaml": "name: web"}), 0); err == nil || !strings.Contains(err.Error(), "files") {
		t.Errorf("too many files: got %v", err)
	}
	if _, err := Open(filepath.Join(dir, "absent.tgz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
	if _, err := Open(filepath.Join(dir, "absent/web.tgz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: got %v", err)
	}
	large := filepath.Join(dir, "large")
	writeFile(t, filepath.Join(large, "Chart.yaml"), []byte("name: web"))
	writeFile(t, filepath.Join(large, "files/a"), nil)
	for size, want := range map[int64]bool{maxBytes - int64(len("name: web")): true, maxBytes - int64(len("name: we")): false, maxBytes + 1: false} {
		if err := os.Truncate(filepath.Join(large, "files/a"), size); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(large); (err == nil) != want {
			t.Errorf("a folder with %d bytes: got %v", size, err)
		}
	}
	open(t, folders(maxNesting))
	for levels, want := range map[int]bool{maxNesting: true, maxNesting + 1: false} {
		unpacked := filepath.Join(dir, fmt.Sprint("nested", levels))
		for name, text := range folders(levels) {
			writeFile(t, filepath.Join(unpacked, name), []byte(text))
		}
		if _, err := Open(unpacked); (err == nil) != want {
			t.Errorf("a folder with %d levels: got %v", levels, err)
		}
	}
}

// folders are the files of a chart with subcharts in folders, each in the one before.
func folders(levels int) map[string]string {
	files := map[string]string{}
	for i := range levels + 1 {
		files[strings.Repeat("charts/a/", i)+"Chart.yaml"] = "name: web"
	}
	return files
}

// Subcharts are in the order of their names and versions, wherever they are.
func TestSubcharts(t *testing.T) {
	c := open(t, map[string]string{
		"charts/1.tgz": string(archive(t, "c", map[string]string{"Chart.yaml": "{name: c, version: 2.0.0}"})), "charts/2/Chart.yaml": "{name: c, version: 1.0.0}",
		"charts/3/Chart.yaml": "{name: b}", "charts/4.tgz": string(archive(t, "a", map[string]string{"Chart.yaml": "{name: a}"})), "charts/5.txt": "no chart",
	})
	var got []string
	for _, sub := range c.subcharts {
		got = append(got, sub.Name+sub.Version)
	}
	if want := []string{"a", "b", "c1.0.0", "c2.0.0"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// linesOf returns findings as lines.
func linesOf(found []diag.Finding) []string {
	lines := []string{}
	for _, f := range found {
		line := f.Rule.ID + " " + f.Key + " " + f.Position.String()
		if f.Nearest != "" {
			line += " " + f.Nearest
		}
		if f.Tags[facts.TagEmpty] != "" {
			line += " empty"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"Chart.yaml": "name: web\nversion: 1.0.0\n", "templates/a.yaml": "{{ .Values.replicaCount }}{{ .Values.host }}{{ .Values.secret }}",
		"values.schema.json": `{"properties": {"replicaCount": {"type": "integer"}, "host": {"type": "string", "minLength": 3}}, "required": ["host"]}`,
	}
	writeFile(t, filepath.Join(dir, "charts/web-1.0.0.tgz"), archive(t, "other", files))
	for name, content := range files {
		writeFile(t, filepath.Join(dir, "charts/folder", name), []byte(strings.Replace(content, "name: web", "name: unpacked", 1)))
	}
	twin := maps.Clone(files)
	twin["templates/b.yaml"] = "{{ .Values.other }}"
	writeFile(t, filepath.Join(dir, "more/twin.tgz"), archive(t, "other", twin))
	dotted := maps.Clone(files)
	dotted["Chart.yaml"] = "name: dotted"
	writeFile(t, filepath.Join(dir, "charts/dot.tgz"), archive(t, ".", dotted))
	outside := filepath.Join(t.TempDir(), "outside.tgz")
	writeFile(t, outside, archive(t, "other", files))
	if err := os.Symlink(outside, filepath.Join(dir, "charts/link.tgz")); err != nil {
		t.Fatal(err)
	}
	metadata := func(charts string) *pack.Source {
		return pack.File("pack.json", "{\"name\": \"p\",\n\"charts\": "+charts+"}")
	}
	for name, tc := range map[string]struct {
		charts, own string
		overrides   []*pack.Override
		want        []string
	}{
		"inert": {`["charts/web-1.0.0.tgz"]`, "charts:\n  web:\n    host: abc\n    replicaCuont: 3\n", nil,
			[]string{"values/inert charts.web.replicaCuont line 4, column 5 replicaCount"}},
		"by the folder in the archive": {`["charts/web-1.0.0.tgz"]`, "charts: {other: {host: abc, x: 1}}\n", nil,
			[]string{"values/inert charts.other.x line 1, column 29"}},
		"one chart twice": {`["charts/web-1.0.0.tgz", "charts/web-1.0.0.tgz"]`, "charts: {web: {host: abc, x: 1}}\n", nil,
			[]string{"values/inert charts.web.x line 1, column 27"}},
		"two charts of a name": {`["charts/web-1.0.0.tgz", "more/twin.tgz"]`, "charts: {web: {host: a, x: 1}}\n", nil, []string{}},
		"an unpacked chart": {`["charts/folder"]`, "charts: {unpacked: {host: abc, x: 1}}\n", nil,
			[]string{"values/inert charts.unpacked.x line 1, column 32"}},
		"an archive without a folder": {`["charts/dot.tgz"]`, "charts: {dot: {host: abc, x: 1}}\n", nil,
			[]string{"values/inert charts.dot.x line 1, column 27"}},
		"no such chart": {`["charts/web-1.0.0.tgz"]`, "charts: {wbe: {x: 1}}\n", nil, []string{"values/misplaced charts.wbe line 1, column 10 web"}},
		"missing": {`["charts/web-1.0.0.tgz",` + "\n" + `"charts/absent.tgz"]`, "charts: {absent: {x: 1}}\n", nil,
			[]string{"values/chart-missing charts line 3, column 1"}},
		"a path that climbs":     {`["../web-1.0.0.tgz"]`, "", nil, []string{"values/chart-missing charts line 2, column 12"}},
		"a link out of the pack": {`["charts/link.tgz"]`, "", nil, []string{"values/chart-missing charts line 2, column 12"}},
		"a macro reads it":       {`["charts/web-1.0.0.tgz"]`, "charts: {web: {host: '{{ .spectro.pack.p.charts.web.x }}', x: 1}}\n", nil, []string{}},
		"schema": {`["charts/web-1.0.0.tgz"]`, "charts:\n  web:\n    replicaCount: many\n    host: abc\n", nil,
			[]string{"values/chart-schema charts.web.replicaCount line 3, column 19"}},
		"schema, required": {`["charts/web-1.0.0.tgz"]`, "charts:\n  web:\n    replicaCount: 1\n", nil,
			[]string{"values/chart-schema charts.web line 3, column 5 empty"}},
		"schema, a macro": {`["charts/web-1.0.0.tgz"]`, "charts: {web: {replicaCount: '{{ .spectro.var.N }}', host: abc}}\n", nil, []string{}},
		"schema, null without a default": {`["charts/web-1.0.0.tgz"]`, "charts: {web: {replicaCount: null, host: abc}}\n", nil,
			[]string{"values/chart-schema charts.web.replicaCount line 1, column 30 empty"}},
		"overrides": {`["charts/web-1.0.0.tgz"]`, "charts: {web: {host: a}}\n",
			[]*pack.Override{{Values: pack.File("values.yaml", "\ncharts: {web: {host: abc, x: 1}}\n")}},
			[]string{"values/inert charts.web.x line 2, column 27"}},
		"an override of a wrong value": {`["charts/web-1.0.0.tgz"]`, "charts: {web: {host: a}}\n",
			[]*pack.Override{{Values: pack.File("values.yaml", "\ncharts: {web: {host: b}}\n")}},
			[]string{"values/chart-schema charts.web.host line 2, column 22"}},
		"a chart that a merge key brings": {`["charts/web-1.0.0.tgz"]`, "x: &x {wbe: {a: 1}}\ncharts:\n  <<: *x\n  web: {host: abc}\n", nil, []string{}},
		"schema, an empty text": {`["charts/web-1.0.0.tgz"]`, "charts: {web: {host: ''}}\n", nil,
			[]string{"values/chart-schema charts.web.host line 1, column 22 empty"}},
		"schema, an empty text in place of a number": {`["charts/web-1.0.0.tgz"]`, "charts: {web: {host: abc, replicaCount: ''}}\n", nil,
			[]string{"values/chart-schema charts.web.replicaCount line 1, column 41"}},
		"an override that replaces": {`["charts/web-1.0.0.tgz"]`, "charts: {web: {y: a}}\n",
			[]*pack.Override{{Replace: true, Values: pack.File("values.yaml", "charts: {web: {host: abc}}\n")}}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &pack.Pack{Name: "p", Metadata: metadata(tc.charts), Values: pack.File("values.yaml", tc.own), Overrides: tc.overrides}
			found := new(Run).Check(p, dir, nil, nil, false)
			if diff := cmp.Diff(tc.want, linesOf(found)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, f := range found {
				if strings.Contains(f.Message(), "many") {
					t.Errorf("the message has the value: %s", f.Message())
				}
			}
		})
	}
	// Without a list in pack.json the charts that are there count.
	p := &pack.Pack{Name: "p", Metadata: pack.File("pack.json", "{}"), Values: pack.File("values.yaml", "charts: {web: {host: abc, x: 1}, unknown: {}}\n")}
	if diff := cmp.Diff([]string{"values/inert charts.web.x line 1, column 27"}, linesOf(new(Run).Check(p, dir, nil, nil, false))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A finding about a chart that cannot be read says why.
func TestChartMissing(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(outside, "web.tgz"), archive(t, "web", map[string]string{"Chart.yaml": "name: web\n"}))
	writeFile(t, filepath.Join(dir, "charts/empty.tgz"), archive(t, "web", map[string]string{"a": ""}))
	writeFile(t, filepath.Join(dir, "charts/file.tgz"), nil)
	if err := os.Symlink(filepath.Join(outside, "web.tgz"), filepath.Join(dir, "charts/link.tgz")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"charts/absent.tgz": "is not in the directory of the pack", "../web.tgz": "cannot be read: its path leads out of the directory",
		"charts/link.tgz":  "cannot be read: it is a symbolic link out of the directory",
		"charts/empty.tgz": "cannot be read: the chart has no Chart.yaml", "charts/file.tgz/a": "cannot be read: not a directory",
	} {
		p := &pack.Pack{Name: "p", Metadata: pack.File("pack.json", fmt.Sprintf(`{"name": "p", "charts": [%q]}`, name))}
		var got []string
		for _, f := range new(Run).Check(p, dir, nil, nil, false) {
			got = append(got, f.Message())
		}
		if diff := cmp.Diff([]string{"charts: the chart " + name + " " + want + " (pack.json line 1). Add the chart, or correct its name"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Values of manifests are checked by what the manifests read, and by nothing if that is unknown.
func TestCheckManifests(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "manifests/vip.yaml"), []byte("{{ .Values.namespace }}{{ .Values.tls.on }}{{ range .Values.pools }}{{ .name }}{{ end }}"))
	for name, tc := range map[string]struct {
		own       string
		overrides []*pack.Override
		want      []string
	}{
		"a slip":              {"manifests:\n  vip:\n    nmespace: a\n", nil, []string{"values/inert manifests.vip.nmespace line 3, column 5 namespace"}},
		"below":               {"manifests: {vip: {namespace: a, tls: {on: true, off: true}}}\n", nil, []string{"values/inert manifests.vip.tls.off line 1, column 49"}},
		"what it reads":       {"manifests: {vip: {namespace: a, pools: [{name: a, x: 1}]}}\n", nil, []string{}},
		"an override":         {"manifests: {vip: {namespace: a}}\n", []*pack.Override{{Values: pack.File("values.yaml", "\nmanifests: {vip: {x: 1}}\n")}}, []string{"values/inert manifests.vip.x line 2, column 19"}},
		"of a missing file":   {"manifests: {absent: {x: 1}}\n", nil, []string{}},
		"of no manifest":      {"manifests: {vpi: {x: 1}}\n", nil, []string{}},
		"a macro reads it":    {"a: '{{ .spectro.pack.p.manifests.vip.x }}'\nmanifests: {vip: {x: 1}}\n", nil, []string{}},
		"a merge key":         {"x: &x {vip: {a: 1}}\nmanifests: {<<: *x}\n", nil, []string{}},
		"an anchor":           {"manifests: {vip: {x: &x 1, namespace: *x}}\n", nil, []string{}},
		"no map":              {"manifests: {vip: [1]}\n", nil, []string{}},
		"a chart of its name": {"charts: {vip: {x: 1}}\nmanifests: {vip: }\n", nil, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			metadata := pack.File("pack.json", `{"name": "p", "kubeManifests": ["manifests/vip.yaml", "manifests/absent.yaml"]}`)
			p := &pack.Pack{Name: "p", Metadata: metadata, Values: pack.File("values.yaml", tc.own), Overrides: tc.overrides}
			if diff := cmp.Diff(tc.want, linesOf(new(Run).Check(p, dir, nil, nil, false))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A subchart's schema checks its values when it is on.
func TestSubchartSchema(t *testing.T) {
	// Values are below the alias. Helm reads no folder whose name begins with _ or a dot.
	aliased := open(t, map[string]string{
		"Chart.yaml":                   "name: web\nversion: 1.0.0\ndependencies: [{name: db, alias: store}]",
		"charts/db/Chart.yaml":         "name: db\nversion: 1.0.0",
		"charts/db/values.schema.json": `{"properties": {"port": {"type": "integer"}}}`,
		"charts/_old/Chart.yaml":       "name: [", "charts/.new/Chart.yaml": "name: [",
	})
	document, _ := values.Parse("{db: {port: x}, store: {port: y}}")
	if found := aliased.Facts().Violations(document.Root()); len(found) != 1 || found[0].Path.String() != "store.port" {
		t.Errorf("got %v", found)
	}
	c := open(t, map[string]string{
		"Chart.yaml":                   "name: web\nversion: 1.0.0\ndependencies: [{name: db, condition: db.on}]",
		"charts/db/Chart.yaml":         "name: db\nversion: 1.0.0",
		"charts/db/values.schema.json": `{"properties": {"port": {"type": "integer"}, "global": {"type": "object"}}, "required": ["global"]}`,
	})
	for given, want := range map[string]string{
		"{global: {}, db: {on: true, port: x}}":  "db.port",
		"{global: {}, db: {on: false, port: x}}": "",
		"{global: {}, db: {port: x}}":            "db.port", // Helm uses a subchart whose condition is not set
		"{global: {}, db: {on: true, port: 1}}":  "",
	} {
		document, _ := values.Parse(given)
		got := ""
		for _, v := range c.Facts().Violations(document.Root()) {
			got += v.Path.String()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", given, got, want)
		}
	}
}

// The digest of an unpacked chart is of the names and the content of all its files.
func TestDigest(t *testing.T) {
	seen := map[string]string{}
	for name, files := range map[string]map[string]string{
		"a chart": {"values.yaml": "a: 1\n"}, "other content": {"values.yaml": "a: 2\n"}, "another name": {"values.yml": "a: 1\n"},
		"one more file": {"values.yaml": "a: 1\n", "templates/a.yaml": ""}, "a longer file": {"values.yaml": "a: 1\n\n"},
	} {
		digest := open(t, files).Digest
		if other, ok := seen[digest]; ok || digest == "" || digest != open(t, files).Digest {
			t.Errorf("%s: the digest %s is that of %s, or differs", name, digest, other)
		}
		seen[digest] = name
	}
}
