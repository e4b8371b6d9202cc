package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// The path and the revision of each kind of manifest are checked.
func TestReadIdentity(t *testing.T) {
	document, err := values.Parse(`spec:
  path: a b
  revision: one
`)
	if err != nil {
		t.Fatal(err)
	}
	_, ofInterface := ReadInterface(diag.Resource{}, document.Root())
	_, ofImplementation := ReadImplementation(diag.Resource{}, document.Root())
	for kind, findings := range map[string][]diag.Finding{"Interface": ofInterface, "Implementation": ofImplementation} {
		var got []string
		for _, f := range findings {
			got = append(got, f.Path())
		}
		if diff := cmp.Diff([]string{"spec.path", "spec.revision"}, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", kind, diff)
		}
	}
}
