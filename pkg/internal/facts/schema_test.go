package facts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// read reads the facts of one chart.
func read(t *testing.T, text string) *facts.Chart {
	t.Helper()
	p, err := facts.Read(parse(t, "charts: {web: "+text+"}"))
	if err != nil {
		t.Fatal(err)
	}
	return p.Charts["web"]
}

func parse(t *testing.T, text string) *values.Document {
	t.Helper()
	document, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// Values are checked as Helm 4.3.2 checks them. tests/helm compares with Helm itself.
func TestViolations(t *testing.T) {
	const (
		port   = "schema: {properties: {port: {type: integer}}, required: [port]}"
		db     = "subcharts: {db: {name: db, reads: '*', " + port
		closed = "schema: {properties: {global: {}, port: {}}, additionalProperties: false, required: [port]}"
	)
	for name, tc := range map[string]struct {
		chart, values string
		want          []string
	}{
		"a value of another type":                      {port, "port: x", []string{"web port type"}},
		"a default":                                    {port + ", defaults: {port: 1}", "{}", nil},
		"null removes a default":                       {port + ", defaults: {port: 1}", "port: null", []string{"web  required"}},
		"null removes a default below":                 {"schema: {properties: {a: {required: [b]}}}, defaults: {a: {b: 1, c: 2}}", "a: {b: null}", []string{"web a required"}},
		"null without a default stays":                 {port, "port: null", []string{"web port type"}},
		"a default that is null":                       {port + ", defaults: {port: null}", "{}", []string{"web  required"}},
		"null over a default that is null":             {port + ", defaults: {port: null}", "port: null", []string{"web  required"}},
		"null below over a default that is null stays": {"schema: {properties: {a: {properties: {b: {type: string}}}}}, defaults: {a: {b: null, c: 1}}", "a: {b: null}", []string{"web a.b type"}},
		"a default below that is null":                 {"schema: {properties: {a: {properties: {b: {type: string}}}}}, defaults: {a: {b: null}}", "a: {c: 1}", nil},
		"a list replaces a list":                       {"schema: {properties: {a: {maxItems: 1}}}, defaults: {a: [1, 2]}", "a: [1]", nil},
		"an empty key beside a key that is a list":     {"schema: {properties: {'': {type: string}}}, defaults: {? [a] : 1}", "'': null", []string{"web  type"}},
		"a macro":                                       {port, "port: '{{ .spectro.var.PORT }}'", nil},
		"a boolean of YAML 1.1":                         {"schema: {properties: {on: {type: boolean}, text: {type: string}, list: {items: {type: boolean}}}}", "{on: yes, text: 'yes', list: [on, Off]}", nil},
		"such a boolean in place of a text":             {"schema: {properties: {text: {type: string}}}", "{text: yes}", []string{"web text type"}},
		"a schema that is none":                         {"schema: {properties: {port: {type: 7}}}", "port: x", []string{"web  unused"}},
		"a schema of a subchart that is none":           {"subcharts: {db: {name: db, reads: '*', schema: {anyOf: []}}}, schema: {properties: {port: {type: integer}}}", "port: x", []string{"db db unused", "web port type"}},
		"a schema that refers to another document":      {"schema: {$ref: 'https://example.com/a.json'}", "port: x", []string{"web  unused"}},
		"of a subchart":                                 {db + "}}", "db: {port: x}", []string{"db db.port type"}},
		"a subchart without values":                     {db + "}}", "{}", []string{"db db required"}},
		"a default for a subchart":                      {db + "}}, defaults: {db: {port: 1}}", "{}", nil},
		"the default of a subchart":                     {db + ", defaults: {port: 1}}}", "db: {}", nil},
		"null removes the default of a subchart":        {db + ", defaults: {port: 1}}}", "db: {port: null}", []string{"db db required"}},
		"null for a subchart removes its defaults":      {db + ", defaults: {port: 1}}}, defaults: {db: {port: x}}", "db: null", nil},
		"null in the defaults of a chart between":       {"subcharts: {mid: {name: mid, reads: '*', defaults: {db: {port: null}}, " + db + ", defaults: {port: 1}}}}}", "mid: {a: 1}", []string{"db mid.db required"}},
		"null in the defaults of the chart around":      {db + ", defaults: {port: 1}}}, defaults: {db: {port: null}}", "db: {a: 1}", []string{"db db required"}},
		"such null counts only with values":             {db + ", defaults: {port: 1}}}, defaults: {db: {port: null}}", "{}", nil},
		"the schema around sees defaults of a subchart": {db + ", defaults: {port: 1}}}, schema: {properties: {db: {required: [port], properties: {port: {type: string}}}}}", "{}", []string{"web db.port type"}},
		"the schema around sees globals of a subchart":  {"schema: {properties: {db: {properties: {}, additionalProperties: false}}}, subcharts: {db: {name: db, reads: '*'}}", "{}", []string{"web db.global additionalProperties"}},
		"no schema around a subchart that is off":       {db + ", condition: [[db, on]]}}, schema: {required: [db, c]}", "db: {on: false}", []string{"web  required"}},
		"a condition":                                   {db + ", condition: [[db, on]]}}", "db: {on: false, port: x}", nil},
		"a condition that is not set":                   {db + ", condition: [[db, on]]}}", "db: {port: x}", []string{"db db.port type"}},
		"a condition that is not a boolean":             {db + ", condition: [[db, on], [b]]}}", "{b: false, db: {on: 'false', port: x}}", nil},
		"a condition of YAML 1.1":                       {db + ", condition: [[db, on]]}}", "db: {on: no, port: x}", nil},
		"the first condition decides":                   {db + ", condition: [[a], [b]]}}", "{a: true, b: false, db: {port: x}}", []string{"db db.port type"}},
		"a condition in the defaults":                   {db + ", condition: [[a]]}}, defaults: {a: false}", "db: {port: x}", nil},
		"a condition in the subchart's values":          {db + ", condition: [[db, on]], defaults: {on: false}}}", "db: {port: x}", nil},
		"a condition that null removes":                 {db + ", condition: [[db, on]], defaults: {on: false}}}", "db: {on: null, port: x}", []string{"db db.port type"}},
		"a macro in a condition":                        {db + ", condition: [[a]]}}, schema: {required: [c]}", "{a: '{{ .spectro.var.A }}', db: {port: x}}", nil},
		"a tag":                                         {db + ", tags: [data]}}, schema: {required: [c]}", "{tags: {data: false}, db: {port: x}}", []string{"web  required"}},
		"one tag of two":                                {db + ", tags: [data, sql]}}", "{tags: {data: false, sql: true}, db: {port: x}}", []string{"db db.port type"}},
		"a tag that is not a boolean":                   {db + ", tags: [data]}}", "{tags: {data: x}, db: {port: x}}", []string{"db db.port type"}},
		"a tag in the defaults":                         {db + ", tags: [data]}}, defaults: {tags: {data: false}}", "db: {port: x}", nil},
		"a tag over the defaults":                       {db + ", tags: [data]}}, defaults: {tags: {data: false}}", "{tags: {data: true}, db: {port: x}}", []string{"db db.port type"}},
		"a tag in the defaults beside others":           {db + ", tags: [sql, data]}}, defaults: {tags: {data: false}}", "{tags: {other: true}, db: {port: x}}", nil},
		"a tag in the defaults of a subchart":           {"subcharts: {mid: {name: mid, reads: '*', defaults: {tags: {data: false}}, " + db + ", tags: [data]}}}}", "mid: {db: {port: x}}", nil},
		"a condition and a tag":                         {db + ", condition: [[a]], tags: [data]}}", "{a: false, tags: {data: true}, db: {port: x}}", nil},
		"the tag of a chart two below":                  {"subcharts: {mid: {name: mid, reads: '*', " + db + ", tags: [data]}}}}", "{tags: {data: false}, mid: {db: {port: x}}}", nil},
		"the condition of a chart two below":            {"subcharts: {mid: {name: mid, reads: '*', " + db + ", condition: [[db, on]]}}}}", "mid: {db: {on: false, port: x}}", nil},
		"globals":                                       {"subcharts: {db: {name: db, reads: '*', schema: {properties: {global: {properties: {a: {type: integer}}}}}}}", "global: {a: x}", []string{"db db.global.a type"}},
		"globals in the defaults around":                {"defaults: {global: {a: x}}, subcharts: {db: {name: db, reads: '*', schema: {properties: {global: {properties: {a: {type: integer}}}}}}}", "db: {global: {a: 1}}", []string{"db db.global.a type"}},
		"a map does not replace another global":         {"subcharts: {db: {name: db, reads: '*', schema: {properties: {global: {properties: {a: {type: integer}}}}}}}", "{global: {a: {b: 1}}, db: {global: {a: 1}}}", nil},
		"globals of a subchart alone":                   {"subcharts: {db: {name: db, reads: '*', " + closed + "}}", "{global: 1, db: {global: x, port: 1}}", nil},
		"a number for a subchart":                       {db + "}}, schema: {required: [c]}", "db: 1", []string{"web db type"}},
		"a number for a subchart that is off":           {db + ", condition: [[a]]}}", "{a: false, db: 1}", []string{"web db type"}},
		"a number for a subchart two below":             {"subcharts: {mid: {name: mid, reads: '*', " + db + "}}}}", "mid: {db: 1}", []string{"mid mid.db type"}},
		"a macro for a subchart":                        {db + "}}", "db: '{{ .spectro.var.DB }}'", nil},
		"null for a subchart":                           {db + "}}, defaults: {a: 1}", "db: null", []string{"web db type"}},
		"null where defaults are unknown":               {"subcharts: {db: {name: db, reads: '*'}}", "db: null", nil},
		"imported values":                               {db + ", importValues: [[exports, a]]}}, " + "schema: {required: [a], properties: {b: {type: integer}}}", "{b: x, db: {port: 1}}", []string{"web b type"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, v := range read(t, "{name: web, reads: '*', "+tc.chart+"}").Violations(new(meter.Meter), parse(t, tc.values).Root(), facts.HasMacro) {
				if v.Unused != nil {
					v.Keyword = "unused"
				}
				got = append(got, strings.Join([]string{v.Chart.Name, v.Path.String(), v.Keyword}, " "))
			}
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Helm adds global to the values of subcharts: where a schema does not allow it, no values are
// valid. What can be corrected is as usual.
func TestGlobalOfSubchart(t *testing.T) {
	const (
		strict = "additionalProperties: false, properties: {port: {}}"
		db     = "subcharts: {db: {name: db, reads: '*', schema: {"
	)
	for name, tc := range map[string]struct{ chart, values, want string }{
		"a strict subchart":            {db + strict + "}}}", "{}", "db.global is added"},
		"a strict subchart, given":     {db + strict + "}}}", "{db: {global: {a: 1}}}", "db.global is added"},
		"a condition":                  {"subcharts: {mid: {name: mid, reads: '*', " + db + strict + "}, condition: [[db, on]]}}}}", "{}", "mid.db.global is added, off with charts.web.mid.db.on: false"},
		"a schema that is false":       {db + "properties: {global: false}}}}", "{}", "db.global is added"},
		"what nothing evaluates":       {db + "$schema: 'https://json-schema.org/draft/2020-12/schema', unevaluatedProperties: false}}}", "{}", "db.global is added"},
		"the schema around":            {"schema: {properties: {db: {properties: {}, additionalProperties: false}}}, subcharts: {db: {name: db, reads: '*'}}", "{}", "db.global is added"},
		"another key of a subchart":    {db + "additionalProperties: false, properties: {global: {}}}}}", "{db: {globl: 1}}", "db.globl"},
		"a key below":                  {db + "properties: {global: {additionalProperties: false}}}}}", "{global: {a: 1}}", "db.global.a"},
		"a key that is required below": {db + "properties: {global: {required: [a]}}}}}", "{}", "db.global"},
		"global of the chart":          {"schema: {additionalProperties: false}", "{global: {}}", "global"},
		"global of a map":              {"schema: {properties: {a: {additionalProperties: false}}}", "{a: {global: {}}}", "a.global"},
	} {
		p := &pack.Pack{Name: "web", Values: pack.File("values.yaml", "charts: {web: "+tc.values+"}\n")}
		effective, _ := p.Effective()
		charts := &facts.Pack{Charts: map[string]*facts.Chart{"web": read(t, "{name: web, reads: '*', "+tc.chart+"}")}}
		found := facts.NewChecker(charts, p, effective, nil).Findings()
		if len(found) != 1 {
			t.Errorf("%s: got %v", name, found)
			continue
		}
		f := &found[0]
		got := strings.TrimPrefix(f.Key, "charts.web.")
		if strings.Contains(f.Found, "Helm adds global") {
			got += " is added"
			if f.Tags[facts.TagEmpty] != "" {
				t.Errorf("%s: the user cannot set it", name)
			}
		}
		if _, condition, ok := strings.Cut(f.Action, "off with "); ok {
			got += ", off with " + condition
		}
		if got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
}

// A chart with a kubeVersion is checked only by a cluster whose version can be read.
func TestVersionOfNoCluster(t *testing.T) {
	p := &pack.Pack{Name: "web", Values: pack.File("values.yaml", "charts: {web: {}}\n")}
	effective, faults := p.Effective()
	if faults != nil {
		t.Fatal(faults)
	}
	for version, want := range map[string]int{"none": 0, "latest": 0, "1.22.0": 1, "1.30.0": 0} {
		charts := &facts.Pack{Charts: map[string]*facts.Chart{"web": read(t, "{name: web, version: 1.0.0, kubeVersion: '>=1.24.0'}")}}
		checker := facts.NewChecker(charts, p, effective, nil)
		if version != "none" {
			checker.Versions = facts.NewVersions(&pack.ClusterContext{System: pack.Facts{"kubernetes.version": version}})
		}
		if got := append(checker.Findings(), checker.Versions.Findings()...); len(got) != want {
			t.Errorf("%s: got %v, want %d findings", version, got, want)
		}
	}
}

// What does not fit is left out where that helps, the largest first.
func TestTextFits(t *testing.T) {
	many := func(count int) string {
		var text strings.Builder
		for i := range count {
			fmt.Fprintf(&text, "key%032d: , ", i)
		}
		return "{" + text.String() + "}"
	}
	const over = "what the charts and manifests read has more than 128 KiB: "
	for name, tc := range map[string]struct {
		facts string
		want  []string
	}{
		"all of it": {"{charts: {a: {name: a, version: 1.0.0, kubeVersion: '>=1.24', reads: " + many(1000) + ", tpl: [[key], []], schema: {type: object}, defaults: {x: 1}, subcharts: {b: {name: b, " +
			"condition: [[b, on], [c]], tags: [d], importValues: [[e]], reads: '*'}}}}, incomplete: true, manifests: {m: {x: , y: '*'}}}", nil},
		"without schemas":           {"charts: {a: {name: a, reads: " + many(2000) + "}, b: {name: b, reads: {x: }, schema: {properties: " + many(2000) + "}}}", []string{"left out the schemas and defaults of the chart b"}},
		"of a subchart":             {"charts: {a: {name: a, reads: {x: }, subcharts: {b: {name: b, reads: " + many(2000) + ", defaults: " + many(2000) + "}}}}", []string{"left out the schemas and defaults of the chart a"}},
		"the largest chart":         {"charts: {a: {name: a, reads: " + many(2500) + "}, b: {name: b, reads: " + many(2400) + "}}", []string{"do not look at the keys of the chart a"}},
		"all charts":                {"charts: {a: {name: a, reads: " + many(4000) + ", subcharts: {s: {name: s, reads: {x: }}}}, b: {name: b, reads: " + many(4100) + "}, c: {name: c, reads: '*'}}", []string{"do not look at the keys of the chart b", "do not look at the keys of the chart a"}},
		"the largest manifest":      {"manifests: {a: " + many(2400) + ", b: " + many(2500) + ", c: '*'}", []string{"do not look at the keys of the manifest b"}},
		"a chart before a manifest": {"{manifests: {a: " + many(2500) + "}, charts: {b: {name: b, reads: " + many(2400) + "}, c: {name: c, reads: '*'}}}", []string{"do not look at the keys of the chart b"}},
	} {
		p, err := facts.Read(parse(t, tc.facts))
		if err != nil {
			t.Fatal(err)
		}
		for i := range tc.want {
			tc.want[i] = over + tc.want[i]
		}
		text, notes, err := p.Text()
		if diff := cmp.Diff(tc.want, notes); diff != "" || err != nil || len(text) > facts.MaxBytes {
			t.Errorf("%s: %v, %d bytes, -want +got:\n%s", name, err, len(text), diff)
		}
		if whole := parse(t, text); len(tc.want) == 0 && !values.Equal(whole.Root(), parse(t, tc.facts).Root()) {
			t.Errorf("%s: got %s", name, text)
		}
	}
}

func TestReadFaults(t *testing.T) {
	for text, want := range map[string]string{
		"[]":                                         "must be a map, got a list",
		"charts: [a]":                                "must be a map, got a list",
		"charts: {web: 1}":                           "must be a map, got a number",
		"charts: {web: {tpl: {}}}":                   "must be a list, got a map",
		"charts: {web: {tpl: [a]}}":                  "must be a list, got a string",
		"charts: {web: {tpl: [[{}]]}}":               "must be a string, got a map",
		"charts: {web: {subcharts: x}}":              "must be a map, got a string",
		"charts: {web: {subcharts: {db: []}}}":       "must be a map, got a list",
		"charts: {web: {subcharts: {a: {tags: x}}}}": "must be a list, got a string",
		"manifests: x":                               "must be a map, got a string",
	} {
		if _, err := facts.Read(parse(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want %s", text, err, want)
		}
	}
	for _, text := range []string{"", "charts:", "charts: {web: }", "later: [1]", "charts: {web: {later: {}}}"} {
		if _, err := facts.Read(parse(t, text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Facts of any text are printed as they were read, and check without a panic.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"charts: {web: {name: web, version: 1.0.0, reads: {port: , all: '*', '*': {host: }}, tpl: [[port], []]}}",
		"charts: {web: {reads: {a: '*'}, schema: {properties: {a: {type: integer}}}, defaults: {a: 1}, subcharts: {db: {condition: [[db, on]], tags: [x], importValues: [[a]], reads: '*'}}}}",
		"{incomplete: true, manifests: {a: {b: }}}",
		"charts: &a {web: {subcharts: *a}}",
	} {
		f.Add(text, "{port: x, db: {on: false}, global: {}}")
	}
	f.Fuzz(func(t *testing.T, text, given string) {
		document, err := values.Parse(text)
		if err != nil {
			return
		}
		p, err := facts.Read(document)
		if err != nil {
			return
		}
		n, err := values.Parse(given)
		if err != nil {
			return
		}
		for _, c := range p.Charts {
			c.Inert(n.Root(), []string{given})
			c.Violations(new(meter.Meter), n.Root(), facts.HasMacro)
		}
		if len(text) > 2000 {
			return
		}
		first, _, err := p.Text()
		if err != nil {
			return // a schema with an anchor elsewhere
		}
		again, err := values.Parse(first)
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		same, err := facts.Read(again)
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		second, _, err := same.Text()
		if err != nil || second != first {
			t.Errorf("%v\n%s\nbecomes\n%s", err, first, second)
		}
	})
}
