// Package draws sets how many inputs the property tests of a test program draw: 20, or as many
// as RAPID_CHECKS says. Packages with such tests import it.
package draws

import (
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"
)

const (
	checks = "rapid.checks"
	seed   = "rapid.seed"
)

// init makes tests of package rapid draw 20 times, unless the user names another number in
// RAPID_CHECKS.
func init() {
	if !isChosen() {
		set(checks, "20")
	}
}

// isChosen reports whether the user says how many inputs are drawn. Then rapid reads it.
func isChosen() bool { return os.Getenv("RAPID_CHECKS") != "" }

func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		panic(err)
	}
}

// Same is rapid.Check over the same 100 inputs in each run: for a test that says how many of
// its inputs are of a kind. With RAPID_CHECKS it draws as many others. The test must not be
// parallel to others.
func Same(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	if !isChosen() {
		drawn := "100"
		if testing.Short() {
			drawn = "500" // rapid draws a fifth of them
		}
		for name, value := range map[string]string{checks: drawn, seed: "1"} {
			before := flag.Lookup(name).Value.String()
			set(name, value)
			defer set(name, before)
		}
	}
	rapid.Check(t, property)
}
