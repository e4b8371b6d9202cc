package deploy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

func TestFailure(t *testing.T) {
	const values = "charts:\n  web:\n    host: ''\n    db:\n      user: x\n    password: hunter2secret\n    greeting: hello-everyone\n"
	for name, tc := range map[string]struct {
		template string
		want     []string
	}{
		"required":             {`{{ required "set the host" .Values.host }}`, []string{"values.yaml:3:5", "the chart web 1.2.3 fails in templates/a.yaml:1: set the host", "Set charts.web.host"}},
		"required, by a pipe":  {"\n{{ .Values.host | required \"set the host\" }}", []string{"values.yaml:3:5", "templates/a.yaml:2: set the host"}},
		"in a helper":          {`{{ define "h" }}{{ required "set the port" .Values.db.port }}{{ end }}{{ include "h" . }}`, []string{"values.yaml:4:5 charts.web.db.port", "Set charts.web.db.port"}},
		"fail in a condition":  {`{{ if not .Values.host }}{{ fail "no host" }}{{ end }}`, []string{"values.yaml:3:5", "no host", "Set charts.web.host"}},
		"a nil pointer":        {`{{ .Values.tls.certificate.name }}`, []string{"values.yaml:2:3", "charts.web.tls", "nil pointer", "Set charts.web.tls$"}},
		"a text as a map":      {`{{ .Values.greeting.x }}`, []string{"values.yaml:7:5", "charts.web.greeting"}},
		"a made message":       {`{{ fail (printf "bad: %s %s" .Values.greeting .Values.password) }}`, []string{"bad: •••"}},
		"an encoded secret":    {`{{ fail (b64enc .Values.password) }}`, []string{"•••"}},
		"a named value":        {`{{ fail (printf "%s: set .Values.db.host" .Release.Name) }}`, []string{"values.yaml:4:5", "charts.web.db.host"}},
		"a long message":       {`{{ fail (repeat 1000000 "long ") }}`, []string{"long long", "…"}},
		"a template as a text": {`{{ tpl "{{ .Values.x.y }}" . }}`, []string{"nil pointer"}},
		"a wrong argument":     {"a: {{ .Values.missing | b64enc }}", []string{"values.yaml:2:3 charts.web.missing", "Set charts.web.missing$"}},
		"not YAML":             {"a: [{{ .Values.password }}", []string{"fails in templates/a.yaml: it renders to what is not YAML"}},
		"not a template":       {"a: {{ if }}", []string{"templates/a.yaml"}},
	} {
		r := render(t, Cluster{}, "values.yaml", values, "charts/web/templates/a.yaml", tc.template)
		got := said(r)
		if len(got) != 1 || r.Findings[0].Rule != rule.ValuesChartFails || len(r.Manifests) > 0 {
			t.Errorf("%s: %q %+v", name, got, r.Manifests)
			continue
		}
		for _, part := range tc.want {
			if !strings.Contains(got[0]+"$", part) {
				t.Errorf("%s: got %q; want %q", name, got[0], part)
			}
		}
		if strings.Contains(got[0], "hunter2secret") || strings.Contains(got[0], "aHVudGVy") || strings.Contains(got[0], "hello-everyone") {
			t.Errorf("%s: a value is shown: %q", name, got[0])
		}
	}
}

// Whatever a template makes of a value is not in a message.
func TestChangedValue(t *testing.T) {
	const secret = "Zq7#Xw9!Kv-pass word"
	for _, change := range []string{
		"upper", "lower", "title", "quote", "squote", "nospace", "swapcase", "snakecase", "camelcase", "kebabcase", "b64enc", "b64enc | b64enc", "b32enc", "sha256sum", "trunc 6", "trunc -6", "substr 2 7",
		"replace \"#\" \" \"", `splitList "" | join " "`, `splitList "" | join "set "`, `splitList "" | reverse | join ""`, `printf "%x"`, `printf "%q"`, `printf "%v"`, "toJson", "indent 4", "repeat 3", "initials", "list | toYaml", "regexReplaceAll `[a-z]` `x`",
		`regexFind "#.*!"`, `toString | abbrev 8`, "urlquery", "html", "js", "wrap 3", `wrapWith 2 "the "`,
	} {
		for _, call := range []string{`{{ fail (printf "set the host: %s" (.Values.password | ` + change + `)) }}`, `{{ required (printf "set the host: %s" (.Values.password | ` + change + `)) .Values.none }}`, `{{ define "m" }}set the host: {{ .Values.password | ` + change + ` }}{{ end }}{{ fail (include "m" .) }}`} {
			r := render(t, Cluster{}, "values.yaml", "charts:\n  web:\n    password: '"+secret+"'\n", "charts/web/templates/a.yaml", call)
			got := said(r)
			if len(got) != 1 || !strings.Contains(got[0], "fails in templates/a.yaml:1: set the host: •••") {
				t.Errorf("%s: got %q", call, got)
				continue
			}
			_, rest, _ := strings.Cut(got[0], "set the host: ")
			rest, _, _ = strings.Cut(rest, " (values.yaml")
			if rest = strings.NewReplacer("•••", "", "set", "", "the", "").Replace(rest); strings.TrimSpace(rest) != "" {
				t.Errorf("%s: shows %q: %q", call, rest, got)
			}
		}
	}
	// Messages of the engine and of functions.
	for _, action := range []string{`.Values.password | upper | semver`, `.Values.password | upper | mustToDate "2006"`, `.Values.password | upper | fromJson | toYaml | fail`, `(.Values.password | upper).x`, `index .Values (.Values.password | upper) "a"`,
		`tpl (printf "{{ %s }}" (.Values.password | upper)) .`, `include (.Values.password | upper) .`, `.Values.password | upper | mustRegexMatch "["`, `mustRegexMatch (.Values.password | upper | printf "[%s") "a"`, `.Values.password | upper | int64 | div 1 0`, `genSelfSignedCert (.Values.password | upper) (list (.Values.password | upper)) nil 1`} {
		r := render(t, Cluster{}, "values.yaml", "charts:\n  web:\n    password: '"+secret+"'\n", "charts/web/templates/a.yaml", "a: {{ "+action+" }}")
		got := strings.ToLower(strings.Join(said(r), " "))
		for _, part := range []string{"zq7", "xw9", "kv-"} {
			if strings.Contains(got, part) {
				t.Errorf("%s: got %q", action, got)
			}
		}
	}
}

func TestFailures(t *testing.T) {
	r := render(t, Cluster{}, "values.yaml", "charts:\n  web:\n    host: ~\n", "charts/web/templates/a.yaml", `{{ required "set host" .Values.host }}`,
		"charts/web/templates/b.yaml", `{{ required "host is missing" .Values.host }}`, "charts/web/templates/c.yaml", `{{ fail "one" }}`, "charts/web/templates/d.yaml", `{{ fail "two" }}`)
	actions := map[string]int{}
	for _, f := range r.Findings {
		actions[f.Action]++
	}
	if diff := cmp.Diff(map[string]int{"set charts.web.host": 1, "": 2}, actions); diff != "" {
		t.Errorf("%s\n%q", diff, said(r))
	}
}

func TestPublished(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "values.yaml", "a: own-text", "charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\n", "charts/web/values.yaml", "b: chart-text\n")
	p := &pack.Pack{Name: "shop", Values: pack.File("values.yaml", "x: own-text\ny: chart-text\nz: private-text\n")}
	d := Deployer{Renderer: &helm.Renderer{Timeout: 10 * time.Minute}, Charts: &chart.Run{}}
	defer d.Renderer.Close()
	r, err := d.Render(p, dir, Cluster{})
	if err != nil || !slices.Equal(r.secrets, []string{"cHJpdmF0ZS10ZXh0", "private-text"}) {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestFailureOfAValue(t *testing.T) {
	for _, value := range []string{`{{ fail "myprivatetext" }}`, `{{ required "myprivatetext" .Values.x }}`, `{{ "myprivatetext" | int | div 1 }}`, `{{ myprivatetext }}`, `{{ if "myprivatetext" }}`} {
		r := render(t, Cluster{}, "values.yaml", "charts:\n  web:\n    t: '"+value+"'\n", "charts/web/templates/a.yaml", "a: {{ tpl .Values.t . }}")
		if got := said(r); len(got) != 1 || strings.Contains(got[0], "private") || !strings.Contains(got[0], "•••") {
			t.Errorf("%s: %q", value, got)
		}
	}
}

func TestFailureInASubchart(t *testing.T) {
	r := render(t, Cluster{}, "values.yaml", "charts:\n  web:\n    store:\n      a: 1\n",
		"charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\ndependencies: [{name: db, alias: store, version: 1.0.0}]\n",
		"charts/web/charts/db/Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.0.0\n",
		"charts/web/charts/db/templates/a.yaml", `{{ required "set the user" .Values.user }}{{ .Values.a }}`)
	if got := said(r); len(got) != 1 || !strings.Contains(got[0], "values.yaml:3:5 charts.web.store.user: the chart web 1.2.3 fails in charts/store/templates/a.yaml:1: set the user") {
		t.Errorf("%q", got)
	}
}

func TestUnsure(t *testing.T) {
	for template, want := range map[string]bool{
		`{{ if not (lookup "v1" "Secret" "a" "b") }}{{ fail "no secret" }}{{ end }}`: true,
		`{{ fail "no secret" }}`: false,
	} {
		r := render(t, Cluster{}, "charts/web/templates/a.yaml", template)
		if got := len(r.Findings) == 1 && r.Findings[0].Tags[TagUnsure] != ""; got != want || got != (r.Findings[0].Action != "") {
			t.Errorf("%s: %v %q", template, got, said(r))
		}
	}
	r := render(t, Cluster{}, "pack.json", `{"name": "a", "version": "1.0.0", "kubeManifests": ["m.yaml"]}`, "values.yaml", "manifests: {m: {a: 1}}", "m.yaml", "a: {{ .Spectro.cluster.name }}\n")
	if len(r.Findings) != 1 || r.Findings[0].Tags[TagUnsure] == "" {
		t.Errorf("a fact of the cluster: %q", said(r))
	}
	r = render(t, Cluster{}, "pack.json", `{"name": "a", "version": "1.0.0", "kubeManifests": ["m.yaml"]}`, "values.yaml", "manifests: {m: {a: '{{ .spectro.var.A }}'}}", "m.yaml", `{{ fail "x" }}`)
	if len(r.Findings) != 1 || r.Findings[0].Tags[TagUnsure] == "" || r.Macros != 1 {
		t.Errorf("a macro of a manifest: %d macros, %q", r.Macros, said(r))
	}
	r = render(t, Cluster{}, "values.yaml", "charts: {web: {a: 1}}", "charts/web/templates/a.yaml", `{{ if not (lookup "v1" "A" "a" "b") }}{{ required "set x" .Values.x }}{{ end }}`)
	if len(r.Findings) != 1 || r.Findings[0].Action != "set charts.web.x" {
		t.Errorf("a value, where the cluster is asked: %q", said(r))
	}
	r = render(t, Cluster{}, "values.yaml", "charts: {web: {a: '{{ .spectro.var.A }}'}}", "charts/web/templates/a.yaml", `{{ fail "x" }}`)
	if len(r.Findings) != 1 || r.Findings[0].Tags[TagUnsure] == "" {
		t.Errorf("a macro: %q", said(r))
	}
}

func TestPlaceOfFailure(t *testing.T) {
	source := func(name, text string) *pack.Source { return pack.File(name, text) }
	for name, tc := range map[string]struct {
		pack *pack.Pack
		want string
	}{
		"the last layer":   {&pack.Pack{Values: source("own", "a: {b: 1}"), Overrides: []*pack.Override{{Values: source("over", "x: 1\na:\n  b: 2")}}}, "over:3:3 a.b"},
		"an earlier layer": {&pack.Pack{Values: source("own", "a: {b: 1}"), Overrides: []*pack.Override{{Values: source("over", "a: {c: 2}")}}}, "own:1:5 a.b"},
		"a map above":      {&pack.Pack{Values: source("own", "a: {c: 1}"), Overrides: []*pack.Override{{Values: source("over", "x: 1")}}}, "own:1:1 a.b"},
		"a replaced layer": {&pack.Pack{Values: source("own", "a: {b: 1}"), Overrides: []*pack.Override{{Values: source("mid", "a: {b: 1}")}, {Replace: true, Values: source("over", "a: {c: 1}")}}}, "over:1:1 a.b"},
		"a layer on top":   {&pack.Pack{Values: source("own", "a: {b: 1}"), Overrides: []*pack.Override{{Replace: true, Values: source("mid", "a: {b: 1}")}, {Values: source("over", "a: {c: 1}")}}}, "mid:1:5 a.b"},
		"no layer":         {&pack.Pack{Metadata: source("pack.json", "{}"), Values: source("own", "x: 1")}, "pack.json:0:0 charts"},
		"no metadata":      {&pack.Pack{Values: source("own", "x: 1")}, ":0:0 "},
	} {
		effective, faults := tc.pack.Effective()
		if effective == nil || len(faults) > 0 {
			t.Fatal(faults)
		}
		f := newLayers(tc.pack, effective).fault(diag.Say("x"), "a", "b")
		origin := ""
		if f.Origin != nil {
			origin = f.Origin.Name
		}
		if got := fmt.Sprintf("%s:%d:%d %s", origin, f.Position.Line, f.Position.Column, f.Key); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

func TestSecrets(t *testing.T) {
	document, err := values.Parse("password: ab\nport: 8080\ntoken: 12\non: true\nnone:\nempty: ''\nlist: [hidden, pub, xyz]\nkey: |\n  line one\n  abc\n  pub secret\ntext: |\n  two\\three\n  pub line\nshort: xy\nenabled: published")
	if err != nil {
		t.Fatal(err)
	}
	got := secrets(document.Root(), func(text string) bool { return strings.HasPrefix(text, "pub") })
	for text, want := range map[string]bool{
		"ab": true, "YWI=": true, "8080": false, "12": true, "true": false, "": false, "hidden": true, "aGlkZGVu": true, "pub": false, "published": false,
		"line one": true, "abc": false, "two\\three": true, `two\\three\npub line\n`: true, "pub line": false, "pub secret": true, "xy": false, "xyz": true,
	} {
		if slices.Contains(got, text) != want {
			t.Errorf("%q: is hidden %v, want %v", text, !want, want)
		}
	}
	if !slices.IsSortedFunc(got, func(a, b string) int { return len(b) - len(a) }) {
		t.Errorf("the longest is not first: %q", got)
	}
	if len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) {
		t.Errorf("some are repeated: %q", got)
	}
}

func TestBrief(t *testing.T) {
	long := strings.Repeat("é", 1000)
	for text, want := range map[string]string{"a\nb\xff": "a b", long: long, long + "x": long + "…"} {
		if got := brief(text); got != want {
			t.Errorf("got %.40q…", got)
		}
	}
}

// noRun is a run without resources.
type noRun struct{ pack.Run }
