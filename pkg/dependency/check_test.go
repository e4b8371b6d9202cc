package dependency

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// A case is a scene, packs.yaml with what is installed.yaml and offered in catalog.yaml, and the version of kubernetes. FIRST
// and SECOND in the packs stand for the parts of one line of the file each after the other. The outcome is what is found.
func TestChecks(t *testing.T) {
	cases.Table(t, "checks/*", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, each := range strings.Split(strings.TrimSuffix(c.Text("each"), "\n"), "\n") {
			if c.Has("each") {
				fmt.Fprintln(&b, "$ "+strings.TrimSpace(each))
			}
			first, second, _ := strings.Cut(each, " | ")
			found := functiontest.Noted(scene{
				packs:     strings.NewReplacer("FIRST", first, "SECOND", second).Replace(c.Text("packs.yaml")),
				installed: c.Text("installed.yaml"), catalog: c.Text("catalog.yaml"),
				kubernetes: strings.TrimSpace(c.Text("kubernetes")), unread: c.Has("unread"),
			}.check(t))
			for i, facts := range functiontest.Facts(found) {
				fmt.Fprintf(&b, "%d:%d %s: %s\n", found[i].Position.Line, found[i].Position.Column, facts, found[i].Message())
			}
		}
		return b.String()
	})
}

// scene is what a check is about, as YAML of pack.json contents.
type scene struct {
	packs, installed, catalog string
	kubernetes                string
	unread                    bool
}

// readPacks reads a YAML list of pack.json contents, and returns what is wrong with them.
func readPacks(t testing.TB, text, file string) (packs []*Pack, problems []diag.Finding) {
	t.Helper()
	document, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if document.Root() == nil {
		return nil, nil
	}
	for _, n := range document.Root().Content {
		p := &Pack{
			Name: values.Text(values.Field(n, "name")), Version: values.Text(values.Field(n, "version")), Layer: values.Text(values.Field(n, "layer")),
			VersionAt: values.At(values.Field(n, "version")),
		}
		if file != "" {
			p.Origin = &diag.Origin{Resource: diag.Resource{File: p.Name + file}, Field: "f", Name: "pack.json", Embedded: true}
		}
		var found []diag.Finding
		p.Dependencies, found = Read(n)
		for _, f := range found {
			problems = append(problems, f.From(p.Origin).For(p.Name).Of(rule.DependencyInvalid))
		}
		packs = append(packs, p)
	}
	return packs, problems
}

func (s scene) check(t testing.TB) []diag.Finding {
	t.Helper()
	packs, findings := readPacks(t, s.packs, ".yaml")
	installed, faults := readPacks(t, s.installed, "")
	offers, _ := readPacks(t, s.catalog, "")
	context := Context{Packs: packs, Installed: installed, IsUnread: s.unread}
	if s.kubernetes != "" {
		context.Kubernetes = &Pack{Name: "kubernetes", Version: s.kubernetes, Origin: diag.Whole(diag.Resource{File: "cluster.yaml"})}
	}
	if s.catalog != "" {
		var all []Offer
		for _, o := range offers {
			all = append(all, Offer{Name: o.Name, Layer: o.Layer, Version: o.Version})
		}
		context.advisor = newAdvisor(all)
		for _, p := range packs {
			context.advisor.addPack(p)
		}
		for _, p := range installed {
			context.advisor.addInstalled(p)
		}
	}
	return slices.Concat(findings, faults, Check(packs, context))
}

// What can satisfy is not limited by what is checked.
func TestChosen(t *testing.T) {
	packs, _ := readPacks(t, `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 1.0.0, type: required}]}}
- {name: b, version: 2.0.0, constraints: {dependencies: [{packName: c, type: required}]}}`, "")
	if found := Check(packs[:1], Context{Packs: packs}); len(found) != 0 {
		t.Errorf("got %v, want nothing of b, which is not checked, and a satisfied by it", found)
	}
	if found := Check(packs, Context{Packs: packs}); len(found) != 1 || found[0].Pack != "b" {
		t.Errorf("got %v, want what b misses", found)
	}
}

// Demands from elsewhere count in the advice.
func TestAdvisorDemands(t *testing.T) {
	packs, _ := readPacks(t, `- {name: a, constraints: {dependencies: [{packName: b, minVersion: 1.0.0, type: required}]}}
- {name: b, version: '0.1'}
`, "")
	advisor := newAdvisor([]Offer{{Name: "b", Version: "1.0.0"}, {Name: "b", Version: "1.5.0"}, {Name: "b", Version: "latest"}, {Name: "c", Version: "3.0.0"}})
	advisor.addPack(packs[0])
	below, _ := version.ParseRange("", "1.2", version.Parse)
	advisor.add("b", Demand{By: "a bundle", Wants: "below 1.3", Accepts: func(v version.Version) bool { return below.Place(v) == version.Within }})
	found := Check(packs, Context{Packs: packs, advisor: advisor})
	if len(found) != 1 || found[0].Proposed != "1.0.0" || found[0].Current != "0.1" {
		t.Errorf("got %+v, want 1.0.0 as the proposal", found)
	}
	if diff := cmp.Diff([]string{"b", "c"}, advisor.names()); diff != "" {
		t.Error(diff)
	}
}

// Of versions that cannot be used, the newest one is named with its obstacle. Only some are
// tried.
func TestRejected(t *testing.T) {
	bundle := &constraint.Bundle{}
	var offers []Offer
	for i := range maxTrials + 5 {
		offers = append(offers, Offer{Name: "b", Version: fmt.Sprintf("1.%d.0", i)})
	}
	replaced := Offer{Name: "b", Version: "2.0.0", Content: func() Content { return Content{Bundle: &constraint.Bundle{}} }}
	for name, tc := range map[string]struct {
		offers   []Offer
		question Question
		bars     func(constraint.Change) bool
		want     Advice
		tries    int
	}{
		"all":                  {offers[:3], Question{Name: "b", IsMissing: true}, func(constraint.Change) bool { return true }, Advice{IsOffered: true, Rejected: "1.2.0", Obstacle: "no 1.2.0"}, 3},
		"the newest":           {offers[:3], Question{Name: "b", IsMissing: true}, func(c constraint.Change) bool { return c.Version == "1.2.0" }, Advice{IsOffered: true, Version: "1.1.0"}, 2},
		"many":                 {offers, Question{Name: "b", IsMissing: true}, func(constraint.Change) bool { return true }, Advice{IsOffered: true, Rejected: "1.24.0", Obstacle: "no 1.24.0"}, maxTrials},
		"the version alone":    {[]Offer{replaced}, Question{Name: "b", Bundle: bundle}, func(c constraint.Change) bool { return c.Content == nil }, Advice{IsOffered: true, Rejected: "2.0.0", Obstacle: "no 2.0.0"}, 1},
		"the content":          {[]Offer{replaced}, Question{Name: "b", Bundle: bundle}, func(c constraint.Change) bool { return c.Content != nil }, Advice{IsOffered: true, Rejected: "2.0.0", Obstacle: "no 2.0.0"}, 2},
		"neither":              {[]Offer{replaced}, Question{Name: "b", Bundle: bundle}, func(constraint.Change) bool { return false }, Advice{IsOffered: true, Version: "2.0.0"}, 2},
		"no bundle to replace": {offers[:1], Question{Name: "b"}, func(constraint.Change) bool { return true }, Advice{IsOffered: true, Version: "1.0.0"}, 0},
	} {
		advisor, tries := newAdvisor(tc.offers), 0
		advisor.Obstacle = func(c constraint.Change) string {
			if tries++; tc.bars(c) {
				return "no " + c.Version
			}
			return ""
		}
		if diff := cmp.Diff(tc.want, advisor.advise(tc.question)); diff != "" || tries != tc.tries {
			t.Errorf("%s: %d tries, want %d, -want +got:\n%s", name, tries, tc.tries, diff)
		}
	}
}
