package preset

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
)

// A preset is taken out of the record and of the comment. The values stay.
func TestUndo(t *testing.T) {
	const values = "  values.yaml: |\n    # " + markerKey + " size:ha, other:x\n    replicas: 3\n    a: 1\n"
	for _, tc := range []struct {
		record, want string
		stay         string
	}{
		{`["size:ha",":many"]`, `    packs.kpt.dev/applied-presets: '[":many"]'`, "replicas"},
		{`["size:ha@0123456789ab@1"]`, "", "replicas"},
	} {
		text := strings.Replace(vault, "name: vault-1\n", "name: vault-1\n  annotations:\n    x: y\n    packs.kpt.dev/applied-presets: '"+tc.record+"'\n    packs.kpt.dev/preset-leaves: '{}'\n", 1) + values
		item := list.FileItems([]byte(text), "vault.yaml")[0]
		p := packsOf(item)[0]
		presets, _ := p.ReadPresets()
		stay, err := Undo(p.Values, presets[0])
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(vault, "name: vault-1\n", "name: vault-1\n  annotations:\n    x: y\n"+strings.TrimSuffix(tc.want+"\n", "\n\n"), 1) + strings.Replace(values, "size:ha, other:x", "other:x", 1)
		if tc.want == "" {
			want = strings.Replace(want, "    x: y\n\n", "    x: y\n", 1)
		}
		if got := string(item.Text()); got != want || strings.Join(stay, " ") != tc.stay {
			t.Errorf("%q stay:\n%s\nwant\n%s", stay, got, want)
		}
		if _, err := Undo(packsOf(list.FileItems(item.Text(), "vault.yaml")...)[0].Values, presets[0]); err == nil {
			t.Error("it is taken back twice")
		}
	}
}

// packsOf reads packs without a run of the function.
func packsOf(items ...*list.Item) []*pack.Pack {
	reader := &packReader{}
	function.Evaluate(function.Function{Name: "read", New: func() function.Processor { return reader }}, &list.List{Items: items})
	return reader.set.Packs
}

type packReader struct{ set *pack.Set }

func (r *packReader) Config() any                { return &struct{}{} }
func (r *packReader) Wants(item *list.Item) bool { return pack.Wants(item) }
func (r *packReader) Process(run *function.Run)  { r.set = pack.Load(run, pack.Choice{}) }
