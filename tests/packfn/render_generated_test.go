package packfn

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// generator makes packages with all that kpt's packages may have.
type generator struct {
	*rand.Rand
	files map[string]string
	count int
	// hasContext says that there is a ClusterContext: the functions refuse two.
	hasContext bool
}

func (g *generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) maybe(percent int) bool { return g.IntN(100) < percent }

// resource returns a pack, a ConfigMap or a ClusterContext.
func (g *generator) resource() string {
	g.count++
	switch g.IntN(5) {
	case 0, 1:
		return packOf(fmt.Sprintf("p%d", g.count), g.one("tier: front", "tier: back", ""))
	case 2:
		if g.hasContext {
			return packOf(fmt.Sprintf("p%d", g.count), "")
		}
		g.hasContext = true
		return strings.ReplaceAll(clusterContext, "%s", fmt.Sprintf("x%d", g.count))
	}
	return fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata:
  name: %s%s
`, g.one("alpha", "beta", "gamma", fmt.Sprintf("m%d", g.count)), g.one("", "\n  namespace: here", "\n  labels: {tier: front}"))
}

// entry returns an entry of a pipeline in a package.
func (g *generator) entry(dir string, isMutator bool) string {
	g.count++
	name, config := "validate-pack-values", ""
	switch {
	case g.maybe(30):
		name = g.one("check-dependencies", "check-resources", "validate-pack-values")
	case isMutator:
		name = "shuffle"
		config = g.one("{remove: alpha}", "{rename: beta}", "{rename: gamma}", fmt.Sprintf("{add: new%d}", g.count), fmt.Sprintf("{add: new%d, path: new.yaml}", g.count),
			fmt.Sprintf("{add: new%d, path: sub/deep/new%d.yaml}", g.count, g.count), fmt.Sprintf("{add: new%d, path: a.yaml}", g.count),
			fmt.Sprintf("{add: new%d, path: /deep/abs%d.yaml}", g.count, g.count), fmt.Sprintf("{add: new%d, path: a.yaml, index: \"0\"}", g.count), "{fail: never}")
		if g.maybe(5) {
			config = "{fail: alpha}"
		}
		if g.maybe(30) {
			name, config = "resolve-macros", g.one("{system.cluster.name: y}", "{missing: keep, system.cluster.name: 7}")
		}
	}
	text := "  - exec: " + name + "\n"
	if g.maybe(20) {
		text = "  - name: " + fmt.Sprintf("n%d", g.count) + "\n    exec: " + name + "\n"
	}
	switch {
	case config == "":
	case name == "shuffle" && g.maybe(30):
		file := fmt.Sprintf("fn-%d.yaml", g.count)
		g.files[filepath.Join(dir, file)] = `apiVersion: fn.kpt.dev/v1alpha1
kind: Shuffle
metadata:
  name: shuffle
  annotations:
    config.kubernetes.io/local-config: "true"
spec: ` + config + "\n"
		text += "    configPath: " + file + "\n"
	default:
		text += "    configMap: " + config + "\n"
	}
	if g.maybe(25) {
		text += `    selectors:
    - ` + g.one("{kind: ConfigMap}", "{name: alpha}", "{labels: {tier: front}}", "{namespace: here}", "{apiVersion: packs.kpt.dev/v1alpha1}") + "\n"
	}
	if g.maybe(25) {
		text += `    exclude:
    - ` + g.one("{kind: Pack}", "{name: beta}", "{annotations: {a: b}}", "{labels: {tier: back}}") + "\n"
	}
	return text
}

// pack writes a package with its subpackages.
func (g *generator) pack(dir string, depth int) {
	kptfile := kptfileHead
	if g.maybe(85) {
		kptfile += "pipeline:\n"
		for _, list := range []string{"mutators", "validators"} {
			if n := g.IntN(4); n > 0 {
				kptfile += "  " + list + ":\n"
				for range n {
					kptfile += g.entry(dir, list == "mutators")
				}
			}
		}
		if strings.HasSuffix(kptfile, "pipeline:\n") {
			kptfile = kptfileHead
		}
	}
	g.files[filepath.Join(dir, "Kptfile")] = kptfile
	for _, name := range []string{"a.yaml", "b.yaml", "deep/er/c.yaml", "skipped.yaml"} {
		var documents []string
		for range 1 + g.IntN(3) {
			documents = append(documents, g.resource())
		}
		g.files[filepath.Join(dir, name)] = g.one("", "# head\n", "---\n") + strings.Join(documents, "---\n")
	}
	if g.maybe(40) {
		g.files[filepath.Join(dir, ".krmignore")] = g.one("skipped.yaml\n", "/deep\n", "*.txt\n")
	}
	if g.maybe(40) {
		g.files[filepath.Join(dir, "notes.txt")] = "a: [\n"
		g.files[filepath.Join(dir, "bytes.bin")] = "\xff\xfe\x00"
	}
	if g.maybe(30) {
		g.files[filepath.Join(dir, "kustomization.yaml")] = "resources: [a.yaml]\n"
	}
	for _, name := range []string{"sub", "sub-2"} {
		if depth > 0 && g.maybe(60) {
			g.pack(filepath.Join(dir, name), depth-1)
		}
	}
}

// Generated packages come out as kpt renders them.
func TestRenderGenerated(t *testing.T) {
	found, err := kpts()
	if err != nil {
		t.Fatal(err)
	}
	rendered := 0
	const packages = 16
	for seed := range uint64(packages) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := &generator{Rand: rand.New(rand.NewPCG(seed, 7)), files: map[string]string{}}
			g.pack(".", 2)
			dir := t.TempDir()
			for _, file := range slices.Sorted(maps.Keys(g.files)) {
				write(t, filepath.Join(dir, file), g.files[file])
			}
			if _, files := compareOnce(t, kptRenderer(found.clients[0]), dir); files != nil {
				rendered++
			}
		})
	}
	if rendered < packages/4 {
		t.Errorf("only %d of %d packages render: the others say little", rendered, packages)
	}
}
