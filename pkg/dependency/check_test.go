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
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

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
		{"type: required", "", `error dependency/missing a.yaml#0 f key=constraints.dependencies[0].packName at=1:83 no="pack named \"b\"" pack=a`},
		{"type: required", "1.0", ""},
		{"type: required, minVersion: '', maxVersion: ''", "no version", ""},
		{"type: required, minVersion: 1.2.0", "", `error dependency/missing a.yaml#0 f key=constraints.dependencies[0].packName at=1:83 no="pack named \"b\", 1.2.0 or newer" pack=a`},
		{"type: required, minVersion: 1.2.0", "1.2", ""},
		{"type: required, minVersion: 1.2.0", "1.1.9", `error dependency/below-min b.yaml#0 f key=version at=2:36 got=1.1.9 want="1.2.0 or newer, which pack \"a\" (a.yaml, pack.json line 1) requires" now=1.1.9 pack=b dependency=constraints.dependencies[0].minVersion requirer=a`},
		{"type: required, minVersion: 1.2.0", "1.2.0-rc.1", `error dependency/below-min b.yaml#0 f key=version at=2:36 got=1.2.0-rc.1 want="1.2.0 or newer, which pack \"a\" (a.yaml, pack.json line 1) requires" now=1.2.0-rc.1 pack=b dependency=constraints.dependencies[0].minVersion requirer=a`},
		{"type: required, minVersion: 1.2, maxVersion: 1.4", "1.4.99", ""},
		{"type: required, minVersion: 1.2, maxVersion: 1.4", "1.5.0", `error dependency/above-max b.yaml#0 f key=version at=2:36 got=1.5.0 want="1.2 to 1.4, which pack \"a\" (a.yaml, pack.json line 1) requires" now=1.5.0 pack=b dependency=constraints.dependencies[0].maxVersion requirer=a`},
		{"type: optional, minVersion: 1.2.0", "", ""},
		{"type: optional, minVersion: 1.2.0", "1.1", `error dependency/below-min b.yaml#0 f key=version at=2:36 got=1.1 want="1.2.0 or newer, the only versions that pack \"a\" (a.yaml, pack.json line 1) works with" now=1.1 pack=b dependency=constraints.dependencies[0].minVersion requirer=a`},
		{"type: notSupported", "1.1", ""},
		{"type: notSupported, minVersion: 1.0.0", "", ""},
		{"type: notSupported, minVersion: 1.0.0", "0.9", ""},
		{"type: notSupported, minVersion: 1.0.0", "1.0", `error dependency/not-supported b.yaml#0 f key=version at=2:36 got=1.0 want="a version below 1.0.0, because pack \"a\" (a.yaml, pack.json line 1) does not support 1.0.0 or newer" now=1.0 pack=b dependency=constraints.dependencies[0] requirer=a`},
		{"type: notSupported, maxVersion: 1.0.0", "1.0", `error dependency/not-supported b.yaml#0 f key=version at=2:36 got=1.0 want="a version above 1.0.0, because pack \"a\" (a.yaml, pack.json line 1) does not support 1.0.0 or older" now=1.0 pack=b dependency=constraints.dependencies[0] requirer=a`},
		{"type: notSupported, minVersion: 1.0.0, maxVersion: 1.2", "1.2.7", `error dependency/not-supported b.yaml#0 f key=version at=2:36 got=1.2.7 want="a version below 1.0.0 or above 1.2, because pack \"a\" (a.yaml, pack.json line 1) does not support 1.0.0 to 1.2" now=1.2.7 pack=b dependency=constraints.dependencies[0] requirer=a`},
		{"type: notSupported, minVersion: 1.0.0, maxVersion: 1.2", "1.3.0", ""},
		{"type: upgrade, maxVersion: 1.0.0", "1.3.0", ""},
		{"minVersion: 1.0.0", "", `warning dependency/untyped a.yaml#0 f key=constraints.dependencies[0].type at=1:72 missing= want="required, optional or notSupported" propose=optional pack=a`},
	} {
		got := strings.Join(functiontest.Facts(functiontest.Noted(scene{packs: needs(tt.dependency, tt.version)}.check(t))), "\n")
		if got != tt.want {
			t.Errorf("{%s} with %q:\ngot  %s\nwant %s", tt.dependency, tt.version, got, tt.want)
		}
	}
}

// short describes findings by rule, place and proposal. The place of one about a version is
// the dependency.
func short(findings []diag.Finding) []string {
	var out []string
	for _, f := range findings {
		key := f.Key
		if dependency := f.Tags[tagDependency]; dependency != "" && f.Rule != rule.DependencyUpgrade && f.Rule != rule.DependencyInvalid {
			key = dependency
		}
		line := strings.TrimPrefix(f.Rule.ID, "dependency/") + " " + key
		if f.Rule == rule.DependencyInvalid && f.Tags == nil {
			line = f.Position.String() + " " + key
		}
		if f.Proposed != nil {
			line += fmt.Sprint(" => ", f.Proposed)
		}
		out = append(out, line)
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
		"itself in another layer": {scene{packs: `
- {name: a, version: 1.0.0, layer: addon, constraints: {dependencies: [{packName: a, layer: k8s, type: required}]}}`}, []string{"missing " + at + ".packName"}},
		"an upgrade of another layer": {scene{
			installed: `[{name: argo, version: 3.3.5, constraints: {dependencies: [{packName: argo, layer: csi, maxVersion: 3.26.7, type: upgrade}]}}]`,
			packs:     `[{name: argo, version: 4.0.0, layer: addon}]`,
		}, nil},
		"the newest of the layer that is there": {scene{
			packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: b, version: 1.0.0, layer: addon}`,
			catalog: `[{name: b, version: 2.4.0, layer: addon}, {name: b, version: 9.0.0, layer: csi}]`,
		}, []string{"below-min " + at + ".minVersion => 2.4.0"}},
		"a requirement of a pack on itself does not count": {scene{
			packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: b, version: 1.0.0, constraints: {dependencies: [{packName: b, maxVersion: 1.5.0, type: required}]}}`,
			catalog: `[{name: b, version: 2.4.0}]`,
		}, []string{"below-min " + at + ".minVersion => 2.4.0"}},
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
		"what is missing has no version to change": {scene{
			packs:   `[{name: a, constraints: {dependencies: [{packName: b, maxVersion: '2.5', type: required}]}}]`,
			catalog: `[{name: b, version: 2.4.0}, {name: b, version: 2.6.0}]`,
		}, []string{"missing " + at + ".packName"}},
		"an entry that cannot be read hides nothing": {scene{packs: `
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
			"line 6, column 27 constraints.dependencies[1].type => required",
			"line 7, column 33 constraints.dependencies[2].minVersion",
			"line 8, column 33 constraints.dependencies[3].minVersion",
			"line 9, column 33 constraints.dependencies[4].minVersion",
			"line 10, column 7 constraints.dependencies[5].packName",
			"line 11, column 21 constraints.dependencies[6].minVerson",
			"line 12, column 18 constraints.dependencies[7].packName",
			"line 13, column 7 constraints.dependencies[8]",
			"missing constraints.dependencies[2].packName",
			"missing constraints.dependencies[3].packName",
			"missing constraints.dependencies[4].packName",
			"missing constraints.dependencies[6].packName",
			"missing constraints.dependencies[9].packName",
		}},
		"an unreadable version is reported once": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: c, constraints: {dependencies: [{packName: b, minVersion: 1.0.0, type: required}]}}
- {name: b, version: latest}`}, []string{"invalid version"}},
		"a range with an unreadable bound is not checked": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: latest, maxVersion: 1.0.0, type: required}, {packName: b, minVersion: [1], maxVersion: 1.0.0, type: required}, {packName: b, minVersion: 3.0.0, maxVersion: latest, type: required}]}}
- {name: b, version: 2.0.0}`}, []string{"line 2, column 68 " + at + ".minVersion", "line 2, column 138 constraints.dependencies[1].minVersion", "line 2, column 224 constraints.dependencies[2].maxVersion"}},
		"numbers are texts": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 1.20, type: required}]}}
- {name: b, version: 1.3}`}, []string{"below-min " + at + ".minVersion"}},
		"no constraints": {scene{packs: `[{name: a, constraints: null}, {name: b, constraints: {dependencies: null}}, {name: c, constraints: []}, {name: d, constraints: {dependencies: []}}]`}, nil},
		"wrong constraints": {scene{packs: `[{name: a, constraints: [1]}, {name: b, constraints: {dependencies: {}}}, {name: c, constraints: 5}]`}, []string{
			"line 1, column 25 constraints", "line 1, column 69 constraints.dependencies", "line 1, column 98 constraints",
		}},
		"the field of a misspelt name is not missing": {scene{packs: `
- {name: a, constraints: {dependencies: [{packname: b, type: required}, {packName: b, typ: notSupported}, {packName: b, minVersoin: 3.0.0, maxVersion: 2.0.0, type: required}]}}
- {name: b, version: 4.0.0}`}, []string{
			"line 2, column 43 constraints.dependencies[0].packname", "line 2, column 87 constraints.dependencies[1].typ", "line 2, column 121 constraints.dependencies[2].minVersoin",
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
		if diff := cmp.Diff(tt.want, short(functiontest.Noted(tt.check(t)))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// Messages say what is needed to understand and fix them.
func TestMessages(t *testing.T) {
	for name, tt := range map[string]struct {
		scene
		want []string
	}{
		"another layer": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, layer: csi, type: required}]}}
- {name: b, layer: addon}`}, []string{`pack "b" (b.yaml)`, `"addon"`, `"csi"`}},
		"an unreadable version, for the first by name": {scene{packs: `
- {name: c, constraints: {dependencies: [{packName: b, minVersion: 1.0.0, type: required}]}}
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: b, version: latest}`}, []string{`"latest"`, "2.0.0 or newer", `pack "a" (a.yaml`}},
		"no version at all": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 0.0.0, type: notSupported}]}}
- {name: b, version: 1.0.0}`}, []string{`does not support "b" 0.0.0 or newer`, `Change the version or remove the pack "b"`}},
		"a misspelt name":         {scene{packs: `[{name: a, constraints: {dependencies: [{packName: valt, type: required}]}}, {name: vault}]`}, []string{`"valt"`, `Did you mean "vault"?`}},
		"a pack that is not read": {scene{unread: true, packs: needs("type: required", "")}, []string{"cannot be read"}},
		"no cluster":              {scene{packs: `[{name: a, constraints: {dependencies: [{packName: kubernetes, type: required}]}}]`}, []string{`"kubernetes"`, "ClusterContext", "system.kubernetes.version"}},
		"swapped bounds":          {scene{packs: needs("minVersion: 2.0.0, maxVersion: 1.0.0, type: required", "1.0")}, []string{"2.0.0", "1.0.0", `"b"`, "Swap"}},
		"two texts":               {scene{packs: needs("minVersion: 1.0.0, type: required", "latest")}, []string{`"latest"`, "1.2.3", "1.0.0 or newer", `pack "a" (a.yaml`}},
		"no version":              {scene{packs: `[{name: a, constraints: {dependencies: [{packName: b, minVersion: 1.0, type: required}]}}, {name: b}]`}, []string{"missing", "1.0 or newer", `pack "a" (a.yaml`}},
		"a cluster without a version": {scene{kubernetes: "none", packs: `[{name: a, constraints: {dependencies: [{packName: kubernetes, minVersion: 1.0, type: required}]}}]`},
			[]string{`"none"`, "1.0 or newer", `pack "a" (a.yaml`}},
		"the newest":    {scene{packs: needs("minVersion: 2.0.0, type: required", "1.0"), catalog: "[{name: b, version: 2.1.0}]"}, []string{"Use 2.1.0", "newest"}},
		"to add":        {scene{packs: needs("minVersion: 2.0.0, type: required", ""), catalog: "[{name: b, version: 2.1.0}]"}, []string{"Add 2.1.0", "newest"}},
		"nothing fits":  {scene{packs: needs("minVersion: 2.0.0, type: required", "1.0"), catalog: "[{name: b, version: 1.1.0}]"}, []string{"catalog", `pack "a" (a.yaml) requires 2.0.0 or newer`}},
		"not supported": {scene{packs: needs("minVersion: 1.0.0, type: notSupported", "1.0")}, []string{"has 1.0", `not support "b" 1.0.0 or newer`, `remove the pack "b"`}},
		"an upgrade": {scene{
			installed: `[{name: argo, version: 3.3.5, constraints: {dependencies: [{packName: argo, maxVersion: 3.26.7, type: upgrade}]}}]`,
			packs:     `[{name: argo, version: 4.0.0}]`,
		}, []string{"4.0.0", "3.26.7 or older", `installed "argo" 3.3.5`}},
		"a conflict": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: c, constraints: {dependencies: [{packName: b, maxVersion: '1.5', type: optional}]}}
- {name: d, constraints: {dependencies: [{packName: b, minVersion: 0.1.0, type: optional}]}}
- {name: e, constraints: {dependencies: [{packName: b, maxVersion: '1.5', type: optional}]}}
- {name: b, version: 1.0.0}`}, []string{"no version", `pack "a" (a.yaml) requires 2.0.0 or newer, pack "c" (c.yaml) and pack "e" (e.yaml) require 1.5 or older`}},
		"a conflict with three packs": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 2.0.0, type: required}]}}
- {name: c, constraints: {dependencies: [{packName: b, maxVersion: '1.5', type: optional}]}}
- {name: d, constraints: {dependencies: [{packName: b, maxVersion: '1.5', type: optional}]}}
- {name: e, constraints: {dependencies: [{packName: b, maxVersion: '1.5', type: optional}]}}
- {name: b, version: 1.0.0}`}, []string{"no version", `pack "a" (a.yaml) requires 2.0.0 or newer, pack "c" (c.yaml) and 2 more require 1.5 or older`}},
		"a conflict of three": {scene{packs: `
- {name: a, constraints: {dependencies: [{packName: b, minVersion: 1.0.0, maxVersion: 2.0.0, type: required}]}}
- {name: c, constraints: {dependencies: [{packName: b, minVersion: 0.5, maxVersion: '1.5', type: notSupported}]}}
- {name: d, constraints: {dependencies: [{packName: b, minVersion: 1.6.0, type: notSupported}]}}
- {name: e, constraints: {dependencies: [{packName: b, minVersion: 1.5.0, maxVersion: 1.7.0, type: notSupported}]}}
- {name: b, version: 2.1.0}`}, []string{"no version", `pack "a" (a.yaml) requires 1.0.0 to 2.0.0, pack "c" (c.yaml) requires none of 0.5 to 1.5, pack "d" (d.yaml) requires none of 1.6.0 or newer`}},
	} {
		var all []string
		for _, f := range tt.check(t) {
			all = append(all, f.Message())
		}
		for _, fact := range tt.want {
			if !strings.Contains(strings.Join(all, "\n"), fact) {
				t.Errorf("%s: no %s in\n%s", name, fact, strings.Join(all, "\n"))
			}
		}
	}
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
	packs, _ := readPacks(t, needs("minVersion: 1.0.0, type: required", "0.1"), "")
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
		refused  func(constraint.Change) bool
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
			if tries++; tc.refused(c) {
				return "no " + c.Version
			}
			return ""
		}
		if diff := cmp.Diff(tc.want, advisor.advise(tc.question)); diff != "" || tries != tc.tries {
			t.Errorf("%s: %d tries, want %d, -want +got:\n%s", name, tries, tc.tries, diff)
		}
	}
}

// An optional dependency on a misspelt name checks nothing, so it is said. Names that differ
// by more, by digits or in a short word are those of other packs, and so are names that the
// pack depends on, too.
func TestNearNames(t *testing.T) {
	for _, tc := range []struct{ name, others, near string }{
		{"vualt", "{name: vault}", "vault"},
		{"prometheus-oprator", "{name: prometheus-operator}", "prometheus-operator"},
		{"kuberntes", "", "kubernetes"}, // of the cluster
		{"offerd", "", "offered"},       // of the catalog
		{"vaults", "{name: vault}", "vault"},
		{"istio", "{name: vault}", ""},
		{"redis-7", "{name: redis-6}", ""},
		{"kubernetes-aks", "{name: kubernetes-eks}", ""},
		{"csi-azure", "{name: csi-azure-disk}", ""},
		{"known", "{name: knwon}", ""}, // the pack depends on knwon
	} {
		s := scene{kubernetes: "1.30.0", catalog: "- {name: offered, version: 1.0.0}"}
		s.packs = "- {name: a, constraints: {dependencies: [{packName: " + tc.name + ", type: optional, maxVersion: 1.0.0}, {packName: knwon, type: optional}]}}"
		if tc.others != "" {
			s.packs += "\n- " + tc.others
		}
		var want []string
		if tc.near != "" {
			want = []string{"info dependency/near-name a.yaml#0 f key=constraints.dependencies[0].packName at=1:53 near=" + tc.near + " pack=a"}
		}
		if diff := cmp.Diff(want, functiontest.Facts(functiontest.Noted(s.check(t)))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}
