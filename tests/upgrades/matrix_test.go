package upgrades

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// replacement is a change of a text: old and new, in pairs.
type replacement []string

// apply makes the change. All of it must have an effect.
func (r replacement) apply(t *testing.T, text string) string {
	t.Helper()
	for i := 0; i < len(r); i += 2 {
		if !strings.Contains(text, r[i]) {
			t.Fatalf("no %q in\n%s", r[i], text)
		}
		text = strings.Replace(text, r[i], r[i+1], 1)
	}
	return text
}

// forms are the ways in which a package can hold values.
var forms = []string{"text", "structured"}

// upstreams are what the upstream changes in its next revision.
var upstreams = []struct {
	name   string
	change replacement
}{
	{"another key", replacement{"timeout: 10", "timeout: 20"}},
	{"the preset", replacement{"replicas: 3", "replicas: 4"}},
	{"another key and the preset", replacement{"timeout: 10", "timeout: 20", "replicas: 3", "replicas: 4"}},
	{"only the version", replacement{"1.0.0", "1.1.0"}},
	{"the default of a key of the preset", replacement{"replicas: 1", "replicas: 2"}},
}

// edits are what the user edits before the upgrade.
var edits = []struct {
	name   string
	change replacement
	// isRendered says that the package is rendered between edit and upgrade.
	isRendered bool
}{
	{"nothing", nil, true},
	{"a key of the preset", replacement{"replicas: 3", "replicas: 7"}, true},
	{"a key of the preset, not rendered", replacement{"replicas: 3", "replicas: 7"}, false},
	{"another key", replacement{"log: info", "log: debug"}, true},
}

const valuesText = `server:
  replicas: 1
  memory: 512Mi
  debug: true
  name: cache
log: info
timeout: 10
host: HOST
`

const presetsText = `- name: large
  group: Size
  remove: [server.debug]
  add: |
    server:
      replicas: 3
      memory: 4Gi
      name: NAME
`

const packFile = "{\"name\": \"cache\", \"version\": \"1.0.0\"}\n"

const kptfileText = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: cache
pipeline:
  mutators:
  - exec: apply-preset
    configMap:
      cache: Size:large
  - exec: resolve-macros
`

const contextText = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: cluster
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  system:
    cluster:
      name: east
`

// withMacros says what the values hold: macros, which the package resolves in the same
// text, or plain values.
func withMacros(macros bool) replacement {
	if macros {
		return replacement{"HOST", `"{{ .spectro.system.cluster.name }}.example.com"`, "NAME", `"{{ .spectro.system.cluster.name }}-large"`}
	}
	return replacement{"HOST", "example.com", "NAME", "cache-large"}
}

// indent indents the lines of a text.
func indent(text, by string) string {
	return by + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+by) + "\n"
}

// upstreamFiles are the files of the package in a form.
func upstreamFiles(t *testing.T, form string, macros bool) map[string]string {
	t.Helper()
	pack := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cache\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\ndata:\n" +
		"  pack.json: |\n" + indent(packFile, "    ") + "  values.yaml: |\n" + indent(valuesText, "    ") + "  presets.yaml: |\n    presets:\n" + indent(presetsText, "    ")
	if form == "structured" {
		pack = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: cache\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n" +
			"  version: 1.0.0\n  values:\n" + indent(valuesText, "    ") + "  presets:\n" + indent(presetsText, "  ")
	}
	return map[string]string{"Kptfile": kptfileText, "cluster.yaml": contextText, "cache.yaml": withMacros(macros).apply(t, pack)}
}

// packFiles are the files of the pack in a directory.
func packFiles(t *testing.T, macros bool, change replacement) map[string]string {
	t.Helper()
	const separator = "\n---\n"
	whole := withMacros(macros).apply(t, strings.Join([]string{packFile, valuesText, "presets:\n" + presetsText}, separator))
	parts := strings.Split(change.apply(t, whole), separator)
	return map[string]string{"pack.json": parts[0], "values.yaml": parts[1], "presets.yaml": parts[2]}
}

// upgradeCase is one cell of the matrix, and its package.
type upgradeCase struct {
	tool, form     string
	macros         bool
	upstream, edit int
	dir            string
}

func (c *upgradeCase) String() string {
	macros := "plain"
	if c.macros {
		macros = "macros"
	}
	return fmt.Sprintf("%s, %s, %s | upstream: %s | user: %s", c.tool, c.form, macros, upstreams[c.upstream].name, edits[c.edit].name)
}

// upstreamDir is the folder of the old or new upstream below another one.
func (c *upgradeCase) upstreamDir(of string) string {
	return filepath.Join(of, upstreamName(c.form, c.macros))
}

func upstreamName(form string, macros bool) string { return fmt.Sprintf("%s-%t", form, macros) }
