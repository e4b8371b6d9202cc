package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// The files of a pack with faults, for its resources in all forms.
var (
	faultyMetadata = `{"name": "registry", "version": "1.0.0", "constraints": {"resources": [{"type": "memory", "minLimit": "2048"}], "dependencies": [{"packName": "other"}]}}`
	faultyValues   = "# spectrocloud.com/enabled-presets: Size:small\nregistry:\n  # é 😀\n  port: 70000 # the port\n  replicas: 1\n\nkind: fidst\nquoted: 'a: \"b\"'\ncharts:\n  web:\n    replicas: 1\n"
	faultySchema   = "registry.port:\n  schema: '{{ required | format \"${number:[1-65535]}\" }}'\nkind:\n  schema: '{{ required | format \"${list:[first,second]}\" }}'\n"
	faultyPresets  = "presets:\n- name: small\n  group: Size\n  add: |\n    registry:\n      replicas: 1\n- name: large\n  group: Size\n  remove: [quoted]\n  add: |\n    registry:\n      replicas: 3   # an odd number\n      spread: true\n- name: watched\n  add: {metrics: {enabled: true}}\n"
	faultyOverride = "mode: x\n# two for the site\nreplicas: 2 # of them\ncharts.web.size: 5\n"
)

const packPath, sitePath = "platform/registry.yaml", "platform/site.yaml"

// faultyForms are the forms of a pack and an override.
var faultyForms = map[string]func() (pack, override string){
	"block": func() (string, string) {
		return configMap("registry", "", block, "pack.json", faultyMetadata+"\n", "values.yaml", faultyValues, "schema.yaml", faultySchema, "presets.yaml", faultyPresets),
			configMap("site", "registry", block, "values.yaml", faultyOverride)
	},
	"quoted": func() (string, string) {
		return configMap("registry", "", quoted, "pack.json", faultyMetadata, "values.yaml", faultyValues, "schema.yaml", faultySchema, "presets.yaml", faultyPresets),
			configMap("site", "registry", quoted, "values.yaml", faultyOverride)
	},
	"JSON": func() (string, string) {
		data := map[string]string{"pack.json": faultyMetadata, "values.yaml": faultyValues, "schema.yaml": faultySchema, "presets.yaml": faultyPresets}
		pack := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "registry"}, "data": data}
		override := map[string]any{
			"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "PackValues", "metadata": map[string]any{"name": "site"},
			"spec": map[string]any{"packRef": map[string]any{"name": "registry"}, "values": map[string]any{"mode": "x", "replicas": 2, "charts.web.size": 5}},
		}
		a, _ := json.MarshalIndent(pack, "", "  ")
		b, _ := json.Marshal(override)
		return string(a) + "\n", string(b) + "\n"
	},
	"typed": func() (string, string) {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: registry # é\nspec:\n  version: 1.0.0\n  constraints:\n    resources: [{type: memory, minLimit: \"2048\"}]\n    dependencies: [{packName: other}]\n" +
				"  values:\n" + indented(faultyValues, "    ") + "  schema:\n" + indented(faultySchema, "    ") + "  presets:\n" + indented(strings.TrimPrefix(faultyPresets, "presets:\n"), "  "),
			"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: site}\nspec:\n  packRef: {name: registry}\n  values:\n" + indented(faultyOverride, "    ")
	},
	"typed texts": func() (string, string) {
		return "# ours\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: registry}\nspec:\n  version: 1.0.0\n  values: |-\n" + indented(faultyValues, "        ") +
				"  schema: " + quoted(faultySchema) + "\n  presets: |\n" + indented(faultyPresets, "    "),
			"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: site}\nspec:\n  packRef: {name: registry}\n  values: " + quoted(faultyOverride) + "\n"
	},
}

func indented(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(by)
		}
		b.WriteString(line)
	}
	return b.String()
}

func block(text string) string { return "|\n" + strings.TrimSuffix(indented(text, "    "), "\n") }

func quoted(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

func configMap(name, of string, write func(string) string, files ...string) string {
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\n"
	if of != "" {
		text += "    packs.kpt.dev/values-of: " + of + "\n"
	}
	text += "data:\n"
	for i := 0; i < len(files); i += 2 {
		text += "  " + files[i] + ": " + write(files[i+1]) + "\n"
	}
	return text
}

// contentOf returns all values of the resources of a text, also of the documents in them, by
// their paths.
func contentOf(t *testing.T, text string) map[string]string {
	t.Helper()
	content := map[string]string{}
	var add func(path string, n *yaml.Node)
	add = func(path string, n *yaml.Node) {
		switch {
		case n.Kind == yaml.MappingNode:
			content[path] = "a map"
			for _, pair := range values.Pairs(n) {
				add(path+"/"+pair.Key.Value, pair.Value)
			}
		case n.Kind == yaml.SequenceNode:
			for i, element := range n.Content {
				add(fmt.Sprintf("%s/%d", path, i), element)
			}
		case !strings.Contains(path, "/metadata/") && (strings.Contains(n.Value, "\n") || strings.HasPrefix(n.Value, "{")):
			document, err := values.Parse(n.Value)
			if err == nil && document.Root() != nil && document.Root().Kind == yaml.MappingNode {
				add(path, document.Root())
				return
			}
			fallthrough
		default:
			content[path] = n.ShortTag() + " " + n.Value
		}
	}
	for i, item := range list.FileItems([]byte(text), "a.yaml") {
		document, err := item.Document()
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		add(fmt.Sprint(i), document.Root())
	}
	return content
}

// changedPaths are the paths at which the content of texts differs.
func changedPaths(before, after map[string]string) []string {
	all := maps.Clone(before)
	maps.Copy(all, after)
	var changed []string
	for _, path := range slices.Sorted(maps.Keys(all)) {
		a, inA := before[path]
		b, inB := after[path]
		if inA != inB || a != b {
			changed = append(changed, path)
		}
	}
	return changed
}

// isMeant reports whether an action may change what a file has at a path.
func isMeant(title, path string) bool {
	annotation := func(name string) bool { return strings.HasSuffix(path, "/metadata/annotations/packs.kpt.dev/"+name) }
	switch {
	case path == "0/metadata/annotations":
		return !strings.HasPrefix(title, "Write") && !strings.HasPrefix(title, "Put")
	case strings.HasPrefix(title, "Accept"):
		return annotation("accept")
	case strings.HasPrefix(title, "Write"):
		return slices.ContainsFunc([]string{"/kind", "/minLimit", "/type"}, func(end string) bool { return strings.HasSuffix(path, end) })
	case strings.HasPrefix(title, "Put it below"):
		return slices.ContainsFunc([]string{"/replicas", "/charts", "/web", "/charts.web.size", "/web/size"}, func(end string) bool { return strings.HasSuffix(path, end) })
	case strings.HasSuffix(path, "/configMap") || strings.HasSuffix(path, "/configMap/registry"):
		return true
	}
	return annotation("applied-presets") || annotation("preset-leaves") ||
		slices.ContainsFunc([]string{"/registry/replicas", "/spread", "/quoted", "/metrics", "/metrics/enabled"}, func(end string) bool { return strings.HasSuffix(path, end) })
}

// Whatever actions follow each other, each changes what it says and nothing else, in texts of
// all forms.
func TestActionsChangeWhatTheySay(t *testing.T) {
	const kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: platform\npipeline:\n  mutators:\n  - image: ghcr.io/krm-packs/apply-preset:v0.1.0\n    configMap:\n      registry: Size:small, watched # é\n"
	done := map[string]int{}
	for seed := range uint64(20) {
		names := slices.Sorted(maps.Keys(faultyForms))
		form, end := names[seed%5], []string{"\n", "\r\n"}[seed/5%2]
		encoding := []string{utf16Encoding, utf8Encoding}[seed%2]
		random := rand.New(rand.NewPCG(seed, 7))
		pack, override := faultyForms[form]()
		texts := map[string]string{packPath: pack, sitePath: override, "platform/Kptfile": kptfile}
		if seed >= 10 { // no pipeline changes the values
			texts["platform/Kptfile"], _, _ = strings.Cut(kptfile, "pipeline:")
		}
		c := launch(t, texts)
		var result json.RawMessage
		c.initialize(map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{encoding}}}}, &result)
		buffers := map[string]*buffer{}
		for name, text := range texts {
			buffers[name] = newBuffer(strings.ReplaceAll(text, "\n", end), encoding)
			c.open(name, buffers[name].text)
		}
		for step := range 8 {
			name := []string{packPath, sitePath}[random.IntN(2)]
			if step == 0 && seed%3 == 0 {
				name = packPath
			}
			actions := c.actions(name, span{End: position{Line: 1000}}, kindFix)
			presetLine := slices.IndexFunc(strings.Split(buffers[packPath].text, "\n"), func(line string) bool { return strings.Contains(line, "apiVersion") })
			if name == packPath {
				actions = append(actions, c.actions(name, span{position{Line: presetLine}, position{Line: presetLine}}, kindPreset)...)
			}
			if len(actions) == 0 {
				continue
			}
			action := actions[random.IntN(len(actions))]
			word, _, _ := strings.Cut(action.Title, " ")
			done[form+" "+word]++
			open := func() int { // findings of the rule that are not accepted
				code := action.Title[strings.LastIndexByte(action.Title, '(')+1:]
				n := 0
				for _, line := range c.diagnostics() {
					if strings.HasSuffix(line, " "+strings.TrimSuffix(code, ")")) {
						n++
					}
				}
				return n
			}
			before := 0
			if word == "Accept" {
				before = open()
			}
			if len(action.Edit.Changes) == 0 {
				t.Errorf("seed %d, %s: %s changes nothing", seed, form, action.Title)
			}
			for uri, edits := range action.Edit.Changes {
				rel, err := filepath.Rel(c.dir, pathOf(uri))
				if err != nil || buffers[rel] == nil {
					t.Fatalf("%s changes %s", action.Title, uri)
				}
				old, after := buffers[rel], buffers[rel]
				for _, e := range slices.Backward(edits) {
					after = after.change(&e.Range, e.NewText)
				}
				for _, path := range changedPaths(contentOf(t, old.text), contentOf(t, after.text)) {
					if !isMeant(action.Title, path) {
						t.Errorf("seed %d, %s: %q changes %s in\n%s", seed, form, action.Title, path, after.text)
					}
				}
				if end == "\r\n" && strings.Count(after.text, "\n") != strings.Count(after.text, end) {
					t.Errorf("seed %d, %s: %q makes other ends of lines in %q", seed, form, action.Title, after.text)
				}
				for _, kept := range []string{"é", "# the port", "# of them"} {
					if strings.Count(old.text, kept) != strings.Count(after.text, kept) && !strings.Contains(action.Title, "preset") {
						t.Errorf("seed %d, %s: %q loses %q in\n%s", seed, form, action.Title, kept, after.text)
					}
				}
				buffers[rel] = after
				c.change(rel, step+2, map[string]any{"text": after.text})
			}
			if word == "Accept" && open() >= before {
				t.Errorf("seed %d, %s: %q accepts nothing", seed, form, action.Title)
			}
		}
		c.diagnostics()
	}
	for form := range faultyForms {
		for _, word := range []string{"Accept", "Apply", "Put", "Write"} {
			if done[form+" "+word] == 0 {
				t.Errorf("%s: nothing is tried with %s", word, form)
			}
		}
	}
	if t.Failed() || testing.Verbose() {
		t.Log(done)
	}
}

// Edits make the other text, and leave what both have.
func TestDifferences(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a: 1\n", "b: 😀\r\n", "- x\n", "-- y\n", "++\n", "@@ -1 +1 @@\n", "é", "\r", "\n", "  z"}
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 3000 {
		before, after := text(), text()
		b := newBuffer(before, utf16Encoding)
		edits := b.differences(after)
		got := b
		for _, e := range slices.Backward(edits) {
			got = got.change(&e.Range, e.NewText)
		}
		if got.text != after {
			t.Fatalf("%q to %q: %+v make %q", before, after, edits, got.text)
		}
	}
	b := newBuffer("a: 1\nb: 2\nc: 3\nd: 4\n", utf16Encoding)
	want := []textEdit{{span{position{0, 3}, position{0, 4}}, "5"}, {span{position{3, 0}, position{4, 0}}, ""}}
	if got := b.differences("a: 5\nb: 2\nc: 3\n"); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}
