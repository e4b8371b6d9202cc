package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// attacks are texts that would run a script, end what they are in, or turn the text
// around them, if the page took them for more than texts.
var attacks = []string{
	`</script><script>hacked()</script>`, `<img src=x onerror=hacked()>`, `"><svg onload=hacked()>`, `'onmouseover='hacked()`, `<!--`, `--><script>hacked()</script>`,
	`</title></style><script>hacked()</script>`, `javascript:hacked()`, `]]>`, `{{.}}`, "${hacked()}", "a\u2028b\u2029c", "a\u202Egnp.exe\u202C", "\u2066b\u200B", `&lt;script&gt;hacked()&lt;/script&gt;`,
}

// invisible are the characters of attacks that change how the text around them looks.
const invisible = "\u2028\u2029\u202E\u202C\u2066\u200B"

// quote writes a text as YAML and as JSON.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\u2028", `\u2028`, "\u2029", `\u2029`, "\u202E", `\u202E`, "\u202C", `\u202C`, "\u2066", `\u2066`, "\u200B", `\u200B`).Replace(text) + `"`
}

// hostileFleet is the page of a fleet in which a text is the name, the version, the
// value and the file of everything that has one, before and after a change of it.
func hostileFleet(t *testing.T, attack string) string {
	t.Helper()
	dir := t.TempDir()
	q := quote(attack)
	folder := strings.ReplaceAll(attack, "/", "∕")
	file := folder
	if strings.ContainsAny(attack, invisible) {
		file = "cluster" // such a name of a file is refused
	}
	sets := filepath.Join(dir, "sets", file+".yaml")
	var variants []string
	for i, upstream := range []string{"{repo: blueprints, package: platform, revision: 1}", "{repo: blueprints, package: faulty, revision: 1}", "{repo: " + q + ", package: " + q + ", revision: " + q + "}"} {
		variants = append(variants, fmt.Sprintf(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: %s}
spec:
  upstream: %s
  downstream: {repo: %s, package: %s}
`,
			quote(fmt.Sprint(attack, i)), upstream, quote(fmt.Sprint(file, i)), quote(file)))
	}
	variants = append(variants, fmt.Sprintf(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: faulty, labels: {%s: %s}}
spec: {%s: %s}
`, q, q, q, q))
	write(t, sets, strings.Join(variants, "---\n"))
	upstream := filepath.Join(dir, "upstream "+folder)
	pack := func(value string) {
		write(t, filepath.Join(upstream, "Kptfile"), `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  validators:
  - exec: validate-pack-values
  - exec: check-dependencies
  - exec: check-resources
`)
		write(t, filepath.Join(upstream, file+".yaml"), fmt.Sprintf(`apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: %[1]s
  annotations: {config.kubernetes.io/local-config: "true", packs.kpt.dev/accept: %[3]s, %[1]s: %[1]s}
spec:
  version: %[1]s
  layer: %[1]s
  constraints:
    dependencies:
      - {packName: %[1]s, minVersion: %[1]s, maxVersion: %[1]s, type: required}
      - {packName: other, minVersion: %[1]s, maxVersion: "", type: required}
    resources:
      - {type: cpu, minimumRequirement: %[1]s, components: [{resourceRequestParamRef: %[1]s, replicaCountParamRef: %[1]s, scheduleType: worker}]}
  values: |
    %[1]s: %[2]s
    name: %[1]s
  schema: |
    name:
      schema: '{{ required | format "${number:[1-7]}" | hints "a", %[1]s }}'
    %[1]s:
      schema: %[1]s
  presets: |
    presets:
    - {name: %[1]s, displayName: %[1]s, group: %[1]s, remove: [%[1]s], add: "a: b"}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: good
  annotations: {config.kubernetes.io/local-config: "true"}
data:
  pack.json: |
    {"name": %[1]s, "version": "1.0.0", "layer": "addon", "constraints": {"dependencies": [{"packName": %[1]s, "minVersion": "1.0", "maxVersion": "", "type": "required"}, {"packName": "absent", "minVersion": "2.0", "maxVersion": "", "type": "required"}],
     "resources": [{"type": "cpu", "components": [{"resourceRequestParamRef": "cpu", "replicaCountParamRef": "replicas", "scheduleType": "worker"}]}]}}
  values.yaml: |
    replicas: 100
    cpu: 1
    text: %[2]s
  schema.yaml: |
    text:
      schema: '{{ format "${string:/^[0-9]+$/}" | hints %[1]s }}'
---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: %[1]s, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  system: {kubernetes: {version: %[1]s}}
  variables: {%[1]s: %[1]s}
  machinePools:
  - {name: %[1]s, role: worker, size: 2, instanceType: %[1]s, capacity: {cpu: "2", memory: 4Gi}}
`, q, quote(value), quote("dependency/missing: "+attack)))
		write(t, filepath.Join(upstream, file+".txt"), attack+value)
	}
	pack(attack + "before")
	faulty := filepath.Join(dir, "faulty")
	if err := os.CopyFS(faulty, os.DirFS(upstream)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(faulty, "Kptfile"), `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators:
  - exec: apply-preset
    configMap: {good: `+q+", "+q+": "+q+`}
  - exec: resolve-macros
`)
	// The folders of packages with such names cannot all be made; those that can be
	// are compared.
	before := filepath.Join(dir, "before")
	args := []string{"--like", "kpt", "--set", filepath.Dir(sets), "--upstream", "blueprints/platform=" + upstream, "--upstream", "blueprints/faulty=" + faulty}
	fleet(t, append(args, "--to", before)...)
	pack(attack + "after")
	return fleet(t, append(args, "--against", before, "--show-values")...)
}

// No text of a package runs, ends the element it is in, or turns the text around it.
func TestHostile(t *testing.T) {
	for i, attack := range attacks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			file := hostileFleet(t, attack)
			for _, r := range read(t, file) {
				if r == 0 || strings.ContainsRune(invisible, r) {
					t.Errorf("the page has the character %U", r)
				}
			}
			b := open(t, file, view{width: 1280, height: 900})
			b.run(chromedp.Evaluate(`document.querySelectorAll("#rows tbody th a").forEach((a) => a.click()); document.querySelectorAll("details").forEach((d) => { d.open = true; })`, nil))
			want(b, `document.scripts.length`, 1)
			want(b, `document.querySelectorAll("img, iframe, object, embed, link, base, style ~ style, svg svg, [onload], [onerror], [onmouseover], [onclick]").length`, 0)
			want(b, `Array.from(document.querySelectorAll("[href]")).every((a) => a.getAttribute("href").startsWith("#"))`, true)
			want(b, `document.querySelectorAll("#rows tbody tr:not(.detail)").length`, 4)
			want(b, `document.querySelectorAll(".detail").length`, 4)
			// The test would not notice a page without these texts.
			text := eval[string](b, `document.body.textContent`)
			shown := attack
			for _, r := range invisible {
				shown = strings.ReplaceAll(shown, string(r), fmt.Sprintf(`\u{%x}`, r))
			}
			for _, place := range []string{"#findings", "#changes", "#changes .add", "#rows", "#packs h3", "#packs svg", "#packs table", "#notes"} {
				got := eval[string](b, fmt.Sprintf(`Array.from(document.querySelectorAll(%q)).map((e) => e.textContent).join("\n")`, place))
				if !strings.Contains(strings.ReplaceAll(got, "∕", "/"), shown) {
					t.Errorf("%s does not show %q\n%s", place, shown, text)
				}
			}
			if i == 0 {
				b.shoot("hostile")
			}
		})
	}
	// The policy of the page stops what would get through.
	file := filepath.Join(t.TempDir(), "page.html")
	page := strings.Replace(read(t, fiftyClusters(t)), "<main>", `<main><script>document.title = "hacked"</script><b onclick="document.title = 'hacked'" id="x">x</b>`, 1)
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	b, faults := openFaulty(t, file, view{width: 1280, height: 900})
	b.click("#x")
	want(b, `document.title.startsWith("packfn fleet")`, true)
	if got := strings.Join(faults(), "\n"); strings.Count(got, "Content Security Policy") != 2 {
		t.Errorf("the policy stops other things than two scripts:\n%s", got)
	}
}
