package history

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tester is a test, or one draw of a property.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

const localConfig = `
  annotations:
    config.kubernetes.io/local-config: "true"
`

// print returns the lines of entries, indented, in the order of their first keys.
func print(entries []entry, indent string) string {
	var b strings.Builder
	parent := ""
	for _, e := range entries {
		at, key := indent, e.path
		if above, name, isBelow := strings.Cut(e.path, "."); isBelow {
			if above != parent {
				fmt.Fprintf(&b, "%s%s:\n", indent, above)
			}
			parent, at, key = above, indent+"  ", name
		}
		for _, line := range e.value.lines(key) {
			b.WriteString(at + line + "\n")
		}
	}
	return b.String()
}

// lines returns the lines of a value with its key.
func (v value) lines(key string) []string {
	return append([]string{strings.TrimRight(key+": "+v[0], " ")}, v[1:]...)
}

// printPresets returns a presets.yaml.
func printPresets(presets []entry, indent string) string {
	var b strings.Builder
	b.WriteString(indent + "presets:\n")
	for _, name := range []string{"small", "large", "ha"} {
		fmt.Fprintf(&b, "%s- name: %s\n", indent, name)
		if name == "ha" {
			b.WriteString(indent + "  remove: [server.mode]\n")
		} else {
			b.WriteString(indent + "  group: size\n")
		}
		var sets []entry
		for _, e := range presets {
			if path, isOf := strings.CutPrefix(e.path, name+"."); isOf {
				sets = append(sets, entry{path, e.value})
			}
		}
		b.WriteString(indent + "  add: |\n" + print(sets, indent+"    "))
	}
	return b.String()
}

// resource returns the pack web.
func (v version) resource(form string) string {
	if form == "files" {
		return `apiVersion: v1
kind: ConfigMap
metadata:
  name: web` + localConfig + `data:
  pack.json: |
    {"name": "web", "version": "` + v.number + `"}
  values.yaml: |
` + print(v.values, "    ") + "  presets.yaml: |\n" + printPresets(v.presets, "    ")
	}
	block := map[string]string{"text": " |", "yaml": ""}[form]
	return `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: web` + localConfig + `spec:
  version: ` + v.number + `
  values:` + block + "\n" + print(v.values, "    ") + "  presets: |\n" + printPresets(v.presets, "    ")
}

// directory writes the pack as it is published.
func (v version) directory(t tester, dir string) {
	writeFiles(t, dir, map[string]string{
		"pack.json":    "{\"name\": \"web\", \"version\": \"" + v.number + "\"}\n",
		"values.yaml":  print(v.values, ""),
		"presets.yaml": printPresets(v.presets, ""),
	})
}

// of returns the entries of a resource.
func (h *history) of(resource string) []entry {
	var all []entry
	for i, v := range h.values[resource] {
		all = append(all, entry{otherKeys[i], v})
	}
	return all
}

func (h *history) fileOf(resource string) string {
	if resource == "cache" {
		return "sub/cache.yaml"
	}
	return resource + ".yaml"
}

// pathOf returns the keys of the values in the file of a resource.
func (h *history) pathOf(resource string) string {
	switch {
	case resource == "thing":
		return "spec."
	case resource == "web" && h.form == "files":
		return "data.values/yaml."
	}
	return "spec.values."
}

const facts = `  system:
    cluster:
      name: first
  variables:
    DOMAIN: example
`

func config(kind, name, spec string) string {
	return `apiVersion: fn.kpt.dev/v1alpha1
kind: ` + kind + `
metadata:
  name: ` + name + localConfig + "spec:\n" + spec
}

// files returns the files of the package with a version of web, before any render.
func (h *history) files(v version) map[string]string {
	const chosen = `  resources:
  - kind: Thing
`
	resolve := `  - exec: resolve-macros
    configPath: second.yaml
`
	files := map[string]string{
		"web.yaml": v.resource(h.form),
		"db.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: db` + localConfig + `spec:
  version: 1.0.0
  values:
` + print(h.of("db"), "    "),
		"over.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: over` + localConfig + `spec:
  packRef:
    name: web
  values: |
` + print(h.of("over"), "    "),
		"thing.yaml": `apiVersion: example.com/v1
kind: Thing
metadata:
  name: thing
spec:
` + print(h.of("thing"), "  "),
		"second.yaml": config("ResolveMacros", "second", chosen),
	}
	if h.isTwice {
		files["first.yaml"] = config("ResolveMacros", "first", `  missing: keep
  variables:
    DOMAIN: example
`+map[bool]string{false: chosen}[h.isLate])
		files["second.yaml"] = config("ResolveMacros", "second", chosen+`  system:
    cluster:
      name: first
  variables:
    OTHER: x
`)
		resolve = `  - exec: resolve-macros
    configPath: first.yaml
` + resolve
	} else {
		files["cluster.yaml"] = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: cluster` + localConfig + "spec:\n" + facts
	}
	if h.hasSub {
		files["sub/Kptfile"] = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: sub
pipeline:
  mutators:
  - exec: resolve-macros
    configPath: facts.yaml
`
		files["sub/facts.yaml"] = config("ResolveMacros", "facts", `  missing: keep
  variables:
    DOMAIN: sub
`)
		files["sub/cache.yaml"] = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: cache` + localConfig + `spec:
  version: 1.0.0
  values: |
` + print(h.of("cache"), "    ")
	}
	files["Kptfile"] = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: platform
pipeline:
  mutators:
  - exec: apply-preset
    configMap:
      web: size:large,ha
` + resolve
	return files
}

func writeFiles(t tester, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// readFiles returns the files below a folder.
func readFiles(t tester, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, relErr := filepath.Rel(dir, path)
		if err == nil {
			err = relErr
		}
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// indents returns the indentation of each line. A line that continues a scalar in quotes, as
// merges write them, is far below its key.
func indents(lines []string) []int {
	var all []int
	quote := ""
	for _, line := range lines {
		text, _, _ := strings.Cut(strings.TrimLeft(line, " "), " #")
		isFirst := quote == ""
		if isFirst {
			all = append(all, indentOf(line))
			if _, text, _ = strings.Cut(text, ": "); text == "" || text[0] != '\'' && text[0] != '"' {
				continue
			}
			quote = text[:1]
		} else {
			all = append(all, len(line)+1000)
		}
		if isOdd := strings.Count(strings.ReplaceAll(text, `\"`, ""), quote)%2 == 1; isOdd != isFirst {
			quote = ""
		}
	}
	return all
}

// find returns the lines of a value by its keys, and false if it is not there. Then begin is
// where it would be appended, and indent that of its key, -1 if what is above it is not there.
func find(lines []string, path string) (begin, end, indent int, found bool) {
	begin, end, indent = 0, len(lines), 0
	in := indents(lines)
	for i, key := range strings.Split(path, ".") {
		key = strings.ReplaceAll(key, "/", ".")
		if i > 0 {
			above := indent
			if begin++; begin >= end {
				return begin, end, -1, false
			}
			if indent = in[begin]; indent <= above {
				return begin, end, -1, false
			}
		}
		at := begin
		for at < end && (in[at] != indent || !strings.HasPrefix(lines[at][indent:], key+":")) {
			at++
		}
		if at == end {
			if i < strings.Count(path, ".") {
				indent = -1
			}
			return end, end, indent, false
		}
		begin = at
		for at++; at < end && (in[at] > indent || lines[at] == "" || in[at] == indent && strings.HasPrefix(lines[at][indent:], "- ")); {
			at++
		}
		end = at
	}
	return begin, end, indent, true
}

const marker = " # kpt-macro: "

// set writes a value into a text, as a person would, and reports whether it could.
func set(text, path string, to value, keeps bool) (string, bool) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	begin, end, indent, found := find(lines, path)
	if indent < 0 {
		return text, false
	}
	written := to.lines(strings.ReplaceAll(path[strings.LastIndexByte(path, '.')+1:], "/", "."))
	for i, line := range written {
		written[i] = strings.Repeat(" ", indent) + line
	}
	if _, comment, has := strings.Cut(lines[min(begin, len(lines)-1)], marker); found && has && keeps && end == begin+1 && len(written) == 1 && strings.Contains(written[0], "{{") {
		written[0] += marker + comment
	}
	if !found {
		end = begin
	}
	return strings.Join(slices.Replace(lines, begin, end, written...), "\n") + "\n", true
}

// remove deletes a value from a text, if it is there and its map keeps another one.
func remove(text, path string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if begin, end, _, found := find(lines, path); found {
		lines = slices.Delete(lines, begin, end)
	}
	return strings.Join(lines, "\n") + "\n"
}
