package packfn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The values for Helm are those of each chart, and nothing is replaced without --force.
func TestExportHelm(t *testing.T) {
	dir := t.TempDir()
	pack := writeShop(t, dir, "1.0.0")
	writePlatform(t, dir, pack)
	packfn(t, dir, "export", "p", "--as", "helm", "--to", "d").want(t, 0, "d/shop: 2 new files of shop", "the manifests of the pack are not in a chart")
	values := filepath.Join(dir, "d/shop/web/values.yaml")
	text, err := os.ReadFile(values)
	if err != nil || !strings.Contains(string(text), "host: eu.example.com") {
		t.Errorf("%v %s", err, text)
	}
	packfn(t, dir, "export", "p", "--as", "helm", "--to", "d").want(t, 0, "d/shop: 0 new files of shop")
	write(t, values, "a: 1\n")
	packfn(t, dir, "export", "p", "--as", "helm", "--to", "d").want(t, 2, "d/shop/web/values.yaml is there already", "--force")
	packfn(t, dir, "export", "p", "--as", "helm", "--to", "d", "--force").want(t, 0, "d/shop: 1 new file of shop")
	packfn(t, dir, "export", "p", "--as", "helm").want(t, 2, "--to is missing")
	packfn(t, dir, "export", "p", "--as", "hlem", "--to", "d").want(t, 2, `--as: must be "packs", "helm" or "profile", got "hlem"`)
	packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "q", "--no-charts").want(t, 0)
	packfn(t, dir, "export", "q", "--as", "helm", "--to", "d").want(t, 2, "q has no packs with charts")
}
