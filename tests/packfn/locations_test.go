package packfn

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A finding in any form of a file names the line, and in all forms but quoted texts the
// column, at which a search finds the text that is wrong.
func TestCheckLocations(t *testing.T) {
	const (
		wrong = "70777"
		rule  = `'{{ format "${number:[5000-5005]}" }}'`
		head  = `# a comment
apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
data:
  pack.json: |
    {"name": "vault", "version": "1"}
  schema.yaml: |
    registry.port: {schema: ` + rule + "}\n"
		typed = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: vault
spec:
  version: 1.0.0
  schema:
    registry.port: {schema: ` + rule + "}\n"
		fine = "registry: {port: 5000}"
	)
	for name, tc := range map[string]struct {
		text string
		// quoted says that the value is in a quoted text: the line is that of its key.
		quoted bool
	}{
		"block": {
			head + `  values.yaml: |
    # é
    a: 1

    registry:
      é: 'é'
      port: 70777
  other: x
`,
			false,
		},
		"block, deep": {
			head + `  values.yaml: |
          registry:
            host: a
            port: 70777   # no
`,
			false,
		},
		"block, stripped": {
			head + `  values.yaml: |-
    registry:
      port: 70777`,
			false,
		},
		"block, kept": {
			head + `  values.yaml: |+
    registry:
      port: 70777


`,
			false,
		},
		"block with indentation": {
			head + `  values.yaml: |2
      registry:
        port: 70777
`,
			false,
		},
		"block, flow inside": {
			head + `  values.yaml: |
    {registry: {host: a,
      port: 70777}}
`,
			false,
		},
		"double quotes": {
			head + `  values.yaml: "registry:\n  host: a\n  port: 70777\n"
  other: x
`,
			true,
		},
		"single quotes": {head + "  values.yaml: 'registry: {host: a, port: 70777}'\n", true},
		"quoted key":    {head + "  \"values.yaml\": \"registry: {port: 70777}\"\n", true},
		"flow ConfigMap": {`{apiVersion: v1, kind: ConfigMap, metadata: {name: vault},
 data: {pack.json: '{"name": "vault", "version": "1"}',
 schema.yaml: "registry.port: {schema: '{{ format \"${number:[5000-5005]}\" }}'}",
 values.yaml: 'registry: {port: 70777}'}}
`, true},
		"second document": {
			`# first
---
apiVersion: v1
kind: Secret
metadata: {name: s}
---

` + head + `  values.yaml: |
    registry:
      port: 70777
---
apiVersion: v1
kind: Secret
metadata: {name: last}
`,
			false,
		},
		"byte order mark": {
			"\ufeff" + head + `  values.yaml: |
    registry:
      port: 70777
`,
			false,
		},
		"typed, mapping": {
			typed + `  values:
    # a comment
    registry:
      port: 70777
`,
			false,
		},
		"typed, flow": {
			typed + `  values: {a: 1,
    registry: {port: 70777}}
`,
			false,
		},
		"typed, block": {
			typed + `  values: |
    registry:
      port: 70777
`,
			false,
		},
		"typed, quoted": {typed + "  values: \"registry:\\n  port: 70777\\n\"\n", true},
		"PackValues": {
			typed + "  values:\n    " + fine + `
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: mine}
spec:
  packRef: {name: vault}
  values:
    registry:
      port: 70777
`,
			false,
		},
		"override in a ConfigMap": {
			head + "  values.yaml: |\n    " + fine + `
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: mine
  annotations:
    packs.kpt.dev/values-of: vault
data:
  values.yaml: |
    registry:
      port: 70777
`,
			false,
		},
	} {
		for breaks, end := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
			dir := t.TempDir()
			text := strings.ReplaceAll(tc.text, "\n", end)
			write(t, filepath.Join(dir, "p/Kptfile"), kptfileText)
			write(t, filepath.Join(dir, "p/sub dir/a.yaml"), text)
			before, rest, found := strings.Cut(text, wrong)
			if !found || strings.Contains(rest, wrong) {
				t.Fatalf("%s: %s must be there once", name, wrong)
			}
			line := strings.Count(before, "\n") + 1
			column := utf8.RuneCountInString(strings.TrimPrefix(before[strings.LastIndexByte(before, '\n')+1:], "\ufeff")) + 1
			all := findings(t, dir, 1, "p", "--severity", "resource/not-local=off")
			if len(all) != 1 {
				t.Errorf("%s, %s: got %v", name, breaks, facts(all))
				continue
			}
			if got := all[0]; got.Rule != "values/format" || got.File != "p/sub dir/a.yaml" || got.Line != line || got.Column != column && !tc.quoted {
				t.Errorf("%s, %s: got %v; want line %d, column %d", name, breaks, facts(all), line, column)
			}
		}
	}
}
