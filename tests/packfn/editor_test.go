package packfn

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Neovim shows the findings of a file at their places, and applies the fixes.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		if os.Getenv("REQUIRE_NEOVIM") != "" {
			t.Fatal(err)
		}
		t.Skip("there is no nvim on PATH: packfn lsp is not tried in an editor")
	}
	dir := t.TempDir()
	packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "platform", "--kptfile", "--exec").want(t, 0)
	site := "apiVersion: packs.kpt.dev/v1alpha1\r\nkind: PackValues\r\nmetadata:\r\n  name: sïte # 😀\r\n  annotations:\r\n    config.kubernetes.io/local-config: \"true\"\r\n" +
		"spec:\r\n  packRef: { name: valt }\r\n  values: {}\r\n"
	write(t, filepath.Join(dir, "platform/site.yaml"), site)
	for name, value := range map[string]string{
		"OUT": filepath.Join(dir, "out"), "FILE": "platform/site.yaml", "PACKFN": program, "HOME": dir,
		"XDG_CONFIG_HOME": dir, "XDG_DATA_HOME": dir, "XDG_STATE_HOME": dir, "XDG_CACHE_HOME": dir,
	} {
		t.Setenv(name, value)
	}
	got := run(t, dir, "", nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", filepath.Join(root, "tests/packfn/testdata/editor.lua"))
	text, err := os.ReadFile(filepath.Join(dir, "out"))
	want := "8:14-8:18 input/invalid packfn\nFix all that packfn can fix in this file\n0 left\ndone\n"
	if err != nil || string(text) != want {
		t.Errorf("Neovim says %v\n%s%s%s\nwant\n%s", err, text, got.stdout, got.stderr, want)
	}
	if mended := tree(t, dir)["platform/site.yaml"]; mended != strings.Replace(site, "valt", "vault", 1) {
		t.Errorf("the file is\n%q", mended)
	}
}
