package preset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// P6: the marker is kept and rewritten, never added.
func TestMarker(t *testing.T) {
	const key = "# spectrocloud.com/enabled-presets:"
	ha := named("Size", "ha", change(t, "", "a: 2"))
	store := named("Object Store", "none", change(t, "", "s: 1"))
	bare := change(t, "", "a: 2")
	first := named("Size", "ha", change(t, "a", ""))
	for _, tc := range []struct {
		name, text, want string
		presets          []pack.Preset
	}{
		{"none is added", "a: 1\n", "a: 2\n", []pack.Preset{ha}},
		{"an empty one is filled", key + "\na: 1\n", key + " Size:ha\na: 2\n", []pack.Preset{ha}},
		{"an entry of the group is replaced in its place", key + " Size:small,Object Store:s3, X:y\na: 1\n", key + " Size:ha,Object Store:s3, X:y\na: 2\n", []pack.Preset{ha}},
		{"an entry is added after the others", key + " X:y\na: 1\n", key + " X:y,Size:ha\na: 2\n", []pack.Preset{ha}},
		{"one entry for a group", key + " Size:small, X:y, Size:big\na: 1\n", key + " Size:ha, X:y\na: 2\n", []pack.Preset{ha}},
		{"several presets", key + "\na: 1\n", key + " Size:ha,Object Store:none\na: 2\ns: 1\n", []pack.Preset{ha, store}},
		{"a preset without a group is not recorded", key + " X:y\na: 1\n", key + " X:y\na: 2\n", []pack.Preset{bare}},
		{"the values are right already, the marker is not", key + " Size:small\na: 2\n", key + " Size:ha\na: 2\n", []pack.Preset{ha}},
		{"both are right already", key + "  Size:ha ,X:y  \na: 2\n", key + "  Size:ha ,X:y  \na: 2\n", []pack.Preset{ha}},
		{"on a line that is not the first", "---\n# ours\n  " + key + "\n\na: 1\n", "---\n# ours\n  " + key + " Size:ha\n\na: 2\n", []pack.Preset{ha}},
		{"below the first key", "b:\n  " + key + "\n  c: 1\na: 1\n", "b:\n  " + key + " Size:ha\n  c: 1\na: 2\n", []pack.Preset{ha}},
		{"line breaks of Windows", key + " X:y\r\na: 1\r\n", key + " X:y,Size:ha\r\na: 2\r\n", []pack.Preset{ha}},
		{"in a text it is not a comment", "t: |\n  " + key + " Size:small\na: 1\n", "t: |\n  " + key + " Size:small\na: 2\n", []pack.Preset{ha}},
		{"in a text above the true one", "t: |\n  " + key + " Size:small\n" + key + "\na: 1\n", "t: |\n  " + key + " Size:small\n" + key + " Size:ha\na: 2\n", []pack.Preset{ha}},
		{"far from the top it is any comment", strings.Repeat("#\n", 30) + key + "\na: 1\n", strings.Repeat("#\n", 30) + key + "\na: 2\n", []pack.Preset{ha}},
		{"the last line that is near the top", strings.Repeat("#\n", 19) + key + "\na: 1\n", strings.Repeat("#\n", 19) + key + " Size:ha\na: 2\n", []pack.Preset{ha}},
		{"the first line that is not", strings.Repeat("#\n", 20) + key + "\na: 1\n", strings.Repeat("#\n", 20) + key + "\na: 2\n", []pack.Preset{ha}},
		{"above a key that is removed", key + " X:y\na: 1\nb: 2\n", key + " X:y,Size:ha\nb: 2\n", []pack.Preset{first}},
		{"above the only key, which is removed", "---\n" + key + " Size:ha\na: 1\n", "---\n" + key + " Size:ha\n{}\n", []pack.Preset{first}},
		{"below a comment of a key that is removed", "# ours\n" + key + "\na: 1\nb: 2\n", "# ours\n" + key + " Size:ha\nb: 2\n", []pack.Preset{first}},
		{"in a map that is removed, below the start of the document", "%YAML 1.1\n---\na:\n  " + key + "\n  c: 1\nb: 2\n", "%YAML 1.1\n---\n  " + key + " Size:ha\nb: 2\n", []pack.Preset{first}},
		{"in a map that is removed", "a:\n  " + key + "\n  c: 1\nb: 2\n", "  " + key + " Size:ha\nb: 2\n", []pack.Preset{first}},
		{"a name that the list cannot hold", key + " Size:small,X:y\na: 1\n", key + " X:y\na: 2\n", []pack.Preset{named("Size", "a, b", bare)}},
		{"groups with colons, the longer one first", key + " A:B:y,A:x\na: 1\n", key + " A:B:y,A:z\na: 2\n", []pack.Preset{named("A", "z", bare), named("A:B", "y", bare)}},
		{"a name of two lines", key + " Size:small,X:y\na: 1\n", key + " X:y\na: 2\n", []pack.Preset{named("Size", "a\nb", bare)}},
		{"groups with colons", key + " A:x,A:B:y\na: 1\n", key + " A:z,A:B:y\na: 2\n", []pack.Preset{named("A", "z", bare), named("A:B", "y", bare)}},
	} {
		t.Run(tc.name, func(t *testing.T) { checkApplied(t, tc.text, tc.want, tc.presets...) })
	}
}

// The marker of values that are part of a resource is among them.
func TestMarkerOfMapping(t *testing.T) {
	const comment = "  # spectrocloud.com/enabled-presets: Size:small\n"
	d := mustParse(t, "x:\n"+comment+"  y: 1\nvalues:\n"+comment+"  a: 1\n  b: 1\nz:\n"+comment+"  y: 1\n")
	for _, p := range []pack.Preset{named("Size", "ha", change(t, "", "b: 1")), named("Size", "ha", change(t, "a", "a: 1"))} {
		result, err := Target{Document: d, At: values.Keys("values")}.Apply(p)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(d.Text(), "values:\n"+comment, "values:\n"+strings.Replace(comment, "small", "ha", 1), 1)
		if diff := cmp.Diff(want, result.Text()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
