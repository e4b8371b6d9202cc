package main

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// plurals are the plurals that are not the kind and an s.
var plurals = map[string]string{"PackValues": "packvalues", "Policy": "policies"}

// definition makes the CustomResourceDefinition of a kind from its schema.
func definition(apiVersion, kind string, schema object) (file string, text []byte, err error) {
	group, version, _ := strings.Cut(apiVersion, "/")
	singular := strings.ToLower(kind)
	plural := plurals[kind]
	if plural == "" {
		plural = singular + "s"
	}
	structure := structural(schema)
	properties := structure["properties"].(object)
	properties["apiVersion"] = object{"type": "string"}
	properties["kind"] = object{"type": "string"}
	properties["metadata"] = object{"type": "object"}
	structure["required"] = []string{"spec"}
	crd := object{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   object{"name": plural + "." + group},
		"spec": object{
			"group": group,
			"names": object{"kind": kind, "listKind": kind + "List", "plural": plural, "singular": singular},
			"scope": "Namespaced",
			"versions": []object{{
				"name": version, "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": structure},
			}},
		},
	}
	text, err = yaml.Marshal(crd)
	return fmt.Sprintf("%s_%s.yaml", group, plural), text, err
}

// structural makes a structural schema of a schema. The API server removes unknown fields
// instead of rejecting them. It has one type for each field: a field that can have
// several accepts anything, and the functions check it.
// See https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
func structural(schema object) object {
	out := object{}
	for _, name := range []string{"description", "enum", "required"} {
		if value, ok := schema[name]; ok && value != "" {
			out[name] = value
		}
	}
	kind, _ := schema["type"].(string)
	if kind == "" {
		out["x-kubernetes-preserve-unknown-fields"] = true
		return out
	}
	out["type"] = kind
	switch kind {
	case "integer":
		out["format"] = "int64"
	case "array":
		out["items"] = structural(schema["items"].(object))
	case "object":
		properties, _ := schema["properties"].(object)
		if properties != nil {
			made := object{}
			for name, property := range properties {
				made[name] = structural(property.(object))
			}
			out["properties"] = made
		}
		switch additional := schema["additionalProperties"].(type) {
		case object:
			out["additionalProperties"] = structural(additional)
		case bool:
			if additional {
				out["x-kubernetes-preserve-unknown-fields"] = true
			}
		default:
			out["x-kubernetes-preserve-unknown-fields"] = true
		}
	}
	return out
}
