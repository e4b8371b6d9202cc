package kptpackage

import (
	"strings"
	"testing"
)

// A Kptfile is read, or the error names what kpt refuses. Each function that is
// read has a place, and a name or a command.
func FuzzKptfile(f *testing.F) {
	const head = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
`
	for _, text := range []string{
		head + `pipeline:
  mutators:
  - image: example.com/a:v1@sha256:0
    configPath: a.yaml
    selectors: [{kind: A, resourceFileRegexp: '^(a+)+$'}]
  validators:
  - exec: "run 'a b' -c"
    configMap: {a: b}
    exclude: [{labels: {a: b}}]
`,
		head + `pipline: {}
info: []
`,
		head + "pipeline: {mutators: [{exec: a, configRef: {kind: A, name: b}}, null]}\n", head + "pipeline: &a {mutators: *a}\n",
		`apiVersion: kpt.dev/v1alpha2
kind: Kptfile
`,
		"a: [", "", "\x00", head + "<<: {a: b}\n", head + "metadata: {}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := ParseKptfile([]byte(text))
		if err != nil {
			if k != nil || err.Error() == "" {
				t.Errorf("got %v, %v", k, err)
			}
			return
		}
		for at, function := range k.Functions() {
			if k.At(at) == "" || !strings.HasPrefix(at, "pipeline.") {
				t.Errorf("%s has no place", at)
			}
			function.Program()
			function.Command()
		}
		for i := range k.Unknown {
			if k.Unknown[i].Message() == "" {
				t.Errorf("%s has no message", k.Unknown[i].Key)
			}
		}
	})
}
