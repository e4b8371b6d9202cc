package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// A field that is where Capact's own files have it names its place in a resource, and nothing is
// selected that may rest on it.
func TestHalfTranslated(t *testing.T) {
	const other = "path: cap.implementation.other, revision: 1.0.0, "
	implements := "implements: [{path: cap.interface.db, revision: 1.0.0}]"
	half := func(metadata, root, spec string) string {
		return join(dbInterface, resource("Implementation", "other", "{"+other+implements+"}"),
			"apiVersion: ocf.capact.io/v1alpha1\nkind: Implementation\n"+root+"metadata: {name: it"+metadata+"}\nspec: {"+spec+implements+"}\n")
	}
	const invalid, ignored = "error policy/invalid Implementation/it ", "warning policy/ignored-field Implementation/it "
	attributes := "{cap.attribute.x: {revision: 0.1.0}}"
	for name, tc := range map[string]struct {
		items, want string
	}{
		"attributes":           {half(", attributes: "+attributes, "", "path: cap.implementation.it, revision: 1.0.0, "), invalid + "metadata.attributes → spec.attributes"},
		"attributes twice":     {half(", attributes: "+attributes, "", "path: cap.implementation.it, revision: 1.0.0, attributes: "+attributes+", "), ignored + "metadata.attributes → "},
		"prefix":               {half(", prefix: cap.implementation", "", "revision: 1.0.0, "), invalid + "metadata.prefix → spec.path"},
		"prefix in spec":       {half("", "", "revision: 1.0.0, prefix: cap.implementation, "), invalid + "spec.prefix → spec.path"},
		"revision":             {half(", revision: 1.0.0", "", "path: cap.implementation.it, "), invalid + "metadata.revision → spec.revision"},
		"revision at the root": {half("", "revision: 1.0.0\n", "path: cap.implementation.it, "), invalid + "revision → spec.revision"},
		"rules": {join(dbInterface, resource("Implementation", "it", "{path: cap.implementation.it, revision: 1.0.0, "+implements+"}"), resource("Policy", "old", "{scope: ACTION, rules: [{interface: {path: cap.*}, oneOf: []}]}")),
			"error policy/invalid Policy/old spec.rules → spec.interface.rules"},
		"an instance": {join(dbInterface, resource("Implementation", "it", "{path: cap.implementation.it, revision: 1.0.0, "+implements+"}"),
			"apiVersion: ocf.capact.io/v1alpha1\nkind: TypeInstance\nmetadata: {name: x}\ntypeRef: {path: cap.type.x, revision: 0.1.0}\nspec: {id: x}\n"),
			"error policy/invalid TypeInstance/x typeRef → spec.typeRef"},
	} {
		output, outcome := functiontest.RunList(t, Function(), functiontest.List("", join(tc.items, policyOf("GLOBAL", rulesOf(anyRule)))))
		var got []string
		for _, f := range outcome.Findings {
			if f.Rule != rule.PolicySelected {
				_, to, _ := strings.Cut(strings.TrimPrefix(f.Action, "move it"), " ")
				if strings.HasPrefix(f.Action, "remove ") {
					to = ""
				}
				if _, after, ok := strings.Cut(f.Action, " as "); ok {
					to = "to " + after
				}
				got = append(got, fmt.Sprintf("%s %s %s %s → %s", f.Level(), f.Rule.ID, strings.ReplaceAll(f.Resource().String(), " ", "/"), f.Path(), strings.TrimPrefix(strings.Replace(to, "it", "", 1), "to ")))
			}
		}
		if made := len(selections(t, output)) == 1; strings.Join(got, "\n") != tc.want || made != strings.HasPrefix(tc.want, "warning") {
			t.Errorf("%s: got %q, want %q, and a selection: %v", name, got, tc.want, made)
		}
	}
}
