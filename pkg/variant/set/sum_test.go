package set

import (
	"crypto/sha1"
	"fmt"
)

// sum8 is the first 8 digits of a SHA-1.
func sum8(text string) string { return fmt.Sprintf("%x", sha1.Sum([]byte(text)))[:8] }
