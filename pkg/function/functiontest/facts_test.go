package functiontest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
)

func TestFacts(t *testing.T) {
	vault := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Namespace: "n", Name: "vault", File: "dir/a.yaml", Index: 2}
	embedded := &diag.Origin{Resource: vault, Field: "data[values.yaml]", Name: "values.yaml", Embedded: true}
	part := &diag.Origin{Resource: vault, Field: "spec.values", Name: "spec.values"}
	at := diag.Position{Line: 3, Column: 9}
	full := diag.Finding{What: diag.What{Hints: []string{"hint"}}, Wanted: diag.Wanted{Current: 5, Proposed: "a b"}, Pack: "p", Tags: map[string]string{"z": "1", "y": "", "x": `"`}, Mend: diag.Mend{Action: "do"}}
	warning := diag.Say("s")
	warning.Severity = diag.Warning
	for _, tc := range []struct {
		finding diag.Finding
		want    string
	}{
		{diag.Say("a sentence").Do("an action"), "error demo/rule"},
		{warning, "warning demo/rule"},
		{diag.Say("s").About(diag.Resource{Name: "a"}, ""), "error demo/rule a"},
		{diag.Say("s").About(diag.Resource{Kind: "Pack", Name: "a"}, "spec"), "error demo/rule Pack/a spec"},
		{diag.Say("s").In(embedded, "a.b", at), "error demo/rule ConfigMap/n/vault dir/a.yaml#2 data[values.yaml] key=a.b at=3:9"},
		{diag.Say("s").In(part, "a.b", at), "error demo/rule ConfigMap/n/vault dir/a.yaml#2 spec.values.a.b key=a.b"},
		{diag.Got("a string", "a list"), `error demo/rule got="a string" want="a list"`},
		{diag.GotName("aplha", []string{"alpha"}), `error demo/rule got="\"aplha\"" want=alpha near=alpha`},
		{diag.Missing(""), "error demo/rule missing="},
		{diag.Missing("null"), "error demo/rule missing=null"},
		{diag.Unknown("field", "b", nil), `error demo/rule unknown="field \"b\""`},
		{diag.NotFound("pack", "b", []string{"c"}), `error demo/rule no="pack named \"b\"" want=c`},
		{diag.Duplicate(diag.Position{Line: 1, Column: 2}, at), "error demo/rule duplicate-of=1:2"},
		{diag.Unreadable(errors.New("because")), "error demo/rule"},
		{full, `error demo/rule now=5 propose="a b" pack=p x="\"" z=1`},
	} {
		if diff := cmp.Diff([]string{tc.want}, Facts([]diag.Finding{tc.finding.Of(rule)})); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if got := Facts(nil); got != nil {
		t.Errorf("got %q of nothing", got)
	}
}
