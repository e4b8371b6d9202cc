package policy

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
		p, err := ParsePattern(tc.pattern)
		if err != nil || p.Matches(tc.path) != tc.want {
			t.Errorf("%s matches %s: %v, %v", tc.pattern, tc.path, !tc.want, err)
		}
	}
	for _, bad := range []string{"", "*", ".*", "cap.*.aws", "cap.ty*", "cap.*.*", "cap.type.**", "cap..aws", "cap.type.", ".cap", "cap type", "cap.tÿpe", strings.Repeat("a.", 600) + "a"} {
		if _, err := ParsePattern(bad); err == nil {
			t.Errorf("%.40q is accepted", bad)
		}
	}
}

func TestRevisions(t *testing.T) {
	for _, good := range []string{"0.1.0", "1.0.0", "10.20.30", "1.0.0-rc.1", "1.0.0+build.5", "1.0.0-a+b"} {
		if message := checkRevision(good); message != "" {
			t.Errorf("%s: %s", good, message)
		}
	}
	for _, bad := range []string{"v0.1.0", "0.1", "1", "01.0.0", "1.0.0-", "latest", "1.0.0 ", "0.1.*", "1.0.0-01"} {
		if checkRevision(bad) == "" {
			t.Errorf("%q is accepted", bad)
		}
	}
	order := []string{"0.9.0", "0.10.0-rc.1", "0.10.0-rc.2", "0.10.0", "1.0.0+a", "1.0.0+b"}
	shuffled := []string{order[3], order[5], order[0], order[2], order[4], order[1]}
	slices.SortFunc(shuffled, compareRevisions)
	if !slices.Equal(shuffled, order) {
		t.Errorf("got %s", shuffled)
	}
}

func TestNames(t *testing.T) {
	for _, good := range []string{"a", "db-1", "a.b-c", "0", strings.Repeat("a", 253)} {
		if message := checkName(good); message != "" {
			t.Error(message)
		}
	}
	for _, bad := range []string{"", "A", "a_b", "-a", "a-", "a.", ".a", "a..b", "a-.b", "a.-b", "a b", "ä", "../a", strings.Repeat("a", 254)} {
		if checkName(bad) == "" {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// Paths are near when one node is a slip, and not because they begin alike.
func TestNearestPath(t *testing.T) {
	known := []string{"cap.attribute.cloud.provider.aws", "cap.interface.database.postgresql.install"}
	for path, want := range map[string]string{
		"cap.interface.database.postgresql.instal": known[1],
		"cap.interface.database.postgres.install":  known[1],
		"cap.interface.databasepostgresql.install": known[1],
		"cap.attribute.cloud.provider.gcp":         "",
		"cap.attribute.cloud.provider.awz":         known[0],
		"cap.attribute.clud.provider.aws":          known[0],
		"cap.attribute.clud.providr.aws":           "",
		"cap.interface.database.mysql.install":     "",
		known[0]:                                   "",
	} {
		if got := nearestPath(path, known); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}
