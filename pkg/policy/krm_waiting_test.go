package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// While a policy or a manifest waits for its content, nothing is selected, selections of an
// earlier run stay, and what is wrong with the others is reported.
func TestWaiting(t *testing.T) {
	const (
		kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
		tried   = kptfile + "status: {conditions: [{type: config.injection.Policy.global, status: \"False\"}]}\n"
		field   = " metadata.annotations[kpt.dev/config-injection]"
	)
	point := func(resource string) string {
		text, _, _ := strings.Cut(resource, "spec:")
		return strings.Replace(text, "metadata:\n", "metadata:\n  annotations: {kpt.dev/config-injection: required}\n", 1) + "spec: {}\n"
	}
	db := implementation("db", "")
	policy := policyOf("GLOBAL", rulesOf(anyRule))
	earlier, _ := functiontest.Evaluate(t, Function(), functiontest.List("", join(dbInterface, db, policy)))
	selection := functiontest.Documents(earlier)
	selection = selection[strings.LastIndex(selection, "---\n")+len("---\n"):]
	for _, tc := range []struct {
		name, documents string
		want            []string
	}{
		{"a policy", join(kptfile, dbInterface, db, point(policy)), []string{"info policy/waiting Policy/global" + field}},
		{"a TypeInstance", join(kptfile, dbInterface, db, policy, point(instance("i", "cap.type.a"))), []string{"info policy/waiting TypeInstance/i" + field}},
		{"several", join(kptfile, point(dbInterface), point(db), policy, point(instance("i", "cap.type.a"))), []string{"info policy/waiting Implementation/db" + field}},
		{"two", join(kptfile, dbInterface, point(db), policy, point(instance("i", "cap.type.a"))), []string{"info policy/waiting Implementation/db" + field}},
		{"an earlier selection stays", join(kptfile, dbInterface, db, point(policy), selection), []string{"info policy/waiting Policy/global" + field}},
		{"what is wrong with others", join(kptfile, dbInterface, db, policyOf("ACTION", ""), strings.Replace(policyOf("ACTION", ""), "name: action", "name: again", 1), point(policy), resource("Type", "bad", "{path: cap.type.bad, revision: x}")), []string{
			"error policy/invalid Policy/again spec.scope",
			"info policy/waiting Policy/global" + field,
			`error policy/invalid Type/bad spec.revision got="\"x\"" want="a semantic version such as \"0.1.0\""`,
		}},
		{"nothing was injected", join(tried, dbInterface, db, point(policy)), []string{"error policy/invalid Policy/global spec.scope missing="}},
		{"the Kptfile is hidden", join(dbInterface, db, point(policy)), []string{"info policy/waiting Policy/global" + field, "error policy/invalid Policy/global spec.scope missing="}},
		{"a ClusterContext is of no interest", join(kptfile, "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c, annotations: {kpt.dev/config-injection: required}}\nspec: {}\n"), []string{"info nothing-to-do"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := functiontest.List("", tc.documents)
			output, facts := evaluate(t, text)
			if diff := cmp.Diff(tc.want, facts); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if given, _, _ := strings.Cut(output, "\nresults:"); !strings.HasPrefix(text, given) {
				t.Errorf("the list was changed:\n%s", output)
			}
		})
	}
}
