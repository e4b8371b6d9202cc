package decode_test

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/values"
)

type resource[S any] struct {
	Metadata *yaml.Node `json:"metadata"`
	Spec     S          `json:"spec" required:"true"`
}

// A resource without spec is one fault, with its fields beside spec or in metadata. Other
// fields that it does not have are faults of their own.
func TestMissingSpec(t *testing.T) {
	type spec struct {
		Size  int    `json:"size"`
		Color string `json:"color"`
	}
	for _, tc := range []struct{ name, text, typed, any string }{
		{
			"beside it",
			`metadata: {name: a}
size: 1
color: red
`,
			"spec 2:1 indent size and color below it", "spec 2:1 indent size and color below it",
		},
		{
			"in metadata",
			`metadata:
  name: a
  size: 1
  color: red
`,
			"spec 3:3 write spec: in the line before size and color, which metadata has now", "spec 3:3 write spec: in the line before size and color, which metadata has now",
		},
		{"nowhere", "metadata: {name: a}\n", "spec 1:1 set it", "spec 1:1 set it"},
		{
			"misspelt",
			`metadata: {name: a}
spce: {size: 1}
`,
			"spce 2:1, spec 1:1 set it", "spce 2:1, spec 1:1 set it",
		},
		{
			"empty",
			`metadata: {name: a}
spec:
size: 1
`,
			"size 3:1, spec 2:6 set it", "size 3:1, spec 2:6 set it",
		},
		{
			"beside it, with another field",
			`metadata: {name: a}
size: 1
shape: round
`,
			"spec 2:1 indent size below it, shape 3:1", "spec 2:1 indent size and shape below it",
		},
		{
			"beside it and in metadata",
			`metadata: {name: a, color: red}
size: 1
`,
			"spec 2:1 indent size below it", "spec 2:1 indent size below it",
		},
		{
			"beside it, metadata that is none",
			`metadata: text
size: 1
`,
			"spec 2:1 indent size below it", "spec 2:1 indent size below it",
		},
		{"in metadata that is misspelt", "metadata: {nmae: a, size: 1}\n", "spec 1:21 write spec: in the line before size, which metadata has now", "spec 1:21 write spec: in the line before size, which metadata has now"},
		{
			"a misspelt field beside it",
			`metadata: {name: a}
size: 1
metadta: {}
`,
			"spec 2:1 indent size below it, metadta 3:1", "spec 2:1 indent size below it, metadta 3:1",
		},
	} {
		document, err := values.Parse(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		for out, want := range map[any]string{&resource[spec]{}: tc.typed, &resource[*spec]{}: tc.typed, &resource[*yaml.Node]{}: tc.any} {
			var got []string
			for _, f := range decode.Node(document.Root(), "", out) {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s %d:%d %s", f.Key, f.Position.Line, f.Position.Column, f.Action)))
			}
			if got := strings.Join(got, ", "); got != want {
				t.Errorf("%s, %T: got %q, want %q", tc.name, out, got, want)
			}
		}
	}
}
