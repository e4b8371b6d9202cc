package jsonschema

import (
	"strings"
	"testing"
)

// Numbers are read exactly, in the notations of YAML and JSON.
func TestParseNumber(t *testing.T) {
	for _, tc := range []struct{ source, want string }{
		{"0", "0"}, {"-0", "0"}, {"-0.0", "0"}, {"+12", "12"}, {"017", "15"}, {"0o17", "15"}, {"0x1F", "31"}, {"-0b11", "-3"}, {"1_000", "1000"},
		{"1.50", "3/2"}, {".5", "1/2"}, {"5.", "5"}, {"010.5", "21/2"}, {"1e3", "1000"}, {"1.5E-1", "3/20"}, {"1e+2", "100"}, {"-2.5e1", "-25"},
		{"123456789012345678901234567890.1", "1234567890123456789012345678901/10"},
		{"1" + strings.Repeat("0", 999), "1" + strings.Repeat("0", 999)},
		{"1" + strings.Repeat("0", 1000), ""}, {"1e400", "1" + strings.Repeat("0", 400)}, {"1e401", ""}, {"1e-401", ""}, {"1e99999999999999999999", ""},
		{"", ""}, {".inf", ""}, {"-.Inf", ""}, {".nan", ""}, {"1/2", ""}, {"1e", ""}, {"e5", ""}, {"--1", ""}, {"1.2.3", ""}, {"0x", ""}, {"0x1p4", ""},
	} {
		got := ""
		if n, ok := parseNumber(tc.source); ok {
			got = n.RatString()
		}
		if got != tc.want {
			t.Errorf("%q: got %q, want %q", tc.source, got, tc.want)
		}
	}
}
