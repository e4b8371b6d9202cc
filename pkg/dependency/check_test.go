package dependency

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/version"
)

// scene is what a check is about, as YAML of pack.json contents.
type scene struct {
	packs, installed, catalog string
	kubernetes                string
	unread                    bool
}

// list reads a YAML list of pack.json contents. What is wrong with them comes
// back as lines.
func list(t testing.TB, text, file string) (packs []*Pack, problems []string) {
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
		}
		if file != "" {
			p.Where = p.Name + file
		}
		var found []Problem
		p.Dependencies, found = Read(n)
		for _, f := range found {
			problems = append(problems, fmt.Sprintf("%s %s: %s", f.Position, f.Key, f.Message))
		}
		packs = append(packs, p)
	}
	return packs, problems
}

func (s scene) check(t testing.TB) []string {
	t.Helper()
	packs, lines := list(t, s.packs, ".yaml")
	installed, problems := list(t, s.installed, "")
	lines = append(lines, problems...)
	offers, _ := list(t, s.catalog, "")
	context := Context{Packs: packs, Installed: installed, Unread: s.unread}
	if s.kubernetes != "" {
		context.Kubernetes = &Pack{Name: "kubernetes", Version: s.kubernetes, Where: "cluster.yaml"}
	}
	if s.catalog != "" {
		var all []Offer
		for _, o := range offers {
			all = append(all, Offer{Name: o.Name, Layer: o.Layer, Version: o.Version})
		}
		context.Advisor = NewAdvisor(all)
		for _, p := range packs {
			context.Advisor.AddPack(p)
		}
		for _, p := range installed {
			context.Advisor.AddInstalled(p)
		}
	}
	for _, f := range Check(packs, context) {
		proposed := ""
		if f.Proposed != "" {
			proposed = " => " + f.Proposed
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s%s", strings.TrimPrefix(string(f.Rule), "dependency/"), f.Key, f.Message, proposed))
	}
	return lines
}

// needs is a pack a with one dependency on b, and a pack b of a version unless
// that is "".
func needs(dependency, version string) string {
	text := "- {name: a, version: 1.0.0, layer: addon, constraints: {dependencies: [{packName: b, " + dependency + "}]}}\n"
	if version != "" {
		text += "- {name: b, layer: addon, version: '" + version + "'}\n"
	}
	return text
}

const at = "constraints.dependencies[0]"

func TestTypes(t *testing.T) {
	for _, tt := range []struct{ dependency, version, want string }{
		{"type: required", "", "missing " + at + `.packName: pack "a" (a.yaml) requires "b", and no pack is named "b": add the pack; if it is in the package, a selector of the function may hide it`},
		{"type: required", "1.0", ""},
		{"type: required, minVersion: '', maxVersion: ''", "no version", ""},
		{"type: required, minVersion: 1.2.0", "", "missing " + at + `.packName: pack "a" (a.yaml) requires "b" 1.2.0 or newer, and no pack is named "b": add the pack; if it is in the package, a selector of the function may hide it`},
		{"type: required, minVersion: 1.2.0", "1.2", ""},
		{"type: required, minVersion: 1.2.0", "1.1.9", "below-min " + at + `.minVersion: pack "a" (a.yaml) requires "b" 1.2.0 or newer, and finds 1.1.9 in b.yaml: take 1.2.0 or newer`},
		{"type: required, minVersion: 1.2.0", "1.2.0-rc.1", "below-min " + at + `.minVersion: pack "a" (a.yaml) requires "b" 1.2.0 or newer, and finds 1.2.0-rc.1 in b.yaml: take 1.2.0 or newer`},
		{"type: required, minVersion: 1.2, maxVersion: 1.4", "1.4.99", ""},
		{"type: required, minVersion: 1.2, maxVersion: 1.4", "1.5.0", "above-max " + at + `.maxVersion: pack "a" (a.yaml) requires "b" 1.2 to 1.4, and finds 1.5.0 in b.yaml: take 1.2 to 1.4`},
		{"type: optional, minVersion: 1.2.0", "", ""},
		{"type: optional, minVersion: 1.2.0", "1.1", "below-min " + at + `.minVersion: pack "a" (a.yaml) works only with "b" 1.2.0 or newer, and finds 1.1 in b.yaml: take 1.2.0 or newer`},
		{"type: notSupported", "1.1", ""},
		{"type: notSupported, minVersion: 1.0.0", "", ""},
		{"type: notSupported, minVersion: 1.0.0", "0.9", ""},
		{"type: notSupported, minVersion: 1.0.0", "1.0", "not-supported " + at + `: pack "a" (a.yaml) does not support "b" 1.0.0 or newer, and finds 1.0 in b.yaml: remove "b" or take one below 1.0.0`},
		{"type: notSupported, maxVersion: 1.0.0", "1.0", "not-supported " + at + `: pack "a" (a.yaml) does not support "b" 1.0.0 or older, and finds 1.0 in b.yaml: remove "b" or take one above 1.0.0`},
		{"type: notSupported, minVersion: 1.0.0, maxVersion: 1.2", "1.2.7", "not-supported " + at + `: pack "a" (a.yaml) does not support "b" 1.0.0 to 1.2, and finds 1.2.7 in b.yaml: remove "b" or take one below 1.0.0 or one above 1.2`},
		{"type: notSupported, minVersion: 1.0.0, maxVersion: 1.2", "1.3.0", ""},
		{"type: upgrade, maxVersion: 1.0.0", "1.3.0", ""},
		{"minVersion: 1.0.0", "", `untyped ` + at + `: pack "a" (a.yaml) says nothing about the type of its dependency on "b", so that it is taken as optional: add "type", one of required, optional and notSupported => optional`},
	} {
		want := []string{tt.want}
		if tt.want == "" {
			want = nil
		}
		if diff := cmp.Diff(want, scene{packs: needs(tt.dependency, tt.version)}.check(t)); diff != "" {
			t.Errorf("{%s} with %q: -want +got:\n%s", tt.dependency, tt.version, diff)
		}
	}
}

// short cuts findings to rule, place and proposal.
func short(lines []string) []string {
	var out []string
	for _, line := range lines {
		head, rest, _ := strings.Cut(line, ":")
		if _, proposed, ok := strings.Cut(rest, " => "); ok {
			head += " => " + proposed
		}
		out = append(out, head)
	}
	return out
}

func TestRules(t *testing.T) {
	for name, tt := range map[string]struct {
		scene
		want []string
	}{
		"layers differ": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, layer: csi, type: required}]}}
- {name: b, layer: addon}`}, []string{"missing " + at + ".packName"}},
		"a layer is missing": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, layer: csi, type: required}]}}
- {name: b}`}, nil},
		"itself": {scene{packs: `
- {name: a, version: 1.0.0, constraints: {dependencies: [{packName: a, minVersion: 2.0.0, type: required}]}}`}, nil},
		"itself is not supported": {scene{packs: `
- {name: a, version: 1.0.0, constraints: {dependencies: [{packName: a, minVersion: 0.1.0, type: notSupported}]}}
- {name: a, version: 0.9.0}`}, []string{"not-supported " + at}},
		"several of a name": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: b, version: 1.0.0}
- {name: b, version: 2.0.0}
- {name: b, version: 1.5.0}`}, []string{"below-min " + at + ".minVersion", "below-min " + at + ".minVersion"}},
		"the cluster's Kubernetes": {scene{kubernetes: "v1.26.3-eks-1", packs: `
- {name: a, constraints: {dependencies: [{packName: kubernetes, layer: k8s, minVersion: '1.27', type: required}, {packName: kubernetes, maxVersion: '1.26', type: required}]}}`},
			[]string{"below-min " + at + ".minVersion"}},
		"a pack goes before the cluster": {scene{kubernetes: "1.26.3", packs: `
- {name: a, constraints: {dependencies: [{packName: kubernetes, minVersion: '1.27', type: optional}]}}
- {name: kubernetes, version: 1.27.0}`}, nil},
		"suffixes of a Kubernetes": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: kubernetes-eks, layer: k8s, minVersion: '1.27', type: optional}, {packName: other, minVersion: '1.27', type: optional}]}}
- {name: kubernetes-eks, version: 1.27.0-anything.5}
- {name: other, version: 1.27.0-anything.5}`}, []string{"below-min constraints.dependencies[1].minVersion"}},
		"suffixes of the layer": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: edge, minVersion: '1.27', type: optional}]}}
- {name: edge, layer: k8s, version: 1.27.0-anything.5}`}, nil},
		"upgrade": {scene{
			installed: `[{name: argo, version: 3.3.5, constraints: {dependencies: [{packName: argo, maxVersion: 3.26.7, type: upgrade}, {packName: b, minVersion: 9.0.0, type: required}]}}]`,
			packs:     `[{name: argo, version: 4.0.0}, {name: argo, version: 3.26.7}, {name: b, version: 1.0.0}]`,
			catalog:   `[{name: argo, version: 3.20.0}, {name: argo, version: 3.26.0}, {name: argo, version: 4.1.0}]`,
		}, []string{"upgrade version => 3.26.0"}},
		"the newest that suits all": {scene{
			packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: c, constraints: {dependencies: [{packName: b, maxVersion: '2.5', type: optional}]}}
- {name: d, constraints: {dependencies: [{packName: b, minVersion: 2.5.0, maxVersion: 2.5.9, type: notSupported}]}}
- {name: b, version: 1.0.0}`,
			catalog: `[{name: b, version: 2.4.0}, {name: b, version: 2.4.9}, {name: b, version: 2.4.10-rc.1}, {name: b, version: 2.5.3}, {name: b, version: 2.6.0}, {name: b, version: 9.0.0, layer: x}]`,
		}, []string{"below-min " + at + ".minVersion => 2.4.9"}},
		"what is missing is proposed": {scene{
			packs:   `[{name: a, constraints: {dependencies: [{packName: b, maxVersion: '2.5', type: required}]}}]`,
			catalog: `[{name: b, version: 2.4.0}, {name: b, version: 2.6.0}]`,
		}, []string{"missing " + at + ".packName => 2.4.0"}},
		"an entry that can not be read hides nothing": {scene{packs: `
- name: a
  constraints:
    dependencies:
    - 5
    - {packName: b, type: require}
    - {packName: b, minVersion: [1], type: required}
    - {packName: b, minVersion: latest, type: required}
    - {packName: b, minVersion: 3.0.0, maxVersion: 2.0.0, type: required}
    - {type: required}
    - {packName: b, minVerson: 2.0.0, type: required}
    - {packName: {}, type: required}
    - null
    - {packName: c, type: required}`}, []string{
			"line 5, column 7 constraints.dependencies[0]",
			"line 6, column 27 constraints.dependencies[1].type",
			"line 7, column 33 constraints.dependencies[2].minVersion",
			"line 8, column 33 constraints.dependencies[3].minVersion",
			"line 9, column 33 constraints.dependencies[4].minVersion",
			"line 10, column 7 constraints.dependencies[5]",
			"line 11, column 21 constraints.dependencies[6].minVerson",
			"line 12, column 18 constraints.dependencies[7].packName",
			"line 13, column 7 constraints.dependencies[8]",
			"missing constraints.dependencies[2].packName",
			"missing constraints.dependencies[3].packName",
			"missing constraints.dependencies[4].packName",
			"missing constraints.dependencies[6].packName",
			"missing constraints.dependencies[9].packName",
		}},
		"an unreadable version is told once": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: c, constraints: {dependencies: [{packName: b, minVersion: 1.0.0, type: required}]}}
- {name: b, version: latest}`}, []string{"invalid version"}},
		"numbers are texts": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 1.20, type: required}]}}
- {name: b, version: 1.3}`}, []string{"below-min " + at + ".minVersion"}},
		"no constraints": {scene{packs: `[{name: a, constraints: null}, {name: b, constraints: {dependencies: null}}, {name: c, constraints: []}, {name: d, constraints: {dependencies: []}}]`}, nil},
		"wrong constraints": {scene{packs: `[{name: a, constraints: [1]}, {name: b, constraints: {dependencies: {}}}, {name: c, constraints: 5}]`}, []string{
			"line 1, column 25 constraints", "line 1, column 69 constraints.dependencies", "line 1, column 98 constraints",
		}},
		"a misspelt list": {scene{packs: `
- {name: a, contraints: {dependencies: [{packName: b, type: required}]}}
- {name: c, Constraints: {}, constraints: {dependency: [{packName: b, type: required}]}}
- {name: d, constraints: {dependancies: [], dependencies: [], note: x}, constants: {}}
- {name: e, constraints: {resource: [], requires: []}}
- {name: f, constraint: kubernetes >= 1.25, constraints: null}
- {name: g, constraint: kubernetes >= 1.25}
- {name: h, constraints: {dependents: [web], peerDependencies: [{name: b}], dependency: hard}}
- {name: i, constraints: {dependancys: [{packName: b, type: required}]}}`}, []string{
			"line 2, column 13 contraints", "line 3, column 44 constraints.dependency", "line 9, column 27 constraints.dependancys",
		}},
	} {
		if diff := cmp.Diff(tt.want, short(tt.check(t))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func TestMessages(t *testing.T) {
	for name, tt := range map[string]struct {
		scene
		want string
	}{
		"another layer": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, layer: csi, type: required}]}}
- {name: b, layer: addon}`}, `and the one of that name in b.yaml is of the layer "addon", not "csi"`},
		"a typo":       {scene{packs: `[{name: a, constraints: {dependencies: [{packName: valt, type: required}]}}, {name: vault}]`}, `no pack is named "valt" (did you mean "vault"?)`},
		"unread":       {scene{unread: true, packs: needs("type: required", "")}, "it may be the one that can not be read"},
		"cluster":      {scene{packs: `[{name: a, constraints: {dependencies: [{packName: kubernetes, type: required}]}}]`}, "a ClusterContext with system.kubernetes.version stands in for it"},
		"type":         {scene{packs: needs("type: require", "")}, `got "require", want required, optional, notSupported or upgrade (did you mean "required"?)`},
		"slip":         {scene{packs: needs("MinVersion: 1.0, type: required", "1.0")}, `unknown field (did you mean "minVersion"?)`},
		"bound":        {scene{packs: needs("minVersion: latest, type: required", "1.0")}, `"latest" as a version of "b": want one to three numbers`},
		"both texts":   {scene{packs: needs("minVersion: 1.0.0, type: required", "latest")}, `the version of the pack "b" (b.yaml), "latest", can not be compared with "1.0.0 or newer", which pack "a" (a.yaml) asks for: it is no version, want one to three`},
		"no version":   {scene{packs: `[{name: a, constraints: {dependencies: [{packName: b, minVersion: 1.0, type: required}]}}, {name: b}]`}, `the version of the pack "b" (b.yaml) can not be compared with "1.0 or newer", which pack "a" (a.yaml) asks for: it is empty`},
		"no version k": {scene{kubernetes: "none", packs: `[{name: a, constraints: {dependencies: [{packName: kubernetes, minVersion: 1.0, type: required}]}}]`}, `the version of the cluster's Kubernetes in cluster.yaml, "none", can not`},
		"swapped":      {scene{packs: needs("minVersion: 2.0.0, maxVersion: 1.0.0, type: required", "1.0")}, `minVersion 2.0.0 is above maxVersion 1.0.0, so that no version of "b" is in range; swap them or mend one`},
		"newest":       {scene{packs: needs("minVersion: 2.0.0, type: required", "1.0"), catalog: "[{name: b, version: 2.1.0}]"}, "take 2.1.0, the newest in the catalog that suits all who need it"},
		"nothing fits": {scene{packs: needs("minVersion: 2.0.0, type: required", "1.0"), catalog: "[{name: b, version: 1.1.0}]"}, `the catalog has nothing that fits: "a" (a.yaml) wants 2.0.0 or newer`},
		"upgrade": {scene{
			installed: `[{name: argo, version: 3.3.5, constraints: {dependencies: [{packName: argo, maxVersion: 3.26.7, type: upgrade}]}}]`,
			packs:     `[{name: argo, version: 4.0.0}]`,
		}, `pack "argo" (argo.yaml) is to be 4.0.0, but the installed "argo" 3.3.5 can be upgraded to 3.26.7 or older only: take 3.26.7 or older`},
		"conflict": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: c, constraints: {dependencies: [{packName: b, maxVersion: '1.5', type: optional}]}}
- {name: d, constraints: {dependencies: [{packName: b, minVersion: 0.1.0, type: optional}]}}
- {name: e, constraints: {dependencies: [{packName: b, maxVersion: '1.5', type: optional}]}}
- {name: b, version: 1.0.0}`}, `and finds 1.0.0 in b.yaml: no version suits all who need it: "a" (a.yaml) wants 2.0.0 or newer, "c" (c.yaml) and "e" (e.yaml) want 1.5 or older`},
		"conflict of three": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 1.0.0, maxVersion: 2.0.0, type: required}]}}
- {name: c, constraints: {dependencies: [{packName: b, minVersion: 0.5, maxVersion: '1.5', type: notSupported}]}}
- {name: d, constraints: {dependencies: [{packName: b, minVersion: 1.6.0, type: notSupported}]}}
- {name: e, constraints: {dependencies: [{packName: b, minVersion: 1.5.0, maxVersion: 1.7.0, type: notSupported}]}}
- {name: b, version: 2.1.0}`}, `no version suits all who need it: "a" (a.yaml) wants 1.0.0 to 2.0.0, "c" (c.yaml) wants none of 0.5 to 1.5, "d" (d.yaml) wants none of 1.6.0 or newer`},
	} {
		got := strings.Join(tt.check(t), "\n")
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// What can satisfy is not limited by what is checked.
func TestChosen(t *testing.T) {
	packs, _ := list(t, `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 1.0.0, type: required}]}}
- {name: b, version: 2.0.0, constraints: {dependencies: [{packName: c, type: required}]}}`, "")
	if found := Check(packs[:1], Context{Packs: packs}); len(found) != 0 {
		t.Errorf("got %v, want nothing of b, which is not checked, and a satisfied by it", found)
	}
	if found := Check(packs, Context{Packs: packs}); len(found) != 1 || found[0].Pack != packs[1] {
		t.Errorf("got %v, want what b misses", found)
	}
}

// Demands from elsewhere count in the advice.
func TestAdvisorDemands(t *testing.T) {
	packs, _ := list(t, needs("minVersion: 1.0.0, type: required", "0.1"), "")
	advisor := NewAdvisor([]Offer{{Name: "b", Version: "1.0.0"}, {Name: "b", Version: "1.5.0"}, {Name: "b", Version: "latest"}, {Name: "c", Version: "3.0.0"}})
	advisor.AddPack(packs[0])
	below, _ := version.ParseRange("", "1.2", version.Parse)
	advisor.Add("b", Demand{By: "a bundle", Wants: "below 1.3", Accepts: func(v version.Version) bool { return below.Place(v) == version.Within }})
	found := Check(packs, Context{Packs: packs, Advisor: advisor})
	if len(found) != 1 || found[0].Proposed != "1.0.0" || found[0].Current != "0.1" {
		t.Errorf("got %+v, want 1.0.0 as the proposal", found)
	}
	if diff := cmp.Diff([]string{"b", "c"}, advisor.Names()); diff != "" {
		t.Error(diff)
	}
}
