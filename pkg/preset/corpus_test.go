package preset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// drifted are the packs whose values are not as the presets that their own
// marker lists have them: their authors changed one and not the other.
var drifted = map[string]string{
	"kubeflow-training-operator-1.9.3": "charts.training-operator.mpiv2",
	"thanos-17.6.0":                    "charts.thanos.compactor.enabled, charts.thanos.storegateway.enabled",
}

// corpusPacks returns the folders of the public packs that have presets.
func corpusPacks(t *testing.T) []string {
	t.Helper()
	files := functiontest.Corpus(t, "packs/*/presets.yaml")
	for i, file := range files {
		files[i] = filepath.Dir(file)
	}
	return files
}

// readPack returns the values and the presets of a pack of the corpus.
func readPack(t *testing.T, dir string) (*values.Document, []pack.Preset) {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(text)
	}
	text := read("presets.yaml")
	source := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	p := pack.Pack{Presets: pack.NewSource(diag.Resource{}, "presets.yaml", "", nil, source)}
	all, findings := p.ReadPresets()
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return mustParse(t, read("values.yaml")), all
}

// Every preset of every public pack, applied to the pack's own values.
func TestCorpus(t *testing.T) {
	applied := 0
	for _, dir := range corpusPacks(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			d, presets := readPack(t, dir)
			for _, p := range presets {
				got, err := Apply(d, p)
				if err != nil {
					t.Errorf("%s: %v", p, err)
					continue
				}
				applied++
				if found := misspelt(p, got.Root()); len(found) > 0 {
					t.Errorf("%s: got %q", p, functiontest.Facts(found))
				}
				want := orEmpty(modelApply(modelValue(d.Root()), p))
				if diff := cmp.Diff(want, orEmpty(modelValue(got.Root()))); diff != "" {
					t.Errorf("%s: -model +got:\n%s", p, diff)
				}
				if again, err := Apply(got, p); err != nil || again != got {
					t.Errorf("%s, applied again: %v", p, err)
				}
				checkUntouched(t, d, got, p)
			}
		})
	}
	t.Logf("%d presets of public packs applied", applied)
}

// checkUntouched compares the lines that a preset does not name.
func checkUntouched(t *testing.T, before, after *values.Document, p pack.Preset) {
	t.Helper()
	if diff := cmp.Diff(others(before, p), others(after, p)); diff != "" {
		t.Errorf("%s: lines that it does not name, -before +after:\n%s", p, diff)
	}
	rest := after.Text()
	for _, kept := range keptLines(before, p) { // with their blank lines
		_, after, found := strings.Cut(rest, kept)
		if !found {
			t.Errorf("%s: changed what it does not name:\n%s", p, kept)
		}
		rest = after
	}
}

// others returns the lines of values outside of what a preset names: the paths
// that it removes and the line of the map above each, and what it adds with the
// maps on the way there. The comments above a key are the key's. Blank lines are
// left out here: what is added brings its own.
func others(d *values.Document, p pack.Preset) []string {
	lines := strings.Split(d.Text(), "\n")
	named := make([]bool, len(lines))
	own := func(key *yaml.Node, whole bool) {
		first := key.Line - 1
		for i := first - 1; i >= 0 && strings.HasPrefix(strings.TrimSpace(lines[i]), "#"); i-- {
			named[i] = true
		}
		last := first
		for i := first + 1; whole && i < len(lines); i++ {
			content := strings.TrimLeft(lines[i], " ")
			indent := len(lines[i]) - len(content)
			if content != "" && (indent < key.Column-1 || indent == key.Column-1 && !strings.HasPrefix(content, "-")) {
				break
			}
			if content != "" {
				last = i
			}
		}
		for i := first; i <= last; i++ {
			named[i] = true
		}
	}
	for _, path := range p.Remove {
		for i, m := range append(values.Find(d.Root(), path), above(d, path)...) {
			if m.Key != nil {
				own(m.Key, i < len(values.Find(d.Root(), path)))
			}
		}
	}
	var walk func(add, n *yaml.Node)
	walk = func(add, n *yaml.Node) {
		for i := 0; n != nil && i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
			added := values.Field(add, n.Content[i].Value)
			if added == nil {
				continue
			}
			own(n.Content[i], added.Kind != yaml.MappingNode || n.Content[i+1].Kind != yaml.MappingNode)
			walk(added, n.Content[i+1])
		}
	}
	if p.Add != nil {
		walk(p.Add.Root(), d.Root())
	}
	var left []string
	for i, line := range lines {
		if !named[i] && strings.TrimSpace(line) != "" && !strings.Contains(line, markerKey) {
			left = append(left, line)
		}
	}
	return left
}

// above finds the values above a path.
func above(d *values.Document, path values.Path) []values.Match {
	text := path.String()
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 {
		return nil
	}
	above, err := values.ParsePath(text[:dot])
	if err != nil {
		return nil
	}
	return values.Find(d.Root(), above)
}

// The presets that a pack's own marker lists are applied already, except where
// its author changed the values since.
func TestCorpusMarkers(t *testing.T) {
	for _, dir := range corpusPacks(t) {
		name := filepath.Base(dir)
		d, presets := readPack(t, dir)
		_, line := marker(d, nil)
		if line == "" {
			continue
		}
		var names []string
		for entry := range strings.SplitSeq(line[strings.Index(line, markerKey)+len(markerKey):], ",") {
			if entry = strings.TrimSpace(entry); entry != "" {
				names = append(names, entry)
			}
		}
		chosen, faults := Choose(presets, names...)
		if len(faults) > 0 {
			t.Errorf("%s: %v", name, faults)
			continue
		}
		var enabled []pack.Preset
		for _, c := range chosen {
			enabled = append(enabled, c.Preset)
		}
		after, err := outcome(d.Root(), enabled)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var changed []string
		walkBoth(d.Root(), after, nil, func(at []string, _, _ *yaml.Node) { changed = append(changed, strings.Join(at, ".")) })
		result, err := Apply(d, enabled...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(changed, ", "); got != drifted[name] {
			t.Errorf("%s: its own presets %q change %q, want %q", name, names, got, drifted[name])
		}
		if _, now := marker(result, nil); now != line || drifted[name] == "" && result != d {
			t.Errorf("%s: the marker, or the text, changed:\n%s", name, cmp.Diff(d.Text(), result.Text()))
		}
	}
}
