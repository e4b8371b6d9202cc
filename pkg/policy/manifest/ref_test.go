package manifest

import (
	"slices"
	"strings"
	"testing"
)

func TestPattern(t *testing.T) {
	for _, tc := range []struct {
		pattern, path string
		want          bool
	}{
		{"cap.type.aws.*", "cap.type.aws.auth", true},
		{"cap.type.aws.*", "cap.type.aws.auth.credentials", true},
		{"cap.type.aws.*", "cap.type.aws", false},
		{"cap.type.aws.*", "cap.type.aws2.auth", false},
		{"cap.type.aws.*", "cap.type.awsauth", false},
		{"cap.type.aws.*", "cap.type.aws.", false},
		{"cap.*", "cap.type.aws", true},
		{"cap.*", "cap", false},
		{"cap.type.aws", "cap.type.aws", true},
		{"cap.type.aws", "cap.type.aws.auth", false},
	} {
		p, findings := ParsePattern(tc.pattern)
		if findings != nil || p.Matches(tc.path) != tc.want {
			t.Errorf("%s matches %s: %v, %v", tc.pattern, tc.path, !tc.want, findings)
		}
	}
	for _, bad := range []string{"", "*", ".*", "cap.*.aws", "cap.ty*", "cap.*.*", "cap.type.**", "cap..aws", "cap.type.", ".cap", "cap type", "cap.tÿpe", strings.Repeat("a.", 600) + "a"} {
		if _, findings := ParsePattern(bad); findings == nil {
			t.Errorf("%.40q is accepted", bad)
		}
	}
}

func TestRevisions(t *testing.T) {
	for _, good := range []string{"0.1.0", "1.0.0", "10.20.30", "1.0.0-rc.1", "1.0.0+build.5", "1.0.0-a+b"} {
		if findings := CheckRevision(good); findings != nil {
			t.Errorf("%s: %v", good, findings)
		}
	}
	for _, bad := range []string{"v0.1.0", "0.1", "1", "01.0.0", "1.0.0-", "latest", "1.0.0 ", "0.1.*", "1.0.0-01"} {
		if CheckRevision(bad) == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	order := []string{"0.9.0", "0.10.0-rc.1", "0.10.0-rc.2", "0.10.0", "1.0.0+a", "1.0.0+b"}
	shuffled := []string{order[3], order[5], order[0], order[2], order[4], order[1]}
	slices.SortFunc(shuffled, CompareRevisions)
	if !slices.Equal(shuffled, order) {
		t.Errorf("got %s", shuffled)
	}
}
