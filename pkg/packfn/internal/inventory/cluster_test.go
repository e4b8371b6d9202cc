package inventory

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/pack"
)

// packOf returns a pack with a pack.json and values.
func packOf(name, metadata, text string) *pack.Pack {
	return &pack.Pack{Name: name, Metadata: pack.File("pack.json", metadata), Values: pack.File("values.yaml", text)}
}

// Packs that ask for nothing get no facts.
func TestClusterOfNothing(t *testing.T) {
	if text, notes := new(Cluster).Text("c"); strings.Contains(text, "version: ") || strings.Contains(text, Unknown) || len(notes) > 0 {
		t.Errorf("got %q\n%s", notes, text)
	}
}
