package pack

import "testing"

// The record of an import is read as it is written.
func FuzzImported(f *testing.F) {
	for _, text := range []string{`{"version":"1","sha256":{"values.yaml":"0"},"presets":{"a.b":"1"}}`, `{"values":"x"}`, `{"sha256":[]}`, "{}", "null", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := ParseImported(text)
		if !ok {
			return
		}
		if again, ok := ParseImported(r.String()); !ok || !again.Equal(r) || again.String() != r.String() {
			t.Errorf("%q is %q", text, r.String())
		}
	})
}
