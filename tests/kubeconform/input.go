package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/tests/bench/generate"
)

type object = map[string]any

// formats are the formats of the generated schemas as JSON schemas.
var formats = map[string]object{
	`${number:[1-9]}`:       {"type": "number", "minimum": 1, "maximum": 9},
	`${number:[8000-9000]}`: {"type": "number", "minimum": 8000, "maximum": 9000},
	`${version}`:            {"type": "string", "pattern": `^v?\d+(\.\d+)*([-+].*)?$`},
	`${list:[ClusterIP,NodePort,LoadBalancer]}`: {"enum": []string{"ClusterIP", "NodePort", "LoadBalancer"}},
	`${ipv4} - ${ipv4}`:                         {"type": "string", "pattern": `^` + ipv4 + ` - ` + ipv4 + `$`},
	`${string}/${string}`:                       {"type": "string", "pattern": `.+/.+`},
	`${string:/^([a-z0-9].*)$/}`:                {"type": "string", "pattern": `^([a-z0-9].*)$`},
	`${boolean}`:                                {"type": "boolean"},
	`${password}`:                               {"type": "string"},
	`${string:/^[0-9]+(Mi|Gi)$/}`:               {"type": "string", "pattern": `^[0-9]+(Mi|Gi)$`},
}

const ipv4 = `((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)`

var format = regexp.MustCompile(`format "(.*?)"( \||\s*}})`)

// jsonSchema makes the JSON schema of resources whose spec is what a schema.yaml is about.
func jsonSchema(text string) (object, error) {
	var rules map[string]struct{ Schema string }
	if err := yaml.Unmarshal([]byte(text), &rules); err != nil {
		return nil, err
	}
	spec := object{"type": "object", "properties": object{}}
	for key, rule := range rules {
		found := format.FindStringSubmatch(rule.Schema)
		if found == nil || formats[found[1]] == nil {
			return nil, fmt.Errorf("no JSON schema for %s", rule.Schema)
		}
		value, at := formats[found[1]], spec
		steps := strings.Split(key, ".")
		if steps[len(steps)-1] == "$[]" {
			steps = steps[:len(steps)-1]
			value = object{"type": "array", "items": value}
		}
		for i, step := range steps {
			properties := at["properties"].(object)
			if strings.Contains(rule.Schema, "required") {
				required, _ := at["required"].([]string)
				at["required"] = append(required, step)
			}
			if i == len(steps)-1 {
				properties[step] = value
			} else if properties[step] == nil {
				properties[step] = object{"type": "object", "properties": object{}}
			}
			at = properties[step].(object)
		}
	}
	unique(spec)
	return object{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": []string{"spec"}, "properties": object{"spec": spec}}, nil
}

// unique removes repeated names of required properties, which JSON schema does not allow.
func unique(schema object) {
	if names, ok := schema["required"].([]string); ok {
		seen := map[string]bool{}
		kept := []string{}
		for _, name := range names {
			if !seen[name] {
				kept = append(kept, name)
			}
			seen[name] = true
		}
		schema["required"] = kept
	}
	properties, _ := schema["properties"].(object)
	for _, property := range properties {
		if below, ok := property.(object); ok {
			unique(below)
		}
	}
}

// paths are where an input is.
type paths struct {
	// pkg is a kpt package with a file for each pack, and list the same packs as a
	// ResourceList.
	pkg, list string
	// values has the values of each pack as a resource of its own, and schemas the JSON
	// schema of each kind.
	values, schemas string
}

// writeInput writes packs below a folder, in all forms. values returns the values.yaml of
// the n-th pack.
func writeInput(dir string, packs int, values func(n int) string) (paths, error) {
	p := paths{filepath.Join(dir, "package"), filepath.Join(dir, "list.yaml"), filepath.Join(dir, "values"), filepath.Join(dir, "schemas")}
	write := func(name, text string) error {
		return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
	}
	errs := []error{write(filepath.Join(p.pkg, "Kptfile"), `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: package
`)}
	for k := range generate.Schemas {
		schema, err := jsonSchema(generate.Schema(k))
		if err != nil {
			return p, err
		}
		text, err := json.Marshal(schema)
		errs = append(errs, err, write(filepath.Join(p.schemas, fmt.Sprintf("values%d.json", k)), string(text)))
	}
	var list strings.Builder
	list.WriteString(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
	for n := range packs {
		name := packName(n)
		resource := func(annotations string) string {
			return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ` + name + `
  annotations:
    config.kubernetes.io/local-config: "true"
` + annotations + "data:\n" +
				block("pack.json", fmt.Sprintf("{\"name\": %q, \"version\": \"1.4.%d\", \"layer\": \"addon\"}\n", name, n%20)) +
				block("values.yaml", values(n)) + block("schema.yaml", generate.Schema(n%generate.Schemas))
		}
		errs = append(errs,
			write(filepath.Join(p.pkg, name+".yaml"), resource("")),
			write(filepath.Join(p.values, name+".yaml"), fmt.Sprintf(`apiVersion: example.com/v1
kind: Values%d
metadata:
  name: %s
spec:
%s`, n%generate.Schemas, name, indented(values(n), "  "))))
		item := indented(resource(fmt.Sprintf(`    config.kubernetes.io/index: '0'
    config.kubernetes.io/path: '%[1]s.yaml'
    internal.config.kubernetes.io/index: '0'
    internal.config.kubernetes.io/path: '%[1]s.yaml'
`, name)), "  ")
		list.WriteString("- " + strings.TrimPrefix(item, "  "))
	}
	return p, errors.Join(append(errs, write(p.list, list.String()))...)
}

func packName(n int) string { return "pack-" + strconv.Itoa(n) }

func block(key, text string) string { return "  " + key + ": |\n" + indented(text, "    ") }

func indented(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString(by)
		}
		b.WriteString(line)
	}
	return b.String()
}
