// Package draws sets how many inputs the property tests of a test program draw: 20, or as many
// as RAPID_CHECKS says. Packages with such tests import it for this effect.
package draws

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // defines the flag
)

func init() {
	if os.Getenv("RAPID_CHECKS") != "" {
		return // rapid reads it
	}
	if err := flag.Set("rapid.checks", "20"); err != nil {
		panic(err)
	}
}
