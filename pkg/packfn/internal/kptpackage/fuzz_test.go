package kptpackage

import (
	"strings"
	"testing"
)

// A Kptfile is read, or the error says what kpt refuses. What is read has places, names and
// commands.
func FuzzKptfile(f *testing.F) {
	const head = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"
	for _, text := range []string{
		head + "pipeline:\n  mutators:\n  - image: example.com/a:v1@sha256:0\n    configPath: a.yaml\n    selectors: [{kind: A, resourceFileRegexp: '^(a+)+$'}]\n  validators:\n  - exec: \"run 'a b' -c\"\n    configMap: {a: b}\n    exclude: [{labels: {a: b}}]\n",
		head + "pipline: {}\ninfo: []\n", head + "pipeline: {mutators: [{exec: a, configRef: {kind: A, name: b}}, null]}\n", head + "pipeline: &a {mutators: *a}\n",
		"apiVersion: kpt.dev/v1alpha2\nkind: Kptfile\n", "a: [", "", "\x00", head + "<<: {a: b}\n", head + "metadata: {}\n",
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
