package staging

import (
	"strings"
	"testing"
)

// An error names the file that was to be written, and not the one that is written before it is renamed.
func TestNamed(t *testing.T) {
	var area Area
	err := area.Write(t.Context(), []Change{{Path: "/proc/a.yaml", Text: []byte("b")}}) // where nobody can write
	if err == nil || !strings.HasPrefix(err.Error(), "/proc/a.yaml cannot be written: ") || strings.Contains(err.Error(), Suffix) {
		t.Errorf("got %v", err)
	}
}
