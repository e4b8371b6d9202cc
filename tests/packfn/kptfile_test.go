package packfn

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fullKptfile uses each field that kpt's Kptfile has.
const fullKptfile = `# a comment
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: full
  namespace: platform
  labels: {team: a, revision: 5}
  annotations:
    config.kubernetes.io/local-config: "true"
upstream:
  type: git
  git:
    repo: https://example.com/catalog.git
    directory: /platform
    ref: v1.30
  updateStrategy: resource-merge
upstreamLock:
  type: git
  git:
    repo: https://example.com/catalog.git
    directory: /platform
    ref: v1.30
    commit: 8c2c1f3
info:
  site: https://example.com
  emails:
  - a@example.com
  license: Apache-2.0
  licenseFile: LICENSE.txt
  description: all fields
  keywords: [a, 5]
  man: README.md
  readinessGates:
  - conditionType: config.example.com/Ready
pipeline:
  mutators:
  - image: ghcr.io/krm-packs/apply-preset:v1
    name: presets
    configMap: {severity: preset/overridden=off}
    selectors:
    - apiVersion: v1
      kind: ConfigMap
      name: vault
      namespace: platform
      labels: {a: b}
      annotations: {c: d}
    exclude:
    - kind: Secret
  validators:
  - exec: validate-pack-values
    configPath: config.yaml
inventory:
  namespace: platform
  name: inventory-1
  inventoryID: 8c2c1f3-1
  labels: {a: b}
  annotations: {c: d}
status:
  conditions:
  - type: config.example.com/Ready
    status: "False"
    reason: Pending
    message: not yet
`

func writeKptfile(t *testing.T, dir, text string) {
	t.Helper()
	write(t, filepath.Join(dir, "p/Kptfile"), text)
	write(t, filepath.Join(dir, "p/config.yaml"), "apiVersion: fn.kpt.dev/v1alpha1\nkind: ValidatePackValues\nmetadata:\n  name: config\n")
	write(t, filepath.Join(dir, "p/vault.yaml"), packResource("registry:\n  token: xa\n  port: 5001\n"))
}

// A Kptfile is refused exactly when kpt refuses it, apart from fields that are unknown: a
// newer kpt may have them.
func TestKptfileAsKpt(t *testing.T) {
	kpt, err := kpt()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{fullKptfile, "", "[]\n", strings.Replace(fullKptfile, "kpt.dev/v1", "kpt.dev/v1alpha2", 1), strings.Replace(fullKptfile, "kind: Kptfile", "kind: KptFile", 1)}
	for _, change := range [][2]string{
		{"inventory:\n", "inventory:\nx: 1\n"}, {"  name: full\n", "  name: 5\n"}, {"  name: full\n", "  name: full\n  uid: x\n"}, {"  name: full\n", "  name: full\n  name: full\n"},
		{"  man: README.md", "  mann: README.md"}, {"  keywords: [a, 5]", "  keywords: a"}, {"  emails:\n  - a@example.com", "  emails: {a: b}"},
		{"    commit: 8c2c1f3", "    commits: 8c2c1f3"}, {"    ref: v1.30", "    ref: 1.30"}, {"info:\n", "info:\n  extra: 1\n"},
		{"    name: presets", "    names: presets"}, {"    configMap: {severity: preset/overridden=off}", "    configMap: {severity: 5, a: true, b: 1.5}"},
		{"    configMap: {severity: preset/overridden=off}", "    configMap: {severity: {a: b}}"}, {"    configMap: {severity: preset/overridden=off}", "    configMap: [a]"},
		{"      labels: {a: b}\n", "      labels: {a: 5}\n"}, {"      kind: ConfigMap", "      kinds: ConfigMap"}, {"    exclude:", "    excludes:"},
		{"  - exec: validate-pack-values", "  - exec: validate-pack-values\n    image: a"}, {"  - exec: validate-pack-values\n", "  - name: x\n"},
		{"ghcr.io/krm-packs/apply-preset:v1", "ghcr.io/Krm-packs/apply-preset:v1"}, {"ghcr.io/krm-packs/apply-preset:v1", "apply preset"},
		{"configPath: config.yaml", "configPath: ../config.yaml"}, {"configPath: config.yaml", "configPath: absent.yaml"}, {"configPath: config.yaml", "configPath: /config.yaml"},
		{"  mutators:\n", "  mutator:\n"}, {"  conditions:\n", "  condition:\n"}, {"    status: \"False\"", "    state: \"False\""}, {"inventoryID:", "inventoryId:"},
		{"pipeline:\n", "pipeline:\n  sources: [a]\n"}, {"  name: full\n", "  name: full\n bad: 1\n"},
	} {
		text := strings.Replace(fullKptfile, change[0], change[1], 1)
		if text == fullKptfile {
			t.Fatalf("no %q", change[0])
		}
		texts = append(texts, text)
	}
	// kpt parses the Kptfile before it runs a function, and running is another test's.
	ran := regexp.MustCompile(`(?m)\[(RUNNING|PASS)\]|must be allowed|docker|podman|nerdctl`)
	refused, unknown := 0, 0
	for _, text := range texts {
		dir := t.TempDir()
		writeKptfile(t, dir, text)
		byKpt := run(t, dir, "", kpt, "fn", "render", "p")
		got := packfn(t, dir, "check", "p", "--as-written")
		if strings.Contains(got.stdout, "[kptfile/unknown-field]") {
			unknown++
			if !strings.Contains(byKpt.stderr, "field") || packfn(t, dir, "render", "p").exit == 0 {
				t.Errorf("kpt says %s\n%s", byKpt.stderr, text)
			}
			continue
		}
		isRejected := strings.Contains(got.stdout, "[input/invalid]")
		if accepted := byKpt.exit == 0 || ran.MatchString(byKpt.stdout+byKpt.stderr); accepted == isRejected {
			t.Errorf("kpt accepts it: %v\n%s\npackfn exits with %d: %s\n%s", accepted, byKpt.stderr, got.exit, got.stdout, text)
		}
		if isRejected {
			refused++
			if !strings.HasPrefix(got.stdout, "p/Kptfile\n") || strings.Contains(got.stdout, "kptpackage.") || got.exit != 1 {
				t.Errorf("packfn says %s", got.stdout)
			}
		}
	}
	if refused < 12 || unknown < 8 {
		t.Errorf("only %d are rejected, and %d have unknown fields", refused, unknown)
	}
}
