package variant

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// The table of the rules, and names that are near it.
func TestOwns(t *testing.T) {
	for _, tc := range []struct {
		pv, name string
		want     bool
	}{
		{"my-pv", "PackageVariant.my-pv.my-func.0", true},
		{"my-pv", "PackageVariant.my-pv..1", true},
		{"my-pv", "PackageVariant.my-pv..12", true},
		{"a", "PackageVariant.ab.x.0", false},
		{"a", "PackageVariant.a.b.x.0", false},
		{"a.b", "PackageVariant.a.b.x.0", true},
		{"a.b", "PackageVariant.a.b..0", true},
		{"a.b", "PackageVariant.a.b.0", false},
		{"a", "PackageVariant.a.x.y", false},
		{"a", "PackageVariant.a.x.-1", true},
		{"a", "PackageVariant.a.x.1e3", false},
		{"a", "PackageVariant.a.x.99999999999999999999", false},
		{"a", "PackageVariant.a.x.", false},
		{"a", "PackageVariant.a.x", false},
		{"a", "packagevariant.a.x.0", false},
		{"a", "", false},
	} {
		if got := Owns(tc.pv, tc.name); got != tc.want {
			t.Errorf("%s owns %q: %v", tc.pv, tc.name, got)
		}
	}
}

func TestPipeline(t *testing.T) {
	// The document's example.
	const two = `{mutators: [{image: gcr.io/kpt-fn/set-namespace:v0.1, configMap: {namespace: my-ns}, name: my-func}, {image: gcr.io/kpt-fn/set-labels:v0.1, configMap: {app: foo}}]}`
	const added = `    - image: gcr.io/kpt-fn/set-namespace:v0.1
      configMap:
        namespace: my-ns
      name: PackageVariant.my-pv.my-func.0
    - image: gcr.io/kpt-fn/set-labels:v0.1
      configMap:
        app: foo
      name: PackageVariant.my-pv..1
`
	// What an entry has already stays where it is.
	updated := strings.Replace(added, "      configMap:\n        namespace: my-ns\n      name: PackageVariant.my-pv.my-func.0\n", "      name: PackageVariant.my-pv.my-func.0\n      configMap:\n        namespace: my-ns\n", 1)
	for _, tc := range []struct{ name, spec, before, want string }{
		{"no pipeline yet", two, "kind: Kptfile\n", "kind: Kptfile\npipeline:\n  mutators:\n" + added},
		{"in front of others", two, "pipeline: # p\n  mutators: # m\n    # first\n    - image: x # x\n      name: PackageVariant.other.a.0\n\n    # second\n    - exec: 'y'\n  validators:\n  - image: z\n",
			"pipeline: # p\n  mutators: # m\n" + added + "    # first\n    - image: x # x\n      name: PackageVariant.other.a.0\n\n    # second\n    - exec: 'y'\n  validators:\n  - image: z\n"},
		{"own ones that were moved and changed", two, "pipeline:\n  mutators:\n    - image: x\n    - image: old\n      name: PackageVariant.my-pv.my-func.0\n    # y\n    - exec: y\n    - image: old\n      name: PackageVariant.my-pv.more.7\n",
			"pipeline:\n  mutators:\n" + updated + "    - image: x\n    # y\n    - exec: y\n"},
		{"own ones where the first differs", two, "pipeline:\n  mutators:\n" + strings.Replace(added, "my-ns", "other", 1) + "    - image: x\n", "pipeline:\n  mutators:\n" + added + "    - image: x\n"},
		{"only own ones", two, "pipeline:\n  mutators:\n    - image: old\n      name: PackageVariant.my-pv.my-func.0\n", "pipeline:\n  mutators:\n" + updated},
		{"an empty list", two, "pipeline:\n  mutators: []\n", "pipeline:\n  mutators:\n" + added},
		{"a list of null", two, "pipeline:\n  mutators:\n", "pipeline:\n  mutators:\n" + added},
		{"the index restarts", "{mutators: [{exec: a}], validators: [{exec: b}, {exec: c, name: n}]}", "a: b\n",
			"a: b\npipeline:\n  mutators:\n    - exec: a\n      name: PackageVariant.my-pv..0\n  validators:\n    - exec: b\n      name: PackageVariant.my-pv..0\n    - exec: c\n      name: PackageVariant.my-pv.n.1\n"},
		{"none any more", "{}", "pipeline:\n  mutators:\n    - image: old\n      name: PackageVariant.my-pv.x.0\n    - image: x # x\n", "pipeline:\n  mutators:\n    - image: x # x\n"},
		{"a list that becomes empty", "{}", "pipeline:\n  mutators:\n    - image: old\n      name: PackageVariant.my-pv.x.0\n  validators:\n    - image: x\n", "pipeline:\n  validators:\n    - image: x\n"},
		{"nothing left", "{}", "kind: Kptfile\npipeline:\n  mutators:\n    - image: old\n      name: PackageVariant.my-pv.x.0\n", "kind: Kptfile\n"},
		{"something unknown left", "{}", "pipeline:\n  mutators:\n    - image: old\n      name: PackageVariant.my-pv.x.0\n  future: 1\n", "pipeline:\n  future: 1\n"},
		{"nothing was there", "{}", "pipeline: {}\n", "pipeline: {}\n"},
		{"compact lists", "{mutators: [{exec: a}]}", "pipeline:\n  mutators:\n  - image: x\n", "pipeline:\n  mutators:\n  - exec: a\n    name: PackageVariant.my-pv..0\n  - image: x\n"},
		{"flow style", "{mutators: [{exec: a}]}", "pipeline: {mutators: [{image: x}]}\n", "pipeline: {mutators: [{exec: a, name: PackageVariant.my-pv..0}, {image: x}]}\n"},
		{"other line breaks", "{mutators: [{exec: a}]}", "pipeline:\r\n  mutators:\r\n  - image: x\r\n", "pipeline:\r\n  mutators:\r\n  - exec: a\r\n    name: PackageVariant.my-pv..0\r\n  - image: x\r\n"},
		{"a pipeline in the middle", "{mutators: [{exec: a}]}", "pipeline:\n  mutators:\n    - image: x\ninventory: {}\n", "pipeline:\n  mutators:\n    - exec: a\n      name: PackageVariant.my-pv..0\n    - image: x\ninventory: {}\n"},
		{"text stays text", "{mutators: [{exec: a, configMap: {v: '1.30', w: 'yes', t: \"x\\ny\\n\"}}]}", "a: b\n",
			"a: b\npipeline:\n  mutators:\n    - exec: a\n      configMap:\n        t: |\n          x\n          y\n        v: \"1.30\"\n        w: \"yes\"\n      name: PackageVariant.my-pv..0\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := readValid(t, "  pipeline: "+tc.spec+"\n")
			v.Name = "my-pv"
			got, faults := v.ApplyPipeline(parse(t, tc.before))
			if faults != nil || got.Text() != tc.want {
				t.Fatalf("%v, got:\n%s\nwant:\n%s", faults, got.Text(), tc.want)
			}
			if again, faults := v.ApplyPipeline(got); faults != nil || again.Text() != tc.want {
				t.Errorf("again: %v\n%s", faults, again.Text())
			}
		})
	}
}

func TestPipelineOfDottedNames(t *testing.T) {
	v := readValid(t, "  pipeline: {mutators: [{exec: a, name: x}]}\n")
	d := parse(t, "kind: Kptfile\n")
	for range 2 {
		for _, v.Name = range []string{"a.b", "a"} {
			var faults []diag.Finding
			if d, faults = v.ApplyPipeline(d); faults != nil {
				t.Fatal(faults)
			}
		}
	}
	want := "kind: Kptfile\npipeline:\n  mutators:\n    - exec: a\n      name: PackageVariant.a.x.0\n    - exec: a\n      name: PackageVariant.a.b.x.0\n"
	alternate := "kind: Kptfile\npipeline:\n  mutators:\n    - exec: a\n      name: PackageVariant.a.b.x.0\n    - exec: a\n      name: PackageVariant.a.x.0\n"
	if got := d.Text(); got != want && got != alternate {
		t.Errorf("the entries are duplicated or lost:\n%s", got)
	}
}

func TestPipelineOfAnotherType(t *testing.T) {
	for text, path := range map[string]string{"pipeline: []\n": "pipeline", "pipeline: {mutators: {}}\n": "pipeline.mutators", "pipeline: {validators: x}\n": "pipeline.validators"} {
		_, faults := readValid(t, "  pipeline: {mutators: [{exec: a}]}\n").ApplyPipeline(parse(t, text))
		if len(faults) != 1 || faults[0].Key != path || faults[0].Kind != diag.KindGot || faults[0].Rule != rule.InputInvalid {
			t.Errorf("%q: %v", text, faults)
		}
	}
}
