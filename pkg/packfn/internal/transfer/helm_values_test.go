package transfer

import (
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// The values of a chart are the same when they are read again, without aliases.
func FuzzHelmValues(f *testing.F) {
	for _, text := range []string{
		"a: {b: 1}\n",
		`x: &x {a: yes}
a: {<<: *x, b: *x, c: [*x]} # c
`,
		`a:
  # h
  b: |
    t

  c: "1"
# f
`,
		"a: {? [1] : 2}\n", "a: !t {b: !!str 1}\n", "a: 1\n", "a: {b: , ? [1], c: []}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		document, err := values.Parse(text)
		if err != nil {
			return
		}
		n := values.Field(document.Root(), "a")
		printed, _, err := helmValues(n)
		if err != nil {
			return
		}
		again, err := values.Parse(string(printed))
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", text, printed, err)
		}
		if !values.IsNull(n) && !values.Equal(n, again.Root()) {
			t.Errorf("%q is printed as %q", text, printed)
		}
	})
}
