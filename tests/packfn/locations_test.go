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
		head  = "# a comment\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: vault\ndata:\n  pack.json: |\n    {\"name\": \"vault\", \"version\": \"1\"}\n  schema.yaml: |\n    registry.port: {schema: " + rule + "}\n"
		typed = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: vault\nspec:\n  version: 1.0.0\n  schema:\n    registry.port: {schema: " + rule + "}\n"
		fine  = "registry: {port: 5000}"
	)
	for name, tc := range map[string]struct {
		text string
		// quoted says that the value is in a quoted text: the line is that of its key.
		quoted bool
	}{
		"block":                  {head + "  values.yaml: |\n    # é\n    a: 1\n\n    registry:\n      é: 'é'\n      port: 70777\n  other: x\n", false},
		"block, deep":            {head + "  values.yaml: |\n          registry:\n            host: a\n            port: 70777   # no\n", false},
		"block, stripped":        {head + "  values.yaml: |-\n    registry:\n      port: 70777", false},
		"block, kept":            {head + "  values.yaml: |+\n    registry:\n      port: 70777\n\n\n", false},
		"block with indentation": {head + "  values.yaml: |2\n      registry:\n        port: 70777\n", false},
		"block, flow inside":     {head + "  values.yaml: |\n    {registry: {host: a,\n      port: 70777}}\n", false},
		"double quotes":          {head + "  values.yaml: \"registry:\\n  host: a\\n  port: 70777\\n\"\n  other: x\n", true},
		"single quotes":          {head + "  values.yaml: 'registry: {host: a, port: 70777}'\n", true},
		"quoted key":             {head + "  \"values.yaml\": \"registry: {port: 70777}\"\n", true},
		"flow ConfigMap":         {"{apiVersion: v1, kind: ConfigMap, metadata: {name: vault},\n data: {pack.json: '{\"name\": \"vault\", \"version\": \"1\"}',\n schema.yaml: \"registry.port: {schema: '{{ format \\\"${number:[5000-5005]}\\\" }}'}\",\n values.yaml: 'registry: {port: 70777}'}}\n", true},
		"second document":        {"# first\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n---\n\n" + head + "  values.yaml: |\n    registry:\n      port: 70777\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: last}\n", false},
		"byte order mark":        {"\ufeff" + head + "  values.yaml: |\n    registry:\n      port: 70777\n", false},
		"typed, mapping":         {typed + "  values:\n    # a comment\n    registry:\n      port: 70777\n", false},
		"typed, flow":            {typed + "  values: {a: 1,\n    registry: {port: 70777}}\n", false},
		"typed, block":           {typed + "  values: |\n    registry:\n      port: 70777\n", false},
		"typed, quoted":          {typed + "  values: \"registry:\\n  port: 70777\\n\"\n", true},
		"PackValues":             {typed + "  values:\n    " + fine + "\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: mine}\nspec:\n  packRef: {name: vault}\n  values:\n    registry:\n      port: 70777\n", false},
		"override in a ConfigMap": {head + "  values.yaml: |\n    " + fine + "\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n  annotations:\n    packs.kpt.dev/values-of: vault\ndata:\n" +
			"  values.yaml: |\n    registry:\n      port: 70777\n", false},
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
