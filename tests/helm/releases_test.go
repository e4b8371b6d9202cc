package helm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fluxcd/pkg/apis/meta"
	fluxchartutil "github.com/fluxcd/pkg/chartutil"
	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/values"
)

// echoing is a chart that prints its values.
var echoing = map[string]string{
	"charts/web/Chart.yaml": head,
	"charts/web/values.yaml": `own: 1
a: {own: 1}
`,
	"charts/web/templates/a.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data:
  values: {{ .Values | toJson | quote }}
`,
}

// write writes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// echoed returns the values with which the only release in a folder is rendered.
func echoed(t *testing.T, dir string) map[string]any {
	t.Helper()
	renderer := &helm.Renderer{Process: child.Process{Program: []string{os.Args[0]}}}
	defer renderer.Close()
	var found map[string]any
	_, err := check.Deploy([]string{dir}, check.Options{Root: dir, Template: &deploy.Deployer{Renderer: renderer}}, func(r *deploy.Rendered) {
		for _, m := range r.Manifests {
			found = printed(t, m.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// printed returns the values in what the chart prints.
func printed(t *testing.T, text string) map[string]any {
	t.Helper()
	var manifest struct{ Data struct{ Values string } }
	if err := yaml.Unmarshal([]byte(text), &manifest); err != nil {
		t.Fatal(err)
	}
	var found map[string]any
	if err := json.Unmarshal([]byte(manifest.Data.Values), &found); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return found
}

// drawn returns a map with some of a few keys, so that layers meet.
func drawn(random *rand.Rand, name string, depth int) map[string]any {
	m := map[string]any{}
	for _, key := range []string{"own", "a", "b", "c"} {
		switch n := random.IntN(9); {
		case n < 3 && depth < 3:
			m[key] = drawn(random, name, depth+1)
		case n < 5:
			m[key] = name
		case n == 5:
			m[key] = []any{name}
		case n == 6:
			m[key] = nil
		}
	}
	return m
}

// Layers of a HelmRelease are merged in the order of Flux's own code.
func TestOrderOfFlux(t *testing.T) {
	random, compared := rand.New(rand.NewPCG(2, 0)), 0
	for range runs(60, 1000) {
		dir := t.TempDir()
		write(t, dir, echoing)
		var refs []meta.ValuesReference
		var objects strings.Builder
		client := fake.NewClientBuilder()
		for i := range random.IntN(4) {
			name, kind := fmt.Sprintf("layer-%d", i), []string{"ConfigMap", "Secret"}[random.IntN(2)]
			text := textOf(t, drawn(random, name, 0))
			ref := meta.ValuesReference{Kind: kind, Name: name}
			if random.IntN(4) == 0 { // the value is not known to packfn, which has this text in its place
				ref.TargetPath, text = []string{"a", "a.b", "c.a.b", `own\.er`}[random.IntN(4)], "${}"
			}
			if refs = append(refs, ref); kind == "Secret" {
				client.WithObjects(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "apps", Name: name}, Data: map[string][]byte{"values.yaml": []byte(text)}})
				fmt.Fprintf(&objects, `---
apiVersion: v1
kind: Secret
metadata: {namespace: apps, name: %s}
data: {values.yaml: %s}
`, name, base64.StdEncoding.EncodeToString([]byte(text)))
			} else {
				client.WithObjects(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "apps", Name: name}, Data: map[string]string{"values.yaml": text}})
				fmt.Fprintf(&objects, `---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: apps, name: %s}
data: {values.yaml: %q}
`, name, text)
			}
		}
		own := drawn(random, "own", 0)
		from, err := json.Marshal(refs)
		if err != nil {
			t.Fatal(err)
		}
		inline, err := json.Marshal(own)
		if err != nil {
			t.Fatal(err)
		}
		release := fmt.Sprintf(`apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {namespace: apps, name: web}
spec:
  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: r}}}
  valuesFrom: %s
  values: %s
`, from, inline)
		write(t, dir, map[string]string{"web.yaml": release + objects.String()})
		merged, err := fluxchartutil.ChartValuesFromReferences(context.Background(), logr.Discard(), client.Build(), "apps", own, refs...)
		if err != nil && strings.Contains(err.Error(), "unable to parse key") { // a path through a text
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		// Flux sets these above its own values, or below, if a map is shared or not. A path through a text, which a
		// later layer has, is none for Flux, and packfn takes the value as unknown.
		isThroughText := slices.ContainsFunc(refs, func(ref meta.ValuesReference) bool {
			return ref.TargetPath != "" && fluxchartutil.ReplacePathValue(merged, ref.TargetPath, "${}") != nil
		})
		if isThroughText {
			continue
		}
		compared++
		if diff := cmp.Diff(rendered(t, merged), echoed(t, dir)); diff != "" {
			t.Fatalf("-flux +packfn:\n%s\n%s%s", diff, release, objects.String())
		}
	}
	if compared < 25 {
		t.Errorf("%d releases were compared", compared)
	}
}

// rendered returns the values with which Helm renders the chart that prints them.
func rendered(t *testing.T, given map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{}
	for name, content := range echoing {
		s.add(strings.TrimPrefix(name, "charts/web/"), content)
	}
	out, err := s.render(mapOf(t, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return printed(t, out["web/templates/a.yaml"])
}

// Layers of an entry of helmCharts are merged in the order of kustomize's own generator, which runs Helm.
func TestOrderOfKustomize(t *testing.T) {
	t.Setenv(asHelm, "true")
	random, compared := rand.New(rand.NewPCG(3, 0)), 0
	for range runs(25, 500) {
		dir := t.TempDir()
		write(t, dir, echoing)
		entry := map[string]any{"name": "web", "releaseName": "web"}
		if random.IntN(3) > 0 {
			write(t, dir, map[string]string{"file.yaml": textOf(t, withoutNull(drawn(random, "file", 0)))})
			entry["valuesFile"] = "file.yaml"
		}
		if random.IntN(3) > 0 {
			entry["valuesInline"] = withoutNull(drawn(random, "inline", 0))
			entry["valuesMerge"] = []string{"", "override", "merge", "replace"}[random.IntN(4)]
		}
		if random.IntN(3) == 0 {
			write(t, dir, map[string]string{"more.yaml": textOf(t, drawn(random, "more", 0)), "last.yaml": textOf(t, drawn(random, "last", 0))})
			entry["additionalValuesFiles"] = []string{"more.yaml", "last.yaml"}
		}
		text := textOf(t, map[string]any{"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "helmCharts": []any{entry}})
		write(t, dir, map[string]string{"kustomization.yaml": text})
		options := krusty.MakeDefaultOptions()
		options.PluginConfig = types.DisabledPluginConfig()
		options.PluginConfig.HelmConfig = types.HelmConfig{Enabled: true, Command: os.Args[0]}
		built, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
		if err != nil && strings.Contains(err.Error(), "wrong node kind") { // it cannot merge a list with a map
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want, err := built.AsYaml()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(printed(t, string(want)), echoed(t, dir)); diff != "" {
			files := ""
			for _, name := range []string{"file.yaml", "more.yaml", "last.yaml"} {
				content, _ := os.ReadFile(filepath.Join(dir, name))
				files += "\n# " + name + "\n" + string(content)
			}
			t.Fatalf("-kustomize +packfn:\n%s\n%s%s", diff, text, files)
		}
		compared++
	}
	if compared < 12 {
		t.Errorf("%d kustomizations were compared", compared)
	}
}

// withoutNull returns a map without the keys that are null, which kustomize's merge removes.
func withoutNull(m map[string]any) map[string]any {
	for key, value := range m {
		if below, isMap := value.(map[string]any); isMap {
			withoutNull(below)
		} else if value == nil {
			delete(m, key)
		}
	}
	return m
}

// A key of a release that is reported as unread changes no output of Helm, whether it is removed or changed.
// A part of misspelt keys is told; the others are below places that the chart reads as a whole.
func TestUnreadOfReleases(t *testing.T) {
	told, misspelt, renders := 0, 0, 0
	for i, s := range append(made(t), corpus(t)...) {
		c, err := s.load()
		if err != nil {
			continue
		}
		random := rand.New(rand.NewPCG(4, uint64(i)))
		known := defaults(c)
		var paths [][]string
		each(known, nil, func(path []string) { paths = append(paths, path) })
		slices.SortFunc(paths, func(a, b []string) int { return slices.Compare(a, b) })
		dir := t.TempDir()
		for _, f := range s.files {
			write(t, dir, map[string]string{"charts/c/" + f.Name: string(f.Data)})
		}
		for range runs(4, 12) {
			if len(paths) == 0 {
				break
			}
			given := map[string]any{}
			path := slip(random, paths[random.IntN(len(paths))])
			if at(known, path) != nil {
				continue
			}
			put(given, path, "slip")
			misspelt++
			found := unreadIn(t, dir, c.Name(), given)
			if len(found) == 0 {
				continue
			}
			if told++; len(found) > 1 || !slices.Equal(found[0], path[:len(found[0])]) {
				t.Errorf("%s: %v is told for %v", s.name, found, path)
			}
			before, err := s.render(map[string]any{})
			if err != nil {
				continue
			}
			for _, value := range []any{"slip", "other", true, map[string]any{"x": 1}, []any{}} {
				put(given, path, value)
				after, err := s.render(clone(given))
				if renders++; err != nil || !maps.Equal(before, after) {
					t.Errorf("%s: %v is told as unread, and %v changes the output: %v\n%s", s.name, path, value, err, difference(before, after))
				}
			}
		}
	}
	t.Logf("%d of %d misspelt keys told, %d renderings", told, misspelt, renders)
	if len(os.Getenv("PACK_CORPUS")) > 0 && told*100 < 58*misspelt {
		t.Errorf("%d of %d misspelt keys are told, want 58 %%", told, misspelt)
	}
}

// put sets a value, with the maps above it.
func put(m map[string]any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		below, isMap := m[key].(map[string]any)
		if !isMap {
			below = map[string]any{}
			m[key] = below
		}
		m = below
	}
	m[path[len(path)-1]] = value
}

// each visits the paths of all keys in values.
func each(m map[string]any, above []string, visit func(path []string)) {
	for key, value := range m {
		path := append(slices.Clone(above), key)
		visit(path)
		if below, isMap := value.(map[string]any); isMap {
			each(below, path, visit)
		}
	}
}

// slip returns a path whose last key is misspelt.
func slip(random *rand.Rand, path []string) []string {
	path = slices.Clone(path)
	key := []rune(path[len(path)-1])
	switch at := random.IntN(len(key)); random.IntN(3) {
	case 0:
		key = slices.Delete(key, at, at+1)
	case 1:
		key = slices.Insert(key, at, key[at])
	default:
		next := (at + 1) % len(key)
		key[at], key[next] = key[next], key[at]
	}
	path[len(path)-1] = string(key)
	return path
}

// unreadIn returns the paths of the keys that are told as unread in a HelmRelease with values.
func unreadIn(t *testing.T, dir, name string, given map[string]any) (paths [][]string) {
	t.Helper()
	inline, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {namespace: apps, name: web}
spec:
  chart: {spec: {chart: %s, sourceRef: {kind: HelmRepository, name: r}}}
  values: %s
`, name, inline)
	write(t, dir, map[string]string{"web.yaml": text})
	r, err := check.Run([]string{dir}, check.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	document, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	own := values.Field(document.Root(), "spec", "values")
	for i := range r.Findings {
		if f := &r.Findings[i]; f.File == "web.yaml" && slices.Contains([]string{"values/inert", "values/misplaced"}, f.Rule) {
			paths = append(paths, pathAt(own, f, nil))
		}
	}
	return paths
}

// pathAt returns the path of the key at the place of a finding.
func pathAt(n *yaml.Node, f *report.Finding, above []string) []string {
	for _, pair := range values.Pairs(n) {
		path := append(slices.Clone(above), pair.Key.Value)
		if pair.Key.Line == f.Line && pair.Key.Column == f.Column {
			return path
		}
		if found := pathAt(pair.Value, f, path); found != nil {
			return found
		}
	}
	return nil
}
