package values

import (
	"bytes"
	"errors"

	"go.yaml.in/yaml/v3"
)

// Print returns a value as clients print resources: indented by two, with the dashes of a
// list in the column of its key. A tree is printed with the comments of its texts.
func Print(v any) ([]byte, error) {
	if n, ok := v.(*yaml.Node); ok {
		v = WithComments(n)
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	err := errors.Join(encoder.Encode(v), encoder.Close())
	return b.Bytes(), err
}
