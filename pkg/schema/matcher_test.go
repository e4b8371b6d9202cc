package schema

import (
	"testing"
)

// textScalar and plainScalar are the two sorts of scalars: what YAML reads as a string, and
// the source text of anything else.
func textScalar(s string) Scalar  { return Scalar{Text: s, IsString: true} }
func plainScalar(s string) Scalar { return Scalar{Text: s} }

// TestMatchDoesNotAllocate: one placeholder checks a value without a trace,
// but for versions, which the semver package parses into an object.
func TestMatchDoesNotAllocate(t *testing.T) {
	for format, value := range map[string]string{
		"${string}": "a", "${string:/^a/}": "a", "${number}": "5", "${number:[1-10]}": "5", "${boolean}": "true",
		"${list:[A,B]}": "B", "${ipv4}": "10.0.0.1", "${input}": "a",
	} {
		f := mustFormat(t, format)
		if n := testing.AllocsPerRun(10, func() { f.Match(textScalar(value)) }); n > 0 {
			t.Errorf("%s: %v allocations", format, n)
		}
	}
}
