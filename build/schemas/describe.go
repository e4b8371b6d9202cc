package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/cli"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/selector"
)

const module = "github.com/krm-packs/functions/"

const draft = "https://json-schema.org/draft/2020-12/schema"

type object = map[string]any

// fileOf is the name of the file of a kind, or of a document of a pack, `presets.yaml`.
func fileOf(kind string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(kind, ".yaml"), ".json", "json")) + ".json"
}

// id is where editors find the schema of a kind.
func id(kind string) string {
	return "https://raw.githubusercontent.com/krm-packs/functions/main/build/schemas/" + fileOf(kind)
}

// describer makes schemas of Go types.
type describer struct {
	root string
	// comments are those of the types and fields of a package: `Type` and
	// `Type.Field`.
	comments map[string]map[string]string
}

// kind describes a resource with a spec.
func (d *describer) kind(apiVersion, kind string, spec any) (object, error) {
	t := reflect.TypeOf(spec).Elem()
	described, err := d.describe(t)
	if err != nil {
		return nil, err
	}
	comment, err := d.comment(t, "")
	if err != nil {
		return nil, err
	}
	return object{
		"$schema":     draft,
		"$id":         id(kind),
		"title":       kind,
		"description": comment,
		"type":        "object",
		"properties": object{
			"apiVersion": object{"const": apiVersion},
			"kind":       object{"const": kind},
			"metadata":   object{"type": "object"},
			"spec":       described,
		},
		"required":             []string{"apiVersion", "kind", "metadata"},
		"additionalProperties": false,
	}, nil
}

// document describes a document that is not a resource.
func (d *describer) document(title string, t reflect.Type) (object, error) {
	described, err := d.describe(t)
	if err != nil {
		return nil, err
	}
	comment, err := d.comment(t, "")
	described["$schema"], described["$id"], described["title"], described["description"] = draft, id(title), title, comment
	return described, err
}

// describe makes the schema of a type.
func (d *describer) describe(t reflect.Type) (object, error) {
	switch t {
	case reflect.TypeFor[*yaml.Node](), reflect.TypeFor[pack.Field]():
		return object{}, nil
	case reflect.TypeFor[pack.Text]():
		return object{"type": anyScalar}, nil
	case reflect.TypeFor[pack.Facts]():
		return systemFacts(), nil
	case reflect.TypeFor[manifest.Requirements]():
		prefix, err := d.describe(t.Elem())
		return object{"type": "object", "additionalProperties": prefix}, err
	case reflect.TypeFor[cli.Paths]():
		return object{"type": []string{"string", "array"}, "items": object{"type": "string"}}, nil
	case reflect.TypeFor[cli.FailOn]():
		one := object{"type": "string", "enum": cli.FailOns}
		return object{"anyOf": []object{one, {"type": "array", "items": one}}}, nil
	case reflect.TypeFor[selector.LabelSelector]():
		return object{"type": []string{"string", "object"}}, nil
	}
	if takesForms := reflect.PointerTo(t).Implements(reflect.TypeFor[decode.Decoder]()); takesForms && (t.Kind() == reflect.String || t.Kind() == reflect.Struct && !hasFields(t)) {
		return object{}, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.describe(t.Elem())
	case reflect.String:
		return object{"type": "string"}, nil
	case reflect.Bool:
		return object{"type": "boolean"}, nil
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}, nil
	case reflect.Interface:
		return object{}, nil
	case reflect.Slice:
		items, err := d.describe(t.Elem())
		return object{"type": "array", "items": items}, err
	case reflect.Map:
		values, err := d.describe(t.Elem())
		return object{"type": "object", "additionalProperties": values}, err
	default:
		return d.structure(t)
	}
}

// anyScalar is the type of a field that takes any scalar.
var anyScalar = []string{"string", "number", "boolean"}

// absentMark is between the comment of a field and what holds without it, where that is no
// value that could be written: the tag absent. The tag default has values.
const absentMark = " Default: "

// systemFacts describes the system facts by their names. A name can also be written with dots.
func systemFacts() object {
	root := object{"type": "object", "properties": object{}}
	for _, name := range pack.SystemNames() {
		at, steps := root, strings.Split(name, ".")
		for i, step := range steps {
			properties := at["properties"].(object)
			switch _, ok := properties[step]; {
			case i == len(steps)-1:
				var of any = "string"
				if !new(pack.Facts).IsString(name) {
					of = anyScalar
				}
				properties[step] = object{"type": of, "description": "The value of `.spectro.system." + name + "`."}
			case !ok:
				properties[step] = object{"type": "object", "properties": object{}}
			}
			at = properties[step].(object)
		}
	}
	return root
}

// hasFields reports whether a struct has fields that are read.
func hasFields(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("json") != "" {
			return true
		}
	}
	return false
}

func (d *describer) structure(t reflect.Type) (object, error) {
	properties, required := object{}, []string{}
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	var add func(reflect.Type) error
	add = func(t reflect.Type) error {
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Type == reflect.TypeFor[pack.Field](): // of pack.json, which may have any field
				if f.Anonymous {
					out["additionalProperties"] = true
					continue
				}
			case f.Anonymous:
				if err := add(f.Type); err != nil {
					return err
				}
				continue
			case f.Tag.Get("unknown") != "": // unknown fields are not errors
				out["additionalProperties"] = true
				continue
			case name == "" || name == "-":
				continue
			}
			described, err := d.describe(f.Type)
			if err != nil {
				return err
			}
			comment, err := d.comment(t, f.Name)
			if err != nil {
				return err
			}
			if absent := f.Tag.Get("absent"); absent != "" {
				comment += absentMark + absent + "."
			}
			if comment != "" {
				described["description"] = comment
			}
			if text := f.Tag.Get("default"); text != "" {
				described["default"] = text
				if described["type"] == "boolean" {
					described["default"] = text == "true"
				}
			}
			if enum := f.Tag.Get("enum"); enum != "" {
				of := described
				if items, ok := described["items"].(object); ok { // of a list each entry is one
					of = items
				}
				of["enum"] = strings.Split(enum, ",")
			}
			if f.Tag.Get("required") == "true" {
				required = append(required, name)
			}
			properties[name] = described
		}
		return nil
	}
	if err := add(t); err != nil {
		return nil, err
	}
	if len(required) > 0 {
		out["required"] = required
	}
	return out, nil
}

// comment returns the doc comment of a type or, with a name, of a field of it.
func (d *describer) comment(t reflect.Type, name string) (string, error) {
	dir, ok := strings.CutPrefix(t.PkgPath(), module)
	if !ok {
		return "", nil
	}
	if d.comments[dir] == nil {
		comments, err := readComments(filepath.Join(d.root, dir))
		if err != nil {
			return "", err
		}
		d.comments[dir] = comments
	}
	key := t.Name()
	if name != "" {
		key += "." + name
	}
	return d.comments[dir][key], nil
}

// readComments reads the comments of the structs of a package.
func readComments(dir string) (map[string]string, error) {
	comments := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			if general, ok := decl.(*ast.GenDecl); ok {
				structComments(general, comments)
			}
		}
	}
	return comments, nil
}

func structComments(decl *ast.GenDecl, comments map[string]string) {
	for _, spec := range decl.Specs {
		named, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		comments[named.Name.Name] = oneLine(decl.Doc.Text())
		structure, ok := named.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, field := range structure.Fields.List {
			for _, name := range field.Names {
				comments[named.Name.Name+"."+name.Name] = oneLine(field.Doc.Text())
			}
		}
	}
}

func oneLine(comment string) string { return strings.Join(strings.Fields(comment), " ") }
