package chart

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The places and the words are those of Helm's messages.
func TestLocate(t *testing.T) {
	const at = "template: web/templates/a.yaml:"
	for name, tc := range map[string]struct {
		files   map[string]string // templates/a.yaml unless named
		message string
		want    Failure
	}{
		"no place":            {nil, " something else ", Failure{Words: "something else"}},
		"a file without YAML": {map[string]string{"a": "x: [\n"}, "YAML parse error on web/templates/a.yaml: error converting", Failure{File: "templates/a.yaml", Words: "it renders to what is not YAML: error converting"}},
		"no such file":        {nil, at + `1:3: executing "x" at <.Values.a.b>: nil pointer evaluating interface {}.b`, Failure{File: "templates/a.yaml", Line: 1, Words: "<.Values.a.b>: nil pointer evaluating interface {}.b", Key: []string{"a", "b"}}},
		"a parent is missing": {map[string]string{"a": "a: {{ .Values.a.b.c }}"}, at + `1:6: executing "x" at <.Values.a.b.c>: nil pointer evaluating interface {}.b`,
			Failure{File: "templates/a.yaml", Line: 1, Words: "<.Values.a.b.c>: nil pointer evaluating interface {}.b", Key: []string{"a"}}},
		"the first of the keys": {map[string]string{"a": "a: {{ .Values.a.b }}"}, at + `1:6: executing "x" at <.a>: nil pointer evaluating interface {}.a`,
			Failure{File: "templates/a.yaml", Line: 1, Words: "<.a>: nil pointer evaluating interface {}.a", Key: []string{"a", "b"}}},
		"another line": {map[string]string{"a": "a: 1\n\nb: {{ .Values.a }}{{ .Values.c | f }}\n"}, at + `3:24: executing "x" at <f>: wrong`,
			Failure{File: "templates/a.yaml", Line: 3, Words: "<f>: wrong"}},
		"a function of a pipe":      {map[string]string{"a": "{{ .Values.a | f }}"}, at + `1:15: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"a"}}},
		"a function":                {map[string]string{"a": "{{ f .Values.a }}"}, at + `1:3: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"a"}}},
		"a variable":                {map[string]string{"a": "{{ $.Values.a }}"}, at + `1:3: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"a"}}},
		"a declared variable":       {map[string]string{"a": "{{ $x := 1 }}{{ $x.Values.a }}"}, at + `1:16: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong"}},
		"a chain":                   {map[string]string{"a": "{{ (f .Values.a).b }}"}, at + `1:3: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"a"}}},
		"what is not below values":  {map[string]string{"a": "{{ .Release.Name }}"}, at + `1:3: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong"}},
		"all values":                {map[string]string{"a": "{{ f .Values }}"}, at + `1:3: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong"}},
		"in if":                     {map[string]string{"a": "{{ if .Values.a }}{{ f .Values.b }}{{ end }}"}, at + `1:21: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"b"}}},
		"in else":                   {map[string]string{"a": "{{ if 1 }}{{ else }}{{ f .Values.b }}{{ end }}"}, at + `1:23: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"b"}}},
		"in with":                   {map[string]string{"a": "{{ with .Values.a }}{{ f $.Values.b }}{{ end }}"}, at + `1:23: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"b"}}},
		"in range":                  {map[string]string{"a": "{{ range .Values.a }}{{ f $.Values.b }}{{ end }}"}, at + `1:24: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"b"}}},
		"an element of a range":     {map[string]string{"a": "{{ range .Values.a }}{{ .b }}{{ end }}"}, at + `1:24: at <.b>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<.b>: wrong", Key: []string{"a"}}},
		"a variable of a range":     {map[string]string{"a": "{{ range $i, $x := .Values.a }}{{ $x.b }}{{ end }}"}, at + `1:36: at <$x.b>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<$x.b>: wrong", Key: []string{"a"}}},
		"a field of with":           {map[string]string{"a": "{{ with .Values.a }}{{ f .b }}{{ end }}"}, at + `1:25: at <.b>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<.b>: wrong", Key: []string{"a"}}},
		"the inner of two ranges":   {map[string]string{"a": "{{ range .Values.a }}{{ range .c }}{{ .b }}{{ end }}{{ end }}"}, at + `1:38: at <.b>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<.b>: wrong"}},
		"another variable":          {map[string]string{"a": "{{ $y := 1 }}{{ range $x := .Values.a }}{{ $y.b }}{{ end }}"}, at + `1:45: at <$y.b>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<$y.b>: wrong"}},
		"behind a range":            {map[string]string{"a": "{{ range .Values.a }}{{ else }}{{ .b }}{{ end }}"}, at + `1:34: at <.b>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<.b>: wrong"}},
		"in a call of a template":   {map[string]string{"a": `{{ template "n" }}{{ template "n" f .Values.b }}`}, at + `1:34: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"b"}}},
		"in a named template":       {map[string]string{"a": `{{ define "n" }}{{ f .Values.b }}{{ end }}`}, at + `1:19: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"b"}}},
		"a place that is not there": {map[string]string{"a": "{{ .Values.a }}"}, at + `3:3: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 3, Words: "<f>: wrong"}},
		"no line":                   {map[string]string{"a": "{{ .Values.a }}"}, at + `0:3: at <f>: wrong`, Failure{File: "templates/a.yaml", Words: "<f>: wrong"}},
		"no syntax":                 {map[string]string{"a": "{{ .Values.a }}{{ if }}"}, at + `1:3: at <f>: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: "<f>: wrong"}},
		"no column":                 {map[string]string{"a": "{{ .Values.a }}"}, at + `1: wrong`, Failure{File: "templates/a.yaml", Line: 1, Words: at + "1: wrong"}},
		"the innermost of places": {map[string]string{"a": `{{ include "n" . }}`, "b": `{{ f .Values.b }}`}, at + `1:3: executing "x" at <include "n" .>: error calling include: template: web/templates/b.yaml:1:3: executing "n" at <f>: wrong`,
			Failure{File: "templates/b.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"b"}}},
		"required": {map[string]string{"a": "a: 1\n{{ required \" set a \" .Values.a.b }}"}, "execution error at (web/templates/a.yaml:2:3): set a",
			Failure{File: "templates/a.yaml", Line: 2, Words: "set a", Literal: true, Key: []string{"a", "b"}}},
		"required in a pipe":       {map[string]string{"a": `{{ .Values.a | required "set a" }}`}, "execution error at (web/templates/a.yaml:1:3): set a", Failure{File: "templates/a.yaml", Line: 1, Words: "set a", Literal: true, Key: []string{"a"}}},
		"required of another text": {map[string]string{"a": `{{ required "set a" .Values.a }}{{ required "set b" .Values.b }}`}, "execution error at (web/templates/a.yaml:1:3): set b", Failure{File: "templates/a.yaml", Line: 1, Words: "set b", Literal: true, Key: []string{"b"}}},
		"the first of a text": {map[string]string{"a": "\n{{ required \"t\" .Values.a }}\n{{ required \"t\" .Values.b }}\n{{ define \"n\" }}{{ required \"t\" .Values.c }}{{ end }}"}, "execution error at (web/templates/a.yaml:3:3): t",
			Failure{File: "templates/a.yaml", Line: 2, Words: "t", Literal: true, Key: []string{"a"}}},
		"a text of values":        {map[string]string{"a": `{{ fail .Values.a }}`}, "execution error at (web/templates/a.yaml:1:3): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t", Key: []string{"a"}}},
		"fail in if":              {map[string]string{"a": `{{ if not .Values.a }}{{ fail "t" }}{{ end }}`}, "execution error at (web/templates/a.yaml:1:25): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t", Literal: true, Key: []string{"a"}}},
		"fail in else":            {map[string]string{"a": `{{ if .Values.a }}{{ else }}{{ fail "t" }}{{ end }}`}, "execution error at (web/templates/a.yaml:1:31): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t", Literal: true, Key: []string{"a"}}},
		"fail in with":            {map[string]string{"a": `{{ with .Values.a }}{{ fail "t" }}{{ end }}`}, "execution error at (web/templates/a.yaml:1:23): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t", Literal: true, Key: []string{"a"}}},
		"required in a condition": {map[string]string{"a": `{{ if .Values.a }}{{ if required "t" 1 }}{{ end }}{{ end }}`}, "execution error at (web/templates/a.yaml:1:23): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t", Literal: true}},
		"fail in range":           {map[string]string{"a": `{{ range .Values.a }}{{ fail "t" }}{{ end }}`}, "execution error at (web/templates/a.yaml:1:24): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t", Literal: true}},
		"fail in range in if":     {map[string]string{"a": `{{ if .Values.a }}{{ range .Values.b }}{{ else }}{{ fail "t" }}{{ end }}{{ end }}`}, "execution error at (web/templates/a.yaml:1:24): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t", Literal: true, Key: []string{"a"}}},
		"fail alone":              {map[string]string{"a": `{{ fail "t" }}`}, "execution error at (web/templates/a.yaml:1:3): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t", Literal: true}},
		"another function":        {map[string]string{"a": `{{ quote "t" }}{{/* fail */}}`}, "execution error at (web/templates/a.yaml:1:3): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t"}},
		"a value in the words":    {nil, "execution error at (web/templates/a.yaml:1:3): set .Values.a.b-c!", Failure{File: "templates/a.yaml", Line: 1, Words: "set .Values.a.b-c!", Key: []string{"a", "b-c"}}},
		"a helper of a file that is not a template": {map[string]string{"files/a.yaml": `{{ fail "t" }}`}, "execution error at (web/templates/a.yaml:1:3): t", Failure{File: "templates/a.yaml", Line: 1, Words: "t"}},
		"a subchart": {map[string]string{"charts/db/templates/a.yaml": "{{ f .Values.a }}"}, "template: web/charts/db/templates/a.yaml:1:3: at <f>: wrong",
			Failure{File: "charts/db/templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"db", "a"}}},
		"all values of a subchart": {map[string]string{"charts/db/templates/a.yaml": "{{ f .Values }}"}, "template: web/charts/db/templates/a.yaml:1:3: at <f>: wrong",
			Failure{File: "charts/db/templates/a.yaml", Line: 1, Words: "<f>: wrong"}},
		"an alias": {map[string]string{"Chart.yaml": "name: web\ndependencies: [{name: db, alias: main}, {name: db2}]", "charts/db/templates/a.yaml": "{{ f .Values.a }}"}, "template: web/charts/main/templates/a.yaml:1:3: at <f>: wrong",
			Failure{File: "charts/main/templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"main", "a"}}},
		"no such subchart": {map[string]string{"charts/db/templates/a.yaml": "{{ f .Values.a }}"}, "template: web/charts/x/templates/a.yaml:1:3: at <f>: wrong",
			Failure{File: "charts/x/templates/a.yaml", Line: 1, Words: "<f>: wrong"}},
		"a file of a subchart that is not there": {map[string]string{"a": `{{ fail "t" }}`, "charts/db/templates/a.yaml": `{{ fail "t" }}`}, "execution error at (web/charts/db/templates/b.yaml:1:3): t",
			Failure{File: "templates/a.yaml", Line: 1, Words: "t", Literal: true}},
		"a subchart of a subchart": {map[string]string{"charts/db/charts/low/templates/a.yaml": `{{ fail "t" }}{{ f .Values.a }}`, "charts/db/charts/low/Chart.yaml": "name: low"}, "template: web/charts/db/charts/low/templates/a.yaml:1:17: at <f>: wrong",
			Failure{File: "charts/db/charts/low/templates/a.yaml", Line: 1, Words: "<f>: wrong", Key: []string{"db", "low", "a"}}},
		"required in a subchart": {map[string]string{"charts/db/templates/a.yaml": `{{ required "t" .Values.a }}`}, "execution error at (web/charts/db/templates/a.yaml:1:3): t",
			Failure{File: "charts/db/templates/a.yaml", Line: 1, Words: "t", Literal: true, Key: []string{"db", "a"}}},
		"a helper of a subchart": {map[string]string{"a": `{{ include "n" . }}`, "charts/db/templates/a.yaml": `{{ define "n" }}{{ required "t" .Values.a }}{{ end }}`}, "execution error at (web/templates/a.yaml:1:3): t",
			Failure{File: "charts/db/templates/a.yaml", Line: 1, Words: "t", Literal: true, Key: []string{"a"}}},
		"a helper of an alias": {map[string]string{"Chart.yaml": "name: web\ndependencies: [{name: x, alias: y}, {name: db, alias: main}]", "charts/db/templates/a.yaml": `{{ define "n" }}{{ fail "t" }}{{ end }}`}, "execution error at (web/templates/a.yaml:1:3): t",
			Failure{File: "charts/main/templates/a.yaml", Line: 1, Words: "t", Literal: true}},
		"a helper of the chart around": {map[string]string{"a": `{{ define "n" }}{{ required "t" .Values.a }}{{ end }}`, "charts/db/templates/a.yaml": `{{ include "n" . }}`}, "execution error at (web/charts/db/templates/a.yaml:1:3): t",
			Failure{File: "templates/a.yaml", Line: 1, Words: "t", Literal: true, Key: []string{"db", "a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"charts/db/Chart.yaml": "name: db\n"}
			for name, text := range maps.All(tc.files) {
				if !strings.ContainsAny(name, "/.") {
					name = "templates/" + name + ".yaml"
				}
				files[name] = text
			}
			if diff := cmp.Diff(tc.want, open(t, files).Locate(tc.message)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What a chart asks the cluster for may be there.
func TestLooksUp(t *testing.T) {
	c := open(t, map[string]string{
		"templates/a.yaml": "{{ lookup 1 }}", "templates/b.yaml": "{{ f .Values.a }}",
		"charts/db/Chart.yaml": "name: db\n", "charts/db/templates/c.yaml": "{{ lookup 1 }}",
	})
	for file, want := range map[string]bool{"templates/a.yaml": true, "templates/b.yaml": false, "charts/db/templates/c.yaml": true, "charts/x/templates/c.yaml": false} {
		if got := c.LooksUp("template: web/" + file + ":1:3: at <f>: wrong"); got != want {
			t.Errorf("%s: got %v", file, got)
		}
	}
}

// A text that is published with a chart is in a file or in its name, or in those of a subchart.
func TestHas(t *testing.T) {
	c := open(t, map[string]string{"files/name.txt": "content", "charts/db/Chart.yaml": "name: db\n", "charts/db/files/low.txt": "deep"})
	for text, want := range map[string]bool{"name.txt": true, "content": true, "low.txt": true, "deep": true, "absent": false} {
		if got := c.Has(text); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
