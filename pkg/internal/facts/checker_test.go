package facts_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
)

// A finding about a key that nothing reads has the place where the user wrote the
// key, and names the place where it belongs.
func TestJudge(t *testing.T) {
	const charts = "charts: {web: {name: web, version: 1.0.0, reads: {port: , host: , '*': {x: }}}, 'a.b': {name: b, reads: {c: }}}"
	for name, tc := range map[string]struct {
		facts, own string
		overrides  []string // those that begin with a mark replace the values below
		want       []string
	}{
		"dots":                          {charts, "{}", []string{"charts.web.port: 1"}, []string{"values/misplaced charts.web.port 1:1 charts web port"}},
		"dots of a chart with dots":     {charts, "{}", []string{"charts.a.b.c.d: 1"}, []string{"values/misplaced charts.a.b.c.d 1:1 charts a.b c d"}},
		"the root":                      {charts, "{}", []string{"{x: 1, host: a}"}, []string{"values/misplaced host 1:8 charts web host"}},
		"no values of a chart":          {charts, "{x: 1, host: a, port: 1, charts: {a.b: {c: 1}}}", nil, []string{"values/no-chart-values host 1:8"}},
		"overrides that replace values": {charts, "charts: {web: {port: {a: 1}}}", []string{"!charts: {other: {}}", "charts: {next: {}}", "!charts: {last: {}}"}, []string{"values/inert charts.last 1:10"}},
		"macros that read values": {charts, "{text: '{{ .spectro.pack.web.charts.z }} {{ .spectro.pack.web.charts.x }}', charts: {x: 1, y: 1, z: 1}}", nil,
			[]string{"values/inert charts.y 1:92"}},
	} {
		t.Run(name, func(t *testing.T) {
			read, err := facts.Read(parse(t, tc.facts))
			if err != nil {
				t.Fatal(err)
			}
			p := &pack.Pack{Name: "web", Values: pack.File("values.yaml", tc.own)}
			for _, override := range tc.overrides {
				text, replaces := strings.CutPrefix(override, "!")
				p.Overrides = append(p.Overrides, &pack.Override{Replace: replaces, Values: pack.File("values.yaml", text)})
			}
			effective, faults := p.Effective()
			if faults != nil {
				t.Fatal(faults)
			}
			var got []string
			for _, f := range facts.NewChecker(read, p, effective, nil).Findings() {
				line := fmt.Sprintf("%s %s %d:%d", f.Rule.ID, f.Key, f.Position.Line, f.Position.Column)
				for _, place := range f.Belongs {
					line += " " + strings.Join(place, " ")
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Of large values without a chart no index and no list is made.
func TestLargeValues(t *testing.T) {
	const n = 10_000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "k%d: 1\n", i)
	}
	p := &pack.Pack{Name: "web", Values: pack.File("values.yaml", text.String())}
	effective, faults := p.Effective()
	if faults != nil {
		t.Fatal(faults)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found := facts.NewChecker(&facts.Pack{}, p, effective, nil).Findings()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; len(found) > 0 || got > n {
		t.Errorf("got %d findings with %d bytes", len(found), got)
	}
}
