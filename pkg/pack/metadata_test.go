package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// One list of constraints is read: what has another form, and what is probably a misspelt
// name, is reported with its place, and the rest is read.
func TestReadConstraints(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		// dependencies and resources are the names and types of the entries that are read.
		dependencies, resources []string
	}{
		{"both lists", "constraints: {dependencies: [{packName: a}, {packName: b, type: optional}], resources: [{type: cpu, components: [{scheduleType: x}, {}]}, {type: memory}]}", []string{"a", "b"}, []string{"cpu 2", "memory 0"}},
		{"nothing", "name: a", nil, nil},
		{"null", "constraints: null", nil, nil},
		{"an empty list for nothing", "constraints: []", nil, nil},
		{"empty lists", "constraints: {dependencies: , resources: []}", nil, nil},
		{"a list", "constraints: [{packName: a}]", []string{"constraints got=a list want=a map with dependencies and resources"}, []string{"constraints got=a list want=a map with dependencies and resources"}},
		{"text", "constraints: x", []string{"constraints got=a string want=a map with dependencies and resources"}, []string{"constraints got=a string want=a map with dependencies and resources"}},
		{"no document", "", []string{" got=null want=a map with constraints"}, []string{" got=null want=a map with constraints"}},
		{"another name of such a list", "constraints: {others: [{packName: a}], requests: [{'': a}]}", nil, nil},
		{"no map", "[]", []string{" got=a list want=a map with constraints"}, []string{" got=a list want=a map with constraints"}},
		{"lists that are none", "constraints: {dependencies: {packName: a}, resources: 5}", []string{"constraints.dependencies got=a map want=a list of entries with packName, layer, minVersion, maxVersion and type"}, []string{"constraints.resources got=a number want=a list of entries with type, minLimit and components"}},
		{"entries that are none", "constraints: {dependencies: [5, {packName: a}, null, [b]], resources: [x, {type: cpu, components: [1, {}]}, {type: memory, components: {}}]}", []string{"constraints.dependencies[0] got=a number want=a map with packName, layer, minVersion, maxVersion and type", "constraints.dependencies[2] got=null want=a map with packName, layer, minVersion, maxVersion and type", "constraints.dependencies[3] got=a list want=a map with packName, layer, minVersion, maxVersion and type", "a"}, []string{"constraints.resources[0] got=a string want=a map with type, minLimit and components", "constraints.resources[1].components[0] got=a number want=a map with resourceRequestParamRef, replicaCountParamRef and scheduleType", "constraints.resources[2].components got=a map want=a list of entries with resourceRequestParamRef, replicaCountParamRef and scheduleType", "cpu 1", "memory 0"}},
		{"a misspelt list", "constraints: {dependancies: [{packName: a}], resource: [{type: cpu}]}", []string{"constraints.dependancies near=dependencies"}, []string{"constraints.resource near=resources"}},
		{"a name that is less near", "constraints: {dependents: [{packName: a}], dependent: {packName: a}}", []string{"constraints.dependents near=dependencies", "constraints.dependent near=dependencies"}, nil},
		{"such a name of something else", "constraints: {dependents: [a], dependent: {name: a}}", nil, nil},
		{"text under a name like that of a list", "constraints: {dependancies: text, resource: 5}", nil, nil},
		{"misspelt constraints", "constrains: {dependencies: [{packName: a}]}", []string{"constrains near=constraints"}, []string{"constrains near=constraints"}},
		{"misspelt fields", "constraints: {dependencies: [{packname: a, minVersoin: 1.0.0}, {packName: b, minVersion: 1.0.0, minVersoin: 2.0.0}], resources: [{typ: cpu, component: [{}], minLimits: 1}]}", []string{"constraints.dependencies[0].packname near=packName", "constraints.dependencies[0].minVersoin near=minVersion", "", "b"}, []string{"constraints.resources[0].typ near=type", "constraints.resources[0].component near=components", "constraints.resources[0].minLimits near=minLimit", " 0"}},
		{"fields of the author", "constraints: {dependencies: [{packName: a, comment: x}], more: [1]}", []string{"a"}, nil},
		{"aliases", "x: &x {packName: a}\nconstraints: {dependencies: [*x, *x]}", []string{"a", "a"}, nil},
	} {
		document, err := values.Parse(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		for list, want := range map[string][]string{Dependencies: tc.dependencies, Resources: tc.resources} {
			var got []string
			read := ReadConstraints(document.Root(), list, func(f Field, finding diag.Finding) {
				if finding.Nearest != "" {
					got = append(got, f.Path+" near="+finding.Nearest)
				} else {
					got = append(got, fmt.Sprintf("%s got=%s want=%s", f.Path, finding.Found, finding.Accepted))
				}
			})
			for _, d := range read.Dependencies {
				got = append(got, values.Text(d.PackName.Node))
			}
			for _, r := range read.Resources {
				got = append(got, fmt.Sprintf("%s %d", values.Text(r.Type.Node), len(r.Components)))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s: -want +got:\n%s", tc.name, list, diff)
			}
		}
	}
}

// A field has its place, the texts that it can be, and whether it is misspelt.
func TestField(t *testing.T) {
	document, err := values.Parse("constraints:\n  resources:\n  - type: cpu\n    minLimits: 1\n    components: []\n  - {type: '', minLimit: [], components: {}}\n")
	if err != nil {
		t.Fatal(err)
	}
	entries := ReadConstraints(document.Root(), Resources, func(Field, diag.Finding) {}).Resources
	for _, tc := range []struct {
		field                Field
		place                string
		isEmpty, isMisspelt  bool
		options, missingText string
	}{
		{entries[0].Field, "constraints.resources[0] 3:5", false, true, "", ""},
		{entries[0].Type, "constraints.resources[0].type 3:11", false, false, "cpu memory diskSize", "empty"},
		{entries[0].MinLimit, "constraints.resources[0].minLimit 3:5", true, true, "", ""},
		{entries[1].Type, "constraints.resources[1].type 6:12", true, false, "cpu memory diskSize", "empty"},
		{entries[1].MinLimit, "constraints.resources[1].minLimit 6:26", false, false, "", "empty"},
		{Field{Path: "a", Node: &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}}, "a 0:0", true, false, "", "null"},
	} {
		f := tc.field
		if got := fmt.Sprintf("%s %d:%d", f.Path, f.At.Line, f.At.Column); got != tc.place {
			t.Errorf("got %s, want %s", got, tc.place)
		}
		if f.IsEmpty() != tc.isEmpty || f.IsMisspelt != tc.isMisspelt || strings.Join(f.Options, " ") != tc.options || tc.options == "" && f.Options != nil {
			t.Errorf("%s: got %v, %v, %q", f.Path, f.IsEmpty(), f.IsMisspelt, f.Options)
		}
		if m := f.Missing("x"); tc.missingText != "" && (m.Found != tc.missingText || m.Accepted != "x") {
			t.Errorf("%s: got %+v", f.Path, m)
		}
	}
	if entries[0].HasComponents() || !entries[1].HasComponents() || !(&ResourceEntry{Field: Field{Node: &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Value: "components"}, {Kind: yaml.SequenceNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode}}}}}}}).HasComponents() {
		t.Error("the components that cannot be read are some, and an empty list is none")
	}
}
