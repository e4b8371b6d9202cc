package packfn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key that is read-only has the value that the import recorded, also in the pack's own values.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	pack := func(name, values string) string {
		write(t, filepath.Join(dir, name, "pack.json"), `{"name": "web", "version": "1.0.0"}`)
		write(t, filepath.Join(dir, name, "values.yaml"), values)
		write(t, filepath.Join(dir, name, "schema.yaml"), "web.host: {schema: '{{ readonly }}'}\nweb.ports.$[]: {schema: '{{ readonly }}'}\n")
		write(t, filepath.Join(dir, name, "presets.yaml"), "presets:\n- {name: private, add: {web: {host: private.example.com}}}\n")
		return filepath.Join(dir, name)
	}
	const values = "web:\n  host: a.example.com\n  ports: [80, 443]\n  size: 1\n"
	source := pack("packs/web", values)
	macros := pack("macros/web", strings.Replace(values, "a.example.com", "'{{ .spectro.var.HOST }}'", 1))
	imported := func(source string) string {
		p := filepath.Join(dir, "p")
		if err := os.RemoveAll(p); err != nil {
			t.Fatal(err)
		}
		packfn(t, dir, "import", source, "--to", "p", "--kptfile", "--exec").want(t, 0)
		return filepath.Join(p, "web.yaml")
	}
	edit := func(file string, pairs ...string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		edited := strings.NewReplacer(pairs...).Replace(string(text))
		if edited == string(text) {
			t.Fatalf("no %q in\n%s", pairs[0], text)
		}
		write(t, file, edited)
	}
	const resolve = "pipeline:\n  mutators:\n  - exec: resolve-macros\n    configMap: {variables.HOST: NAME}\n"
	for _, tc := range []struct {
		name, source string
		edit         []string
		kptfile      string
		flags        []string
		line         string // of the finding
	}{
		{"as imported", source, nil, "", nil, ""},
		{"another key is edited", source, []string{"size: 1", "size: 2"}, "", nil, ""},
		{"the key is edited", source, []string{"host: a.example.com", "host: b.example.com"}, "", nil, "p/web.yaml:13"},
		{"the comment of the key is edited", source, []string{"host: a.example.com", "host: 'a.example.com' # ours"}, "", nil, ""},
		{"an element is edited", source, []string{"[80, 443]", "[80, 8443]"}, "", nil, "p/web.yaml:14"},
		{"an element is added", source, []string{"[80, 443]", "[80, 443, 8443]"}, "", nil, "p/web.yaml:14"},
		{"a preset sets it", source, []string{"host: a.example.com", "host: private.example.com", "  annotations:\n", "  annotations:\n    packs.kpt.dev/applied-presets: '[\":private\"]'\n"}, "", nil, ""},
		{"a preset would set it so", source, []string{"host: a.example.com", "host: private.example.com"}, "", nil, ""},
		{"the record is of another version", source, []string{"host: a.example.com", "host: b.example.com", `\"version\": \"1.0.0\"`, `\"version\": \"1.0.1\"`, `{"name": "web", "version": "1.0.0"}`, `{"name": "web", "version": "1.0.1"}`}, "", nil, ""},
		{"a source has another value", source, []string{"host: a.example.com", "host: b.example.com", `"readonly":`, `"other":`}, "", []string{"--source", "packs"}, "p/web.yaml:13"},
		{"nothing is recorded", source, []string{"host: a.example.com", "host: b.example.com", "packs.kpt.dev/imported", "example.com/imported"}, "", nil, ""},
		{"a macro", macros, nil, "", nil, ""},
		{"a macro that is resolved", macros, nil, strings.Replace(resolve, "NAME", "a.example.com", 1), nil, ""},
		{"a macro that is replaced", macros, []string{"{{ .spectro.var.HOST }}", "{{ .spectro.var.HOST }}.example.com"}, strings.Replace(resolve, "NAME", "a", 1), nil, "p/web.yaml:13"},
	} {
		file := imported(tc.source)
		if tc.edit != nil {
			edit(file, tc.edit...)
		}
		if tc.kptfile != "" {
			write(t, filepath.Join(dir, "p/Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"+tc.kptfile)
			packfn(t, dir, "render", "p").want(t, 0)
		}
		got := packfn(t, dir, append([]string{"check", "p", "--only", "values/readonly", "--format", "json"}, tc.flags...)...)
		var want []string
		if tc.line != "" {
			want = []string{"error values/readonly " + tc.line}
		}
		if found := facts(readFindings(t, got)); len(found) != len(want) || len(want) > 0 && !strings.HasPrefix(found[0], want[0]) {
			t.Errorf("%s: got %q, want %q\n%s", tc.name, found, want, got.stderr)
		}
	}
}
