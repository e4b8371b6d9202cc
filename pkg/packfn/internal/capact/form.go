package capact

import (
	"bytes"
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// Form is what a document of Capact is.
type Form uint8

// The forms. A manifest has the field ocfVersion. A policy has rules, and no head.
const (
	None Form = iota
	Manifest
	Policy
	// Instance is a TypeInstance, and Instances a list of them.
	Instance
	Instances
)

// IsManifest reports whether a file has a manifest, or probably one that cannot be parsed.
func IsManifest(text []byte) bool {
	return bytes.Contains(text, []byte("ocfVersion")) && has(text, func(form Form) bool { return form == Manifest })
}

// Is reports whether a file has a document of Capact.
func Is(text []byte) bool { return has(text, func(form Form) bool { return form != None }) }

// has reports whether a text has a document of some form.
func has(text []byte, is func(Form) bool) bool {
	if !mentions(text) {
		return false
	}
	for _, item := range list.FileItems(text, "") {
		if is(formOf(item)) {
			return true
		}
	}
	return false
}

// mentions reports whether a text may have a document of Capact, without parsing it.
func mentions(text []byte) bool {
	has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	return has("ocfVersion") || has("interface") && (has("rules") || has("path")) || has("typeInstance") && has("rules") || has("typeRef") && has("id")
}

// ocfVersion is how a manifest starts.
var ocfVersion = regexp.MustCompile(`(?m)^ocfVersion:|^\s*\{\s*"ocfVersion"`)

// formOf returns the form of an item of a file. One that cannot be parsed is a manifest if it starts
// as one.
func formOf(item *list.Item) Form {
	if item.APIVersion() != "" {
		return None
	}
	document, err := values.Parse(string(item.Text()))
	switch {
	case err != nil && ocfVersion.Match(item.Text()):
		return Manifest
	case err != nil:
		return None
	}
	return FormOf(document.Root())
}

// FormOf returns the form of a document.
func FormOf(root *yaml.Node) Form {
	field := func(keys ...string) *yaml.Node { return values.Field(root, keys...) }
	switch {
	case root == nil:
	case root.Kind == yaml.SequenceNode:
		switch {
		case areRules(root):
			return Policy
		case len(root.Content) > 0 && FormOf(values.Resolve(root.Content[0])) == Instance:
			return Instances
		}
	case field("apiVersion") != nil:
	case field("ocfVersion") != nil && values.Text(field("kind")) == "TypeInstance" && field("metadata", "id") != nil:
		return Instance
	case field("ocfVersion") != nil:
		return Manifest
	case field("kind") != nil:
	case field("interface", "rules") != nil, field("typeInstance", "rules") != nil, areRules(field("rules")):
		return Policy
	case field("id") != nil && field("typeRef", "path") != nil:
		return Instance
	}
	return None
}

// areRules reports whether a list is one of rules for Interfaces.
func areRules(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.SequenceNode && len(n.Content) > 0 && values.Field(n.Content[0], "interface", "path") != nil
}
