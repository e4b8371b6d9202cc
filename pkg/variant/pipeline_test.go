package variant

import (
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
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
	want := `kind: Kptfile
pipeline:
  mutators:
    - exec: a
      name: PackageVariant.a.x.0
    - exec: a
      name: PackageVariant.a.b.x.0
`
	alternate := `kind: Kptfile
pipeline:
  mutators:
    - exec: a
      name: PackageVariant.a.b.x.0
    - exec: a
      name: PackageVariant.a.x.0
`
	if got := d.Text(); got != want && got != alternate {
		t.Errorf("the entries are duplicated or lost:\n%s", got)
	}
}
