package chart

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// text prints facts and reads them again, which must be the same.
func text(t *testing.T, p *facts.Pack) string {
	t.Helper()
	text, notes, err := p.Text()
	if err != nil {
		t.Fatal(err)
	}
	document, err := values.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	read, err := facts.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := read.Text()
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(text, again); diff != "" && len(notes) == 0 {
		t.Errorf("read and printed (-want +got):\n%s", diff)
	}
	return text
}

func TestFacts(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"two versions of a subchart": {map[string]string{
			"Chart.yaml": "name: web\nversion: 1.0.0", "charts/a/Chart.yaml": "name: db\nversion: 1.0.0", "charts/b/Chart.yaml": "name: db\nversion: 2.0.0",
		}, `name: web
version: 1.0.0
reads:
  global: '*'
subcharts:
  db:
    name: db
    version: 1.0.0
    reads: '*'
`},
		"reads": {map[string]string{
			"Chart.yaml": "name: web\nversion: 1.0.0\nkubeVersion: '>=1.24.0-0'", "values.yaml": "image: {tag: v1}\nextra: {}\nempty:\nmap: {one: {port: 1}}\n",
			"templates/a.yaml": "{{ .Values.image.tag }}{{ .Values.image.name }}{{ toYaml .Values.all }}{{ range .Values.list }}{{ .host }}{{ end }}{{ range .Values.map }}{{ .host }}{{ end }}",
		}, `name: web
version: 1.0.0
kubeVersion: '>=1.24.0-0'
reads:
  all: '*'
  empty:
  extra:
  global:
  image:
    name: '*'
    tag:
  list: '*'
  map:
    '*':
      host: '*'
    one:
      port:
`},
		"tpl": {map[string]string{"templates/a.yaml": `{{ tpl .Values.a.b . }}{{ tpl (toYaml .Values.c) . }}{{ tpl (printf "%s" .Values.d) . }}{{ range .Values.e }}{{ tpl .f $ }}{{ end }}{{ tpl "x" . }}{{ .Values.g }}`},
			`name: web
version: 1.0.0
reads:
  a:
    b: '*'
  c: '*'
  d: '*'
  e: '*'
  g: '*'
  global:
tpl:
- [a, b]
- [c]
- [d]
- [e, '*', f]
`},
		"a named template that runs its argument": {map[string]string{
			"templates/_h.tpl": `{{ define "run" }}{{ if typeIs "string" .value }}{{ tpl .value .context }}{{ else }}{{ tpl (.value | toYaml) .context }}{{ end }}{{ end }}`,
			"templates/a.yaml": `{{ include "run" (dict "value" .Values.a "context" $) }}{{ include "run" (dict "value" (toYaml .Values.b) "context" $) }}`,
		}, `name: web
version: 1.0.0
reads:
  a: '*'
  b: '*'
  global:
tpl:
- [a]
- [b]
`},
		"a text from an unknown place": {map[string]string{"templates/a.yaml": `{{ tpl (lookup "v1" "Secret" "a" "b").data . }}{{ .Values.a }}`}, `name: web
version: 1.0.0
reads:
  a: '*'
  global:
tpl:
- []
`},
		"a schema": {map[string]string{"values.yaml": "# about a\na: 1 # one\n", "values.schema.json": `{"description": "x", "properties": {"a": {"type": "integer", "description": "y"}, "description": {"title": "z"}}, "x": {"title": "kept"}}`}, `name: web
version: 1.0.0
reads:
  a:
  description:
  global:
schema: {"properties": {"a": {"type": "integer"}, "description": {}}, "x": {"title": "kept"}}
defaults:
  a: 1
`},
		"a schema with lists": {map[string]string{"values.yaml": "a: 1\n", "values.schema.json": `{"allOf": [{"title": "x", "required": ["a"]}, true], "enum": [{"title": "kept"}], "properties": true, "items": {"title": "x"}}`}, `name: web
version: 1.0.0
reads:
  a:
  global:
schema: {"allOf": [{"required": ["a"]}, true], "enum": [{"title": "kept"}], "properties": true, "items": {}}
defaults:
  a: 1
`},
		"subcharts": {map[string]string{
			"Chart.yaml":           "name: web\nversion: 1.0.0\ndependencies:\n- {name: db, alias: store, condition: 'store.on,x.y', tags: [data], import-values: [conf, {child: a.b, parent: c}]}",
			"charts/db/Chart.yaml": "name: db\nversion: 2.0.0", "charts/db/values.yaml": "port: 1\nglobal: {a: 1}\n", "charts/db/templates/a.yaml": "{{ .Values.host }}{{ .Values.global.b }}",
			"values.yaml": "store: {on: true}\n", "templates/a.yaml": "{{ .Values.store.name }}",
		}, `name: web
version: 1.0.0
reads:
  global:
    a:
    b: '*'
  store:
    on:
  tags:
    data: '*'
  x:
    y: '*'
subcharts:
  store:
    name: db
    version: 2.0.0
    condition:
    - [store, on]
    - [x, y]
    tags: [data]
    importValues:
    - [exports, conf]
    - [a, b]
    reads:
      a:
        b: '*'
      exports:
        conf: '*'
      host: '*'
      name: '*'
      on: '*'
      port:
`},
	} {
		t.Run(name, func(t *testing.T) {
			got := text(t, &facts.Pack{Charts: map[string]*facts.Chart{"web": open(t, tc.files).Facts()}})
			want := "charts:\n  web:\n    " + strings.ReplaceAll(strings.TrimSuffix(tc.want, "\n"), "\n", "\n    ") + "\n"
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Facts that travel check as the charts do, over the values of public packs and over slips
// of their keys.
func TestFactsJudgeAsCharts(t *testing.T) {
	compared, found, manifests := 0, 0, 0
	for _, file := range functiontest.Corpus(t, "packs/*/pack.json") {
		dir := withManifests(t, filepath.Dir(file))
		p := &pack.Pack{Name: filepath.Base(dir)}
		for name, into := range map[string]**pack.Source{"pack.json": &p.Metadata, "values.yaml": &p.Values} {
			if content, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				*into = pack.File(name, string(content))
			}
		}
		if p.Values == nil {
			continue
		}
		made, _, _ := new(Run).Facts(p, dir)
		if _, notes, _ := made.Text(); len(notes) > 0 || len(made.Charts)+len(made.Manifests) == 0 {
			continue
		}
		manifests += len(made.Manifests)
		document, err := values.Parse(text(t, made))
		if err != nil {
			t.Fatal(err)
		}
		read, err := facts.Read(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, own := range []string{p.Values.Text(), strings.ReplaceAll(p.Values.Text(), "e: ", "ee: ")} {
			p.Values = pack.File("values.yaml", own)
			effective, faults := p.Effective()
			if effective == nil || len(faults) > 0 {
				continue
			}
			findings := func(by *facts.Pack) []string {
				return linesOf(facts.NewChecker(by, p, effective, nil).Findings())
			}
			byCharts, byFacts := findings(made), findings(read)
			if diff := gocmp.Diff(byCharts, byFacts); diff != "" {
				t.Errorf("%s: by charts and by facts (-charts +facts):\n%s", p.Name, diff)
			}
			compared, found = compared+1, found+len(byCharts)
		}
	}
	t.Logf("%d values are compared, with %d findings and %d manifests", compared, found, manifests)
	if compared == 0 || found == 0 || manifests == 0 {
		t.Error("nothing is compared")
	}
}

// withManifests returns the directory of a pack. If the manifests with values are not in it,
// it is a copy with manifests that read every second of these values.
func withManifests(t *testing.T, dir string) string {
	t.Helper()
	own, err := os.ReadFile(filepath.Join(dir, "values.yaml"))
	if err != nil {
		return dir
	}
	metadata, err := os.ReadFile(filepath.Join(dir, "pack.json"))
	if err != nil {
		t.Fatal(err)
	}
	p := &pack.Pack{Metadata: pack.File("pack.json", string(metadata)), Values: pack.File("values.yaml", string(own))}
	document, err := p.Values.Mapping()
	sources, openErr := new(Run).Sources(p, dir)
	if err != nil || openErr != nil || values.Field(document.Root(), "manifests") == nil || len(sources.Charts) > 0 {
		return dir
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(dir))
	writeFile(t, filepath.Join(copied, "pack.json"), metadata)
	writeFile(t, filepath.Join(copied, "values.yaml"), own)
	for _, m := range sources.Manifests {
		if m.Fault == nil {
			return dir
		}
		given, _ := m.Values(document.Root())
		for i, pair := range values.Pairs(given) {
			if name, _ := pair.Name(); i%2 == 0 {
				m.Text = fmt.Appendf(m.Text, "{{ .Values.%s }}", name)
			}
		}
		writeFile(t, filepath.Join(copied, m.Path), m.Text)
	}
	return copied
}

// What manifests read of their values, as far as it is known.
func TestManifestFacts(t *testing.T) {
	deep := strings.Repeat("{{ range .Values.list }}", 25) + "{{ .a }}" + strings.Repeat("{{ end }}", 25)
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"reads":          {map[string]string{"vip.yaml": "ns: {{ .Values.namespace }}\n{{ range .Values.pools }}{{ .name }}{{ end }}{{ .Values.tls.on }}"}, "manifests:\n  vip:\n    namespace: '*'\n    pools: '*'\n    tls:\n      on: '*'\n"},
		"globals":        {map[string]string{"vip.yaml": "{{ .Values.global.a }}"}, "manifests:\n  vip:\n    global:\n      a: '*'\n"},
		"no template":    {map[string]string{"vip.yaml": "kind: A\n"}, "manifests:\n  vip: {}\n"},
		"all":            {map[string]string{"vip.yaml": "{{ toYaml .Values }}"}, "manifests:\n  vip: '*'\n"},
		"no syntax":      {map[string]string{"vip.yaml": "{{ .Values.a }} {{ if }"}, "manifests:\n  vip: '*'\n"},
		"tpl":            {map[string]string{"vip.yaml": "{{ tpl .Values.a . }}"}, "manifests:\n  vip: '*'\n"},
		"a macro":        {map[string]string{"vip.yaml": "{{ .Values.a }}", "b.yaml": "{{ .spectro.pack.p.manifests.vip.x }}"}, ""},
		"in a folder":    {map[string]string{"a/vip.yml": "{{ .Values.a }}", "b/x.y.yaml": "{{ .Values.b }}"}, "manifests:\n  vip:\n    a: '*'\n  x.y:\n    b: '*'\n"},
		"of one key":     {map[string]string{"a/vip.yaml": "{{ .Values.a }}", "b/vip.yaml": "{{ .Values.b }}", "c/vip.yaml": "{{ .Values.c }}", "x.yaml": ""}, "manifests:\n  x: {}\n"},
		"absent":         {map[string]string{"vip.yaml": "absent", "x.yaml": ""}, "manifests:\n  x: {}\n"},
		"one of two":     {map[string]string{"a/vip.yaml": "absent", "b/vip.yaml": "{{ .Values.b }}"}, ""},
		"no text":        {map[string]string{"vip.yaml": "\xff", "x.yaml": ""}, "manifests:\n  x: {}\n"},
		"nested blocks":  {map[string]string{"vip.yaml": strings.Repeat("{{ if .Values.a }}", maxBlocks+1) + strings.Repeat("{{ end }}", maxBlocks+1)}, ""},
		"many steps":     {map[string]string{"a.yaml": deep, "b.yaml": "{{ .Values.b }}"}, "manifests:\n  a: '*'\n  b: '*'\n"},
		"with no values": {map[string]string{"vip.yaml": "{{ .Release.Name }}{{ .Values }}"}, "manifests:\n  vip: '*'\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, names := t.TempDir(), []string{}
			for _, name := range slices.Sorted(maps.Keys(tc.files)) {
				names = append(names, fmt.Sprintf("%q", "manifests/"+name))
				if tc.files[name] != "absent" {
					writeFile(t, filepath.Join(dir, "manifests", name), []byte(tc.files[name]))
				}
			}
			p := &pack.Pack{Name: "p", Metadata: pack.File("pack.json", `{"kubeManifests": [`+strings.Join(names, ", ")+"]}")}
			read, digests, findings := new(Run).Facts(p, dir)
			got := text(t, read)
			if want := cmp.Or(tc.want, "{}\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			absent := 0
			for _, text := range tc.files {
				if text == "absent" || text == "\xff" {
					absent++
				}
			}
			if len(findings) != absent || len(digests) != len(names)-absent {
				t.Errorf("got %v, and digests of %v", linesOf(findings), digests)
			}
		})
	}
}

// Facts that are too large lose schemas first, then what the largest chart reads.
func TestFactsFit(t *testing.T) {
	large := func(keys int) *facts.Tree {
		tree := &facts.Tree{Keys: map[string]*facts.Tree{}}
		for n := range keys {
			tree.Keys[strings.Repeat("k", n%50)+"-"+strings.Repeat("x", n/50)] = &facts.Tree{Leaf: true}
		}
		return tree
	}
	schema, err := values.Parse("{description: " + strings.Repeat("x", 1000) + "}")
	if err != nil {
		t.Fatal(err)
	}
	of := func(reads int) *facts.Pack {
		return &facts.Pack{Charts: map[string]*facts.Chart{
			"a": {Name: "a", Reads: large(10), Schema: schema, Defaults: schema}, "b": {Name: "b", Reads: large(reads), Schema: schema},
		}}
	}
	if _, notes, err := of(10).Text(); err != nil || notes != nil {
		t.Errorf("a small one: %q, %v", notes, err)
	}
	p := of(4000)
	text, notes, err := p.Text()
	if err != nil || len(text) > facts.MaxBytes {
		t.Errorf("got %d bytes, %v", len(text), err)
	}
	want := []string{
		"what the charts and manifests read has more than 128 KiB: left out the schemas and defaults of the chart b",
		"what the charts and manifests read has more than 128 KiB: left out the schemas and defaults of the chart a",
		"what the charts and manifests read has more than 128 KiB: do not look at the keys of the chart b",
	}
	if !slices.Equal(notes, want) {
		t.Errorf("got %q", notes)
	}
	if !strings.Contains(text, "reads: '*'") || strings.Contains(text, "schema") {
		t.Errorf("got %.300s", text)
	}
	many := &facts.Pack{Manifests: map[string]*facts.Tree{"a": large(10), "b": large(4000), "c": {Whole: true}}}
	text, notes, err = many.Text()
	if err != nil || !strings.HasSuffix(text, "  b: '*'\n  c: '*'\n") || !slices.Equal(notes, []string{"what the charts and manifests read has more than 128 KiB: do not look at the keys of the manifest b"}) {
		t.Errorf("manifests: got %.300s, %q, %v", text, notes, err)
	}
	if many.Manifests["b"].Whole {
		t.Error("the facts themselves have changed")
	}
	if p.Charts["a"].Schema == nil || p.Charts["b"].Reads.Whole {
		t.Error("the facts themselves have changed")
	}
}

// The manifests of a pack are read up to a limit.
func TestManifestsLimit(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.yaml"), nil)
	p := &pack.Pack{Name: "p", Metadata: pack.File("pack.json", `{"kubeManifests": [`+strings.Repeat(`"a.yaml", `, maxFiles)+`"a.yaml"]}`)}
	k := &reader{pack: p, dir: dir}
	if err := k.open(new(Run)); err != nil {
		t.Fatal(err)
	}
	for i, m := range k.manifests {
		if isOver := i == maxFiles; isOver != (m.Fault != nil) || isOver && !strings.Contains(m.Fault.Message(), "at most 64 MiB and 10000 files are read") {
			t.Fatalf("manifest %d: %v", i, m.Fault)
		}
	}
	if len(k.manifests) != maxFiles+1 {
		t.Errorf("got %d manifests", len(k.manifests))
	}
}
