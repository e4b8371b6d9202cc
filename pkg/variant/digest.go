package variant

import (
	"crypto/sha256"
	"encoding/hex"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// digest returns the first 12 hex digits of the SHA-256 of a value as canonical JSON. It
// does not depend on how the value is written.
func digest(n *yaml.Node) string {
	text, _ := values.JSON(n)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:12]
}
