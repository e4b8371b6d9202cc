package preview

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/patch"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// everything is a preview with all that can be printed, for an audience.
func everything(audience diag.Audience) *Preview {
	p := ungrouped()
	p.Audience = audience
	p.Group()
	p.groupChanges()
	return p
}

// ungrouped is that preview before its findings are grouped.
func ungrouped() *Preview {
	pool := func(name, field string, tags map[string]string) *Found {
		f := finding(diag.Info, "resources/summary", "check-resources")
		f.Field, f.Tags = field, tags
		f.Tags["pool"] = name
		return &Found{f, digestOf(name + fmt.Sprint(tags))}
	}
	at := func(severity diag.Severity, rule, function, file string, line int) *Found {
		one := of(severity, rule, function)
		one.File, one.Line, one.Column, one.Field, one.Key = file, line, 3, "spec.values", "a.b"
		one.Resource = &report.Resource{APIVersion: "v1", Kind: "ConfigMap", Namespace: "ns", Name: "vault"}
		return one
	}
	small := pool("small", "spec.machinePools[2]", map[string]string{"cpu.need": "1500m", "cpu.have": "2000m", "cpu.share": "75%", "memory.need": "3Gi", "memory.have": "2Gi", "memory.share": "150%", "gpu.need": "0", "gpu.have": "1"})
	empty := pool("empty", "spec.machinePools[10]", map[string]string{"cpu.need": "1", "cpu.have": "0"})
	exact := pool("exact", "spec.machinePools[0]", map[string]string{"cpu.need": "2", "cpu.have": "2", "cpu.share": "100%"})
	common := at(diag.Warning, "values/unknown-key", "validate-pack-values", "vault.yaml", 12)
	p := &Preview{Notes: []string{"a note"}, Given: report.Place{File: "clusters/set.yaml", Line: 3}, Sets: &report.Report{Findings: []report.Finding{
		finding(diag.Error, "set/e", "expand-variant-set"), finding(diag.Warning, "set/w", "expand-variant-set"), finding(diag.Info, "set/i", "expand-variant-set"),
	}}}
	row := func(name string, outcome Outcome, reason string, findings ...*Found) {
		one := Row{Variant: "v-" + name, Repo: name, Package: "p", Upstream: "blueprints/platform@v3", Outcome: outcome, Reason: reason, Found: findings}
		if reason == "" {
			one.Functions = []string{"inject-config", "validate-pack-values", "check-resources"}
			one.Files = []workspace.File{{Path: "Kptfile", Text: []byte("kind: Kptfile\n")}}
		}
		p.Rows = append(p.Rows, one)
	}
	row("a", Deployable, "", common, exact)
	row("b", Refused, "", at(diag.Error, "values/format", "validate-pack-values", "vault.yaml", 7), &Found{finding(diag.Error, "values/format", "validate-pack-values"), digestOf("x")}, common, small, empty)
	row("c", Refused, "", at(diag.Error, "resources/no-pool", "check-resources", "a.yaml", 0), common, of(diag.Info, "injected", "inject-config"))
	row("d", RefusedAtClone, "the upstream has a fault <b>")
	row("e", Failed, "no --upstream")
	row("f", Failed, "no --upstream")
	row("g", RefusedAtUpgrade, "", common, at(diag.Error, "values/format", "validate-pack-values", "vault.yaml", 7))
	two := &change{
		digestOf("two"),
		[]fileChange{
			changed("vault.yaml", `kind: Pack
password: old
`, `kind: Pack
password: new
--- # more
added: 1
`),
			changed("new.yaml", "", "kind: New\n"),
		},
	}
	one := &change{
		digestOf("one"),
		[]fileChange{changed("gone.yaml", `kind: Gone
--- # x
`, "")},
	}
	p.earlier = &earlier{Gone: []string{"x/p", "y/p"}, HasOutcomes: true, HasValues: true}
	for i, s := range []since{
		{Is: isChanged, WasRefused: true, Raw: digestOf("a"), change: two}, {Is: isChanged, Raw: digestOf("b"), change: two}, {Is: isChanged, change: one},
		{Is: isSame, WasRefused: true}, {Is: isUnknown, WasRefused: true}, {Is: isUnknown, WasRefused: true}, {Is: isNew, WasRefused: true},
	} {
		p.Rows[i].since = &s
	}
	g := graph{Title: "platform", Nodes: []graphNode{
		{Name: "shop", Version: "1.0.0"}, {Name: "vault", Version: "2.0.0"}, {Name: "kubernetes", Version: "1.30.0"}, {Name: "gone", Version: "not in the package", Absent: true},
		{Name: "a-pack-with-a-name-of-more-than-28-characters", Version: "0.1.0"}, {Name: "cycle", Version: "1"}, {Name: "lone", Version: "1"},
	}, Edges: []graphEdge{
		{From: 0, To: 1, Versions: "2.0 or newer", Optional: false}, {From: 1, To: 2, Versions: "", Optional: true}, {From: 0, To: 2, Versions: "1.29 to 1.31", Optional: false}, {From: 4, To: 1, Versions: "", Optional: false}, {From: 4, To: 3, Versions: "1.0.0 or newer", Optional: false}, {From: 4, To: 5, Versions: "", Optional: false}, {From: 5, To: 4, Versions: "", Optional: true}, {From: 6, To: 6, Versions: "", Optional: false}, {From: 0, To: 6, Versions: "", Optional: false},
	}}
	g.layer()
	p.graphs = []graph{g, {Title: "one", Nodes: []graphNode{{Name: "alone", Version: "1"}}}}
	return p
}

// Everything is printed as the golden files have it. UPDATE=1 writes them; read the
// difference.
func TestGolden(t *testing.T) {
	many := made(Deployable, Refused)
	many.Rows[1].Repo = many.Rows[0].Repo
	for i := range mostFindings {
		many.Rows[1].Found = append(many.Rows[1].Found, of(diag.Warning, fmt.Sprintf("many/%02d", i), "check-resources"))
	}
	many.Rows[1].Found = append(many.Rows[1].Found, of(diag.Error, "resources/insufficient", "check-resources"))
	many.Group()
	one := made(Refused)
	one.Patches = &Patches{Same: 1, Outcomes: &Verdicts{}}
	one.Rows[0].since = &since{Is: isSame}
	for _, tc := range []struct {
		name    string
		preview *Preview
		print   Print
		formats []string
	}{
		{"everything", everything(diag.Record), Print{Version: "v1"}, Formats},
		{"values", everything(diag.All), Print{Color: true, All: true}, []string{"table"}},
		{"many", many, Print{}, []string{"table", "html"}},
		{"one", one, Print{}, []string{"table", "html"}},
		{"none", made(), Print{}, []string{"table", "json"}},
	} {
		for _, format := range tc.formats {
			tc.print.Format = report.Format(format)
			text := printed(t, tc.preview, tc.print)
			text = strings.NewReplacer(pageStyle, "", pageScript, "").Replace(text)
			file := filepath.Join("testdata", tc.name+"."+format)
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		}
	}
}

// changed returns the change of a file; an empty text means that the file does not exist.
func changed(name, old, next string) fileChange {
	bytes := func(text string) []byte {
		if text == "" {
			return nil
		}
		return []byte(text)
	}
	text := patch.Of(name, bytes(old), bytes(next))
	return fileChange{Path: name, Text: text, Record: patch.Shown(text, name, bytes(old), bytes(next), nil, diag.Record)}
}
