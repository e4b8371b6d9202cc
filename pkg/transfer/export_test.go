package transfer

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/list"
)

// Files whose names are one on some systems, or that some cannot have, are not exported.
func TestFileNames(t *testing.T) {
	for data, want := range map[string]string{
		"values.yaml: a, VALUES.yaml: b": "data[values.yaml] and data[VALUES.yaml] are one file", "con.yaml: a": "Windows has a device", "a.: b": "want a name of a file", "values.yaml: a, other.yaml: b": "",
	} {
		item := list.FileItems([]byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata: {pack.json: '{\"name\": \"p\"}', "+data+"}\n"), "a.yaml")[0]
		document, err := item.Document()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := export(item, document); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", data, err)
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
