package deploy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/values"
)

// Whatever a template makes of a value is not in a message.
func TestChangedValue(t *testing.T) {
	const secret = "Zq7#Xw9!Kv-pass word"
	for _, change := range []string{
		"upper", "lower", "title", "quote", "squote", "nospace", "swapcase", "snakecase", "camelcase", "kebabcase", "b64enc", "b64enc | b64enc", "b32enc", "sha256sum", "trunc 6", "trunc -6", "substr 2 7",
		"replace \"#\" \" \"", `splitList "" | join " "`, `splitList "" | join "set "`, `splitList "" | reverse | join ""`, `printf "%x"`, `printf "%q"`, `printf "%v"`, "toJson", "indent 4", "repeat 3", "initials", "list | toYaml", "regexReplaceAll `[a-z]` `x`",
		`regexFind "#.*!"`, `toString | abbrev 8`, "urlquery", "html", "js", "wrap 3", `wrapWith 2 "the "`,
	} {
		for _, call := range []string{`{{ fail (printf "set the host: %s" (.Values.password | ` + change + `)) }}`, `{{ required (printf "set the host: %s" (.Values.password | ` + change + `)) .Values.none }}`, `{{ define "m" }}set the host: {{ .Values.password | ` + change + ` }}{{ end }}{{ fail (include "m" .) }}`} {
			r := render(t, Cluster{}, "values.yaml", `charts:
  web:
    password: '`+secret+"'\n", "charts/web/templates/a.yaml", call)
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
		r := render(t, Cluster{}, "values.yaml", `charts:
  web:
    password: '`+secret+"'\n", "charts/web/templates/a.yaml", "a: {{ "+action+" }}")
		got := strings.ToLower(strings.Join(said(r), " "))
		for _, part := range []string{"zq7", "xw9", "kv-"} {
			if strings.Contains(got, part) {
				t.Errorf("%s: got %q", action, got)
			}
		}
	}
}

// What the charts or the directory have is published, and all else may be a secret.
func TestPublished(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "values.yaml", "a: own-text", "charts/web/Chart.yaml", `apiVersion: v2
name: web
version: 1.2.3
`, "charts/web/values.yaml", "b: chart-text\n")
	p := &pack.Pack{
		Name: "shop",
		Values: pack.File("values.yaml", `x: own-text
y: chart-text
z: private-text
`),
	}
	d := Deployer{Renderer: renderer, Charts: &chart.Run{}}
	r, err := d.Render(p, dir, Cluster{})
	if err != nil || !slices.Equal(r.secrets, []string{"cHJpdmF0ZS10ZXh0", "private-text"}) {
		t.Errorf("got %+v, %v", r, err)
	}
}

// A failure has the place of the value in the layer that sets it, not in layers
// that are replaced, or the place of the chart if no layer sets it.
func TestPlaceOfFailure(t *testing.T) {
	source := func(name, text string) *pack.Source { return pack.File(name, text) }
	for name, tc := range map[string]struct {
		pack *pack.Pack
		want string
	}{
		"the last layer": {
			&pack.Pack{
				Values: source("own", "a: {b: 1}"),
				Overrides: []*pack.Override{{Values: source("over", `x: 1
a:
  b: 2`)}},
			},
			"over:3:3 a.b",
		},
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

// Texts that may be secrets are hidden as they are, encoded, quoted, and line by line.
func TestSecrets(t *testing.T) {
	document, err := values.Parse(`password: ab
port: 8080
token: 12
on: true
none:
empty: ''
list: [hidden, pub, xyz]
key: |
  line one
  abc
  pub secret
text: |
  two\three
  pub line
short: xy
enabled: published`)
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

// brief keeps the first 1,000 characters of a message, on one line.
func TestBrief(t *testing.T) {
	long := strings.Repeat("é", 1000)
	for text, want := range map[string]string{"a\nb\xff": "a b", long: long, long + "x": long + "…"} {
		if got := brief(text); got != want {
			t.Errorf("got %.40q…", got)
		}
	}
}
