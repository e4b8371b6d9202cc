package packfn

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// editors are the clients that the language server is tried in, with what runs a script in
// testdata without a screen. Each does the same and says so in the same lines.
var editors = map[string]struct {
	program, required string
	args              []string
}{
	"Neovim": {"nvim", "REQUIRE_NEOVIM", []string{"--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", "editor.lua"}},
	"Emacs":  {"emacs", "REQUIRE_EMACS", []string{"-q", "--batch", "-l", "editor.el"}},
}

// neovimSetup returns what docs/editor.md says to put into the configuration of Neovim 0.7.
func neovimSetup(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs/editor.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "\n```lua\n")
	block, _, found := strings.Cut(block, "\n```\n")
	if !found {
		t.Fatal("docs/editor.md has no block of Lua")
	}
	return block
}

// inEditor opens a file of a folder in an editor, and returns what the script says.
func inEditor(t *testing.T, name, dir string, env map[string]string) string {
	t.Helper()
	editor := editors[name]
	path, err := exec.LookPath(editor.program)
	if err != nil {
		if os.Getenv(editor.required) != "" {
			t.Fatal(err)
		}
		t.Skipf("there is no %s on PATH: packfn lsp is not tried in %s", editor.program, name)
	}
	home := t.TempDir()
	setup := filepath.Join(home, "setup.lua")
	write(t, setup, neovimSetup(t))
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, value := range map[string]string{
		"OUT": filepath.Join(home, "out"), "PACKFN": program, "SETUP": setup, "HOME": home,
		"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home, "XDG_CACHE_HOME": home,
	} {
		t.Setenv(name, value)
	}
	for _, name := range []string{"FILE", "PLACE", "TITLE", "LEFT", "COMPLETE"} {
		t.Setenv(name, env[name])
	}
	args := append([]string{}, editor.args...)
	args[len(args)-1] = filepath.Join(root, "tests/packfn/testdata", args[len(args)-1])
	got := run(t, dir, "", path, args...)
	text, err := os.ReadFile(filepath.Join(home, "out"))
	if os.Getenv(editor.required) == "" && strings.Contains(got.stderr, "Cannot open load file") {
		t.Skipf("%s has no eglot or no yaml-mode: packfn lsp is not tried in it", name)
	}
	if err != nil || !strings.HasSuffix(string(text), "done\n") {
		t.Fatalf("%s ends with %v\n%s%s%s", name, err, text, got.stdout, got.stderr)
	}
	return string(text)
}

// An editor shows the findings of a file at their places, and applies the fixes, in a text
// whose positions depend on the encoding.
func TestEditorFixes(t *testing.T) {
	for name := range editors {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "platform", "--kptfile", "--exec").want(t, 0)
			site := strings.ReplaceAll(`apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: sïte # 😀
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  packRef: { name: valt }
  values: {}
`, "\n", "\r\n")
			write(t, filepath.Join(dir, "platform/site.yaml"), site)
			got := inEditor(t, name, dir, map[string]string{"FILE": "platform/site.yaml", "LEFT": "0"})
			want := "8:20-8:24 input/invalid\napply Fix all that packfn can fix in this file\n0 left\nsymbols apiVersion kind metadata spec\ndone\n"
			if got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			if mended := tree(t, dir)["platform/site.yaml"]; mended != strings.Replace(site, "valt", "vault", 1) {
				t.Errorf("the file is\n%q", mended)
			}
		})
	}
}

// An editor explains and accepts a finding of an example, and fixes others.
func TestEditorExample(t *testing.T) {
	for name := range editors {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "examples/validate-pack-values-failing"))); err != nil {
				t.Fatal(err)
			}
			before := tree(t, dir)["registry.yaml"]
			got := inEditor(t, name, dir, map[string]string{
				"FILE": "registry.yaml", "PLACE": "20:13", "TITLE": "Accept this finding… (values/format)", "LEFT": "7", "COMPLETE": "23:13",
			})
			want := `19:17-19:19 values/required
20:13-20:18 values/format
21:16-21:26 values/format
22:13-22:16 values/format
23:14-23:22 values/format
26:9-26:33 values/format
27:17-27:22 values/format
33:5-33:20 values/key-not-in-values
`
			if !strings.HasPrefix(got, want) {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			for _, line := range []string{"hover **values/format**", "apply Accept this finding… (values/format)", "apply Fix all that packfn can fix in this file", "complete PACK GIT CHART", "symbols apiVersion kind metadata data"} {
				if !strings.Contains(got, "\n"+line) {
					t.Errorf("no line %q in\n%s", line, got)
				}
			}
			mended := strings.NewReplacer(
				"    config.kubernetes.io/local-config: \"true\"\n", `    config.kubernetes.io/local-config: "true"
    packs.kpt.dev/accept: 'values/format registry.port: say why'
`,
				"type: PAK", "type: PACK", "password: 12345", `password: "12345"`,
			).Replace(before)
			if after := tree(t, dir)["registry.yaml"]; after != mended {
				t.Errorf("the file is\n%s", after)
			}
		})
	}
}
