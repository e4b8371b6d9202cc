package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/decode"
)

// chapter is a part of docs/reference.md.
type chapter struct {
	title string
	kinds []entry
}

// entry is a kind, and what it is.
type entry struct{ kind, about string }

// chapters are the kinds of the suite in the order of the page. Other schemas are of kinds that
// others define, or of what packfn prints.
func chapters() []chapter {
	functions := chapter{title: "functionConfigs: fn.kpt.dev/v1alpha1"}
	for _, f := range suite.All() {
		functions.kinds = append(functions.kinds, entry{f.Kind, fmt.Sprintf("The functionConfig of [`%[1]s`](../functions/%[1]s/README.md).", f.Name)})
	}
	return []chapter{
		{"Packs and clusters: packs.kpt.dev/v1alpha1", []entry{
			{"ClusterContext", "The facts of a cluster: what macros read, its machine pools, and what it provides and excludes."},
			{"Pack", "A pack in one resource: every field of pack.json, unknown ones included, and the documents of the pack."},
			{"PackValues", "An override: values on top of those of a pack."},
			{"ClusterProfile", "What a cluster profile of Palette has beside the values of its packs. Fields that are not known here are kept."},
		}},
		{"The configuration of packfn", []entry{{"PackfnConfig", "The settings of a repository, in the file `packfn.yaml`. [A repository and its configuration](configuration.md) says how it is found."}}},
		functions,
		{"Documents of a pack", []entry{
			{"pack.json", "The metadata of a pack, as far as the functions read it. Other fields are kept. Here in YAML, which a Pack has."},
			{"presets.yaml", "The presets of a pack, as a list or below the key `presets`."},
		}},
		{"Policies and manifests of Capact: ocf.capact.io/v1alpha1", []entry{
			{"Policy", "Which Implementations are allowed for each Interface, what is injected into them, and where TypeInstances are stored."},
			{"ImplementationSelection", "What the policies select for an Interface. `select-implementations` writes it."},
			{"TypeInstance", "Something that exists, of a Type."},
			{"Interface", "What can be implemented."},
			{"Implementation", "How an Interface is implemented."},
			{"Type", "A Type of TypeInstances and parameters, with its JSON Schema."},
			{"Attribute", "An attribute that Implementations can have."},
		}},
	}
}

// reference returns docs/reference.md. The fields, types, defaults and meanings are those of
// the schemas, and the order of fields and their examples those of the files in complete/.
func reference(root string, schemas map[string][]byte) ([]byte, error) {
	top, err := os.ReadFile(filepath.Join(root, "build", "schemas", "complete", "top.txt"))
	if err != nil {
		return nil, err
	}
	index, sections, seen := bytes.NewBuffer(top), new(bytes.Buffer), map[string]string{}
	index.WriteString("\n| kind | what it is |\n|---|---|\n")
	for _, chapter := range chapters() {
		fmt.Fprintf(index, "| **%s** | |\n", chapter.title)
		for _, entry := range chapter.kinds {
			kind, about := entry.kind, entry.about
			var schema object
			if err := json.Unmarshal(schemas[fileOf(kind)], &schema); err != nil {
				return nil, fmt.Errorf("%s: %w", kind, err)
			}
			// The extension keeps kpt from reading a pack.json as a resource of this repository.
			text, err := os.ReadFile(filepath.Join(root, "build", "schemas", "complete", strings.TrimSuffix(fileOf(kind), ".json")+".yaml"))
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(index, "| [`%s`](#%s) | %s |\n", kind, strings.ToLower(strings.ReplaceAll(kind, ".", "")), about)
			table, err := tableOf(kind, schema, text, seen)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kind, err)
			}
			fmt.Fprintf(sections, "\n## %s\n\n%s\n\n%s%s\n```yaml\n%s```\n", kind, about, shortForm(kind), table, text)
		}
	}
	index.Write(sections.Bytes())
	return index.Bytes(), nil
}

// shortForm says which options a ConfigMap can hold, "" for a kind that is no functionConfig.
func shortForm(kind string) string {
	for _, f := range suite.All() {
		if f.Kind != kind {
			continue
		}
		config := f.New().Config()
		keys := decode.FlatNames(config)
		if more, ok := config.(decode.DataReader); ok {
			forms, _ := more.DataKeys("")
			keys = slices.Concat(forms, keys)
			if len(forms) == 0 { // any key is a pack
				keys = slices.Insert(keys, 0, "PACK")
			}
		}
		return "Keys of the short form, a ConfigMap: `" + strings.Join(keys, "`, `") + "`.\n\n"
	}
	return ""
}

// tableOf returns the fields of the schema of a kind as a table. The example must have each of
// them. seen are large objects, and the kinds that have their fields.
func tableOf(kind string, schema object, example []byte, seen map[string]string) (string, error) {
	var documents []*yaml.Node
	for decoder := yaml.NewDecoder(bytes.NewReader(example)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); err == io.EOF {
			break
		} else if err != nil {
			return "", err
		}
		documents = append(documents, document.Content...)
	}
	t := &table{kind: kind, seen: seen}
	t.value(schema, documents, "")
	if len(t.missing) > 0 {
		return "", fmt.Errorf("build/schemas/complete has no example of %s", strings.Join(t.missing, ", "))
	}
	if len(t.silent) > 0 {
		return "", fmt.Errorf("no comment or tag says what these fields are: %s", strings.Join(t.silent, ", "))
	}
	return "| field | type | default | example | meaning |\n|---|---|---|---|---|\n" + t.rows.String(), nil
}

// table collects the rows of a schema.
type table struct {
	kind            string
	seen            map[string]string
	rows            strings.Builder
	missing, silent []string
}

// large is the number of fields from which on an object is listed once on the page.
const large = 6

// elsewhere returns the kind that lists the fields of an object, or of the entries of a list, ""
// if this one does.
func (t *table) elsewhere(schema object) string {
	if items, ok := schema["items"].(object); ok {
		schema = items
	}
	if properties, _ := schema["properties"].(object); len(properties) < large {
		return ""
	}
	text, _ := json.Marshal(schema["properties"]) // which was read from JSON
	kind, ok := t.seen[string(text)]
	if !ok {
		t.seen[string(text)] = t.kind
	}
	return kind
}

// value adds what is below a path: of a list its entries, and of a map with names that users
// choose its values. nodes are all examples of it.
func (t *table) value(schema object, nodes []*yaml.Node, path string) {
	switch {
	case schema["properties"] != nil:
		t.fields(schema, nodes, path)
	case isObject(schema["items"]):
		t.value(schema["items"].(object), entries(nodes, yaml.SequenceNode), path+"[]")
	case isObject(schema["additionalProperties"]):
		t.value(schema["additionalProperties"].(object), entries(nodes, yaml.MappingNode), path+".NAME")
	}
}

func isObject(of any) bool { _, ok := of.(object); return ok }

// entries returns the entries of lists, or the values of mappings.
func entries(nodes []*yaml.Node, kind yaml.Kind) []*yaml.Node {
	var all []*yaml.Node
	for _, n := range nodes {
		for i, child := range n.Content {
			if n.Kind == kind && (kind == yaml.SequenceNode || i%2 == 1) {
				all = append(all, child)
			}
		}
	}
	return all
}

// fields adds a row for each field, in the order of the examples.
func (t *table) fields(schema object, nodes []*yaml.Node, path string) {
	properties := schema["properties"].(object)
	examples := map[string][]*yaml.Node{}
	var order []string
	for _, n := range nodes {
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			if examples[name] == nil && isObject(properties[name]) {
				order = append(order, name)
			}
			examples[name] = append(examples[name], n.Content[i+1])
		}
	}
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(order, name) {
			t.missing = append(t.missing, strings.TrimPrefix(path+"."+name, "."))
		}
	}
	for _, name := range order {
		property := properties[name].(object)
		at, elsewhere := strings.TrimPrefix(path+"."+name, "."), ""
		if path != "" || !slices.Contains([]string{"apiVersion", "kind", "metadata", "spec"}, name) {
			elsewhere = t.elsewhere(property)
			t.row(at, name, property, examples[name], slices.Contains(required, any(name)), elsewhere)
		}
		if elsewhere == "" {
			t.value(property, examples[name], at)
		}
	}
}

// row adds the row of a field. elsewhere is the kind that lists its fields, "" for this one.
func (t *table) row(path, name string, schema object, examples []*yaml.Node, required bool, elsewhere string) {
	text, _ := schema["description"].(string)
	text, absent, _ := strings.Cut(text, absentMark)
	meaning, isGroup := meaningOf(name, text), schema["properties"] != nil
	if options := optionsOf(schema); len(options) > 1 {
		meaning += " One of `" + strings.Join(options, "`, `") + "`."
	}
	if elsewhere != "" {
		meaning += fmt.Sprintf(" The fields are those in [%s](#%s).", elsewhere, strings.ToLower(elsewhere))
	}
	switch value := schema["default"]; {
	case required:
		absent = "required"
	case value != nil:
		absent = fmt.Sprintf("`%v`", value)
	case absent != "":
		absent = strings.TrimSuffix(absent, ".")
	case schema["type"] == "boolean":
		absent = "`false`"
	default:
		absent = "–"
	}
	if text == "" {
		if isGroup { // the rows of its fields say it
			return
		}
		t.silent = append(t.silent, path)
	}
	example := ""
	if !isGroup && typeOf(schema) != "list of objects" {
		example = exampleOf(examples)
	}
	fmt.Fprintf(&t.rows, "| `%s` | %s | %s | %s | %s |\n", path, typeOf(schema), absent, example, strings.ReplaceAll(strings.TrimSpace(meaning), "|", `\|`))
}

// optionsOf returns the accepted texts of a field, or of the entries of a list.
func optionsOf(schema object) []string {
	if items, ok := schema["items"].(object); ok {
		schema = items
	}
	var options []string
	enum, _ := schema["enum"].([]any)
	for _, option := range enum {
		options = append(options, fmt.Sprint(option))
	}
	return options
}

// typeOf names the type of a field as YAML does.
func typeOf(schema object) string {
	names := map[string]string{"array": "list", "object": "map"}
	switch kind := schema["type"].(type) {
	case string:
		switch {
		case kind == "array" && isObject(schema["items"]):
			items := schema["items"].(object)
			if items["properties"] != nil {
				return "list of objects"
			} else if items["type"] != nil {
				return "list of " + typeOf(items) + "s"
			}
		case kind == "object" && schema["properties"] != nil:
			return "object"
		case kind == "object" && isObject(schema["additionalProperties"]):
			if of := schema["additionalProperties"].(object); of["properties"] != nil {
				return "map of objects"
			} else if of["type"] != nil {
				return "map of " + strings.ReplaceAll(typeOf(of), " or ", "s or ") + "s"
			}
		}
		if name := names[kind]; name != "" {
			return name
		}
		return kind
	case []any:
		if len(kind) == 3 { // text, in whichever way YAML reads it
			return "string or number"
		}
		var all []string
		for _, one := range kind {
			name := fmt.Sprint(one)
			if names[name] != "" {
				name = names[name]
			}
			all = append(all, name)
		}
		return strings.Join(all, " or ")
	}
	return "any"
}

// meaningOf returns the comment of a field as a sentence without its Go name.
func meaningOf(name, comment string) string {
	first, rest, _ := strings.Cut(comment, " ")
	if !strings.EqualFold(first, name) {
		return comment
	}
	for _, verb := range []string{"is ", "are "} {
		if text, ok := strings.CutPrefix(rest, verb); ok {
			return strings.ToUpper(text[:1]) + text[1:]
		}
	}
	return strings.ToUpper(rest[:1]) + rest[1:]
}

// exampleOf returns the first example that fits on a line, "" for none.
func exampleOf(nodes []*yaml.Node) string {
	for _, n := range nodes {
		n := *n
		if n.Kind != yaml.ScalarNode {
			n.Style = yaml.FlowStyle
		}
		text, err := yaml.Marshal(uncommented(&n))
		if line := strings.TrimSpace(string(text)); err == nil && len(line) <= 60 && !strings.Contains(line, "\n") {
			return "`" + strings.ReplaceAll(line, "|", `\|`) + "`"
		}
	}
	return ""
}

// uncommented returns a copy of a node without comments.
func uncommented(n *yaml.Node) *yaml.Node {
	plain := *n
	plain.HeadComment, plain.LineComment, plain.FootComment, plain.Content = "", "", "", nil
	for _, child := range n.Content {
		plain.Content = append(plain.Content, uncommented(child))
	}
	return &plain
}
