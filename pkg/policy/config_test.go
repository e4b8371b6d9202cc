package policy

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for _, good := range []string{"a", "db-1", "a.b-c", "0", strings.Repeat("a", 253)} {
		if findings := checkName(good); findings != nil {
			t.Error(findings)
		}
	}
	for _, bad := range []string{"A", "a_b", "-a", "a-", "a.", ".a", "a..b", "a-.b", "a.-b", "a b", "ä", "../a", strings.Repeat("a", 254)} {
		if checkName(bad) == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
