package preset

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
)

// The comment is wrong if the values are those of another preset of the group that it names.
func TestJudgeComment(t *testing.T) {
	const presets = "presets:\n- {name: ha, group: Size, add: \"a: 2\\n\"}\n- {name: small, group: Size, add: \"a: 1\\n\"}\n- {name: tiny, group: Size, add: \"a: 1\\n\"}\n" +
		"- {name: s3, group: Store, add: \"s: 1\\n\"}\n- {name: on, add: \"a: 1\\n\"}\n- {name: no, group: X, add: \"x: 9\\n\"}\n"
	for _, tc := range []struct {
		comment, values string
		want            []string
	}{
		{"Size:ha", "a: 1\n", []string{`the comment names preset "Size:ha", but the values are those of preset "Size:small"`}},
		{"Size:small", "a: 1\n", nil},
		{"Size:small, Size:ha", "a: 2\n", []string{`the comment names preset "Size:small", but the values are those of preset "Size:ha"`}},
		{"Size:ha", "a: 3\n", nil},
		{"X:no", "a: 1\ns: 1\n", nil}, // none of its group is applied
		{"Size:ha, Store:s3", "a: 1\ns: 1\n", []string{`the comment names preset "Size:ha", but the values are those of preset "Size:small"`}},
		{"on", "a: 2\n", nil},
		{"Size:absent", "a: 1\n", nil},
	} {
		p := &pack.Pack{Name: "p", Values: pack.File("values.yaml", "# "+markerKey+" "+tc.comment+"\n"+tc.values), Presets: pack.File("presets.yaml", presets)}
		var got []string
		for _, f := range Check(p) {
			functiontest.Note(f.Rule.ID, f.Message())
			if got = append(got, f.Found); f.Position.Line != 1 {
				t.Errorf("%s: it is at line %d", tc.comment, f.Position.Line)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", tc.comment, diff)
		}
	}
	if got := Check(&pack.Pack{Name: "p", Presets: pack.File("presets.yaml", presets)}); got != nil {
		t.Errorf("without values: %v", got)
	}
}
