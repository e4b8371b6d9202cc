package transfer

import (
	"path/filepath"
	"strings"
	"testing"
)

// The line that makes kpt quote a text is counted from 1.
func TestQuotedLine(t *testing.T) {
	for text, want := range map[string]int{"a\nb \nc\n": 2, "a\r\nb\n": 1, "a\nb\x01\n": 2, "a\n": 0} {
		if got, why := quotedLine(text); got != want || (why == "") != (want == 0) {
			t.Errorf("%q: got %d, %q", text, got, why)
		}
	}
}

// Packs whose directories are one on some systems are not exported beside each other.
func TestTwins(t *testing.T) {
	packs := func(names ...string) (all []Exported) {
		for _, name := range names {
			all = append(all, Exported{Name: name, Pack: "p-" + name})
		}
		return all
	}
	to := filepath.Join(t.TempDir(), "out")
	for _, names := range [][]string{{"redis", "Redis"}, {"redis", "vault", "redis"}, {"É", "é"}} {
		if _, err := Export(to, packs(names...), false); err == nil || !strings.Contains(err.Error(), "rename one") || !strings.Contains(err.Error(), names[0]) {
			t.Errorf("%q: %v", names, err)
		}
	}
	if _, err := Export(to, packs("redis", "vault"), false); err != nil {
		t.Error(err)
	}
}
