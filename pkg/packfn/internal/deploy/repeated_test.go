package deploy

import (
	"strings"
	"testing"
)

// A secret is hidden where it is the same as a text that a template has, or as a word of Helm.
func TestSecretThatIsWritten(t *testing.T) {
	for name, tc := range map[string]struct{ password, template string }{
		"a text of the template": {"hunter two", `{{ $known := "hunter two" }}{{ fail (printf "the password is %s" .Values.password) }}`},
		"a word of Helm":         {"reflect.Value", `{{ include .Values.password . }}`},
	} {
		r := render(t, Cluster{}, "values.yaml", "charts:\n  web:\n    password: "+tc.password+"\n", "charts/web/templates/a.yaml", tc.template)
		if got := said(r); len(got) != 1 || strings.Contains(got[0], tc.password) || !strings.Contains(got[0], "•••") {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
