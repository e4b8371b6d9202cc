package capacity

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestParseQuantity(t *testing.T) {
	const far = "got a number that is far beyond any machine"
	for _, tc := range []struct {
		text, want, err, proposed string
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
		{"", "", "got text of 0 characters", ""},
		{"-", "", "got text of 1 character", ""}, // Kubernetes takes it for 0
		{".", "", "got text of 1 character", ""},
		{"many", "", "got text of 4 characters", ""},
		{"1..5", "", "got text of 4 characters that starts with a number", ""},
		{"0x10", "", "got text of 4 characters that starts with a number", ""},
		{"12345secret", "", "got text of 11 characters that starts with a number", ""},
		{"2GB", "", `got a number and "GB", which is no unit of Kubernetes`, "2G"},
		{"2gib", "", `got a number and "gib", which is no unit of Kubernetes`, "2Gi"},
		{" 500m\n", "", "got a quantity with blanks around it", "500m"},
		{" hunter2 ", "", "got text of 9 characters", ""},
		{"500 m", "", `got a number and " m", which is no unit of Kubernetes`, "500m"},
		{"2 cores", "", `got a number and " cores", which is no unit of Kubernetes`, "2"},
	} {
		start := time.Now()
		got, err := ParseQuantity(tc.text)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q took %s", tc.text, took)
		}
		var wrong *QuantityError
		switch {
		case tc.err == "" && err == nil:
			if CPU.Text(got) != tc.want {
				t.Errorf("%q: got %s, want %s", tc.text, CPU.Text(got), tc.want)
			}
		case tc.err == "" || !errors.As(err, &wrong) || wrong.Error() != tc.err || wrong.Proposed != tc.proposed:
			t.Errorf("%q: got %v %+v, want %s, proposing %q", tc.text, got, err, tc.err, tc.proposed)
		}
	}
}
