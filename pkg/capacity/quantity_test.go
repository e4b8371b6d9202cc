package capacity

import (
	"strings"
	"testing"
)

func TestParseQuantity(t *testing.T) {
	const far = "a number that is out of range"
	for _, tc := range []struct {
		text, want, fault, proposal string
	}{
		{"100m", "100m", "", ""},
		{"1.5", "1500m", "", ""},
		{"+2", "2000m", "", ""},
		{"-2", "-2000m", "", ""},
		{".5", "500m", "", ""},
		{"1e3", "1000000m", "", ""},
		{"12E-3", "12m", "", ""},
		{"1e9", "1000000000000m", "", ""},
		{"0.0000000001", "1n", "", ""}, // rounded up, as Kubernetes does
		{"1.000000000000", "1000m", "", ""},
		{"1e999999999", "", far, ""},
		{"1e-999999999", "", far, ""},
		{"1e4294967296", "", far, ""}, // which wraps to 1e0 in 32 bits
		{"1e41", "", far, ""},
		{"1e-41", "", far, ""},
		{"1e-40", "1n", "", ""},
		{"0." + strings.Repeat("0", 70) + "1", "", far, ""},
		{strings.Repeat("7", 1<<20), "", far, ""},
		{"1e40", "", far, ""},
		{"8Ei", "", far, ""}, // Kubernetes would take it for 2⁶³−1
		{"9223372036854775807", "", far, ""},
		{"9223372036854775806", "9223372036854775806000m", "", ""},
		{strings.Repeat("1", 65), "", far, ""},
		{strings.Repeat("0", 63) + "1", "1000m", "", ""},
		{"", "", "a string of 0 characters", ""},
		{"-", "", "a string of 1 character", ""}, // Kubernetes takes it for 0
		{".", "", "a string of 1 character", ""},
		{"many", "", "a string of 4 characters", ""},
		{"1..5", "", "a string of 4 characters", ""},
		{"0x10", "", "a string of 4 characters", ""},
		{"12345secret", "", "a string of 11 characters", ""},
		{"2GB", "", `a number with the unit "GB"`, "2G"},
		{"2gib", "", `a number with the unit "gib"`, "2Gi"},
		{" 500m\n", "", "a quantity with whitespace around it", "500m"},
		{" hunter2 ", "", "a string of 9 characters", ""},
		{"500 m", "", `a number with the unit " m"`, "500m"},
		{"2 cores", "", `a number with the unit " cores"`, "2"},
	} {
		if kilobytes := allocated(func() { parseQuantity(tc.text) }) >> 10; kilobytes > 64 {
			t.Errorf("%.20q takes %d KB", tc.text, kilobytes)
		}
		got, fault := parseQuantity(tc.text)
		if fault == nil {
			fault = &quantityFault{}
		}
		text := ""
		if tc.want != "" {
			text = CPU.Text(got)
		}
		if text != tc.want || fault.found != tc.fault || fault.proposal != tc.proposal {
			t.Errorf("%q: got %s %+v, want %s %s %s", tc.text, text, fault, tc.want, tc.fault, tc.proposal)
		}
	}
}

// A proposed quantity makes sense for the type, and is not suspicious itself.
func TestProposals(t *testing.T) {
	for _, tc := range []struct {
		of                Type
		text              string
		ofRequest, ofNode string
	}{
		{CPU, "1mi", "1m", "1m"}, {CPU, "500MB", "500m", "500m"}, {CPU, "1K", "", ""}, {CPU, "2gb", "", ""}, {CPU, "500 bytes", "", ""},
		{CPU, "4 vCPU", "4", "4"}, {CPU, "500 cores", "500", "500"}, {CPU, "4000", "4000m", "4000m"}, {CPU, "1999", "1999m", ""}, {CPU, "99", "", ""}, {CPU, "100", "100m", ""}, {CPU, "2000", "2000m", "2000m"}, {CPU, "2000000m", "", ""}, {CPU, "-5 m", "", ""},
		{Memory, "2GB", "2G", "2G"}, {Memory, "512 m", "512Mi", "512Mi"}, {Memory, "3 cores", "", ""}, {Memory, "2gi", "2Gi", "2Gi"}, {Memory, "512 bytes", "512", "512"}, {Memory, "-5GB", "", ""},
		{Memory, "2", "2Gi", "2Gi"}, {Memory, "15.5", "15.5Gi", "15.5Gi"}, {Memory, "16", "16Mi", "16Gi"}, {Memory, "999", "999Mi", "999Gi"}, {Memory, "1000", "1000Mi", "1000Mi"},
		{Memory, "0GB", "0G", "0G"}, {Memory, "100Ki", "", ""}, {Memory, "1048575", "1048575Mi", "1048575Mi"}, {Memory, "1048576", "", ""},
		{DiskSize, "10", "10G", "10G"}, {DiskSize, "2000", "2000G", "2000G"}, {DiskSize, "10gb", "10G", "10G"}, {DiskSize, "256m", "", ""},
		{"", "2GB", "", ""}, {"", "256m", "", ""},
	} {
		for ofNode, want := range map[bool]string{false: tc.ofRequest, true: tc.ofNode} {
			_, f := tc.of.read(tc.text, ofNode)
			got := ""
			if f != nil {
				got = f.Nearest
			}
			if got != want {
				t.Errorf("%s %q, of a node %t: got %q, want %q", tc.of, tc.text, ofNode, got, want)
			}
		}
	}
}

// Numbers of replicas have no unit, and an exponent of any length.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{"3": "", "1e3": "", "1E99999999999999999999": "a number that is out of range", "3k": "a string of 2 characters", "1e": "a string of 2 characters", "1e3k": "a string of 4 characters"} {
		got := ""
		if _, fault := parseNumber(text); fault != nil {
			got = fault.found
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
