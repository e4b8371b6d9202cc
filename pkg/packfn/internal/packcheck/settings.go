package packcheck

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// packSettings are the fields below pack in values.yaml that Palette reads. Other fields are for
// the pack. For example:
//
//	pack:
//	  namespace: vault
//	  spectrocloud.com/install-priority: "10"
//
// See https://docs.spectrocloud.com/profiles/profile-customization.
type packSettings struct {
	_ struct{} `unknown:"slips"`
	// Namespace is the namespace that the pack is installed into.
	Namespace string `json:"namespace"`
	// AdditionalNamespaces are the names of more namespaces.
	AdditionalNamespaces names `json:"additionalNamespaces"`
	// NamespaceLabels and NamespaceAnnotations are set on the namespaces.
	NamespaceLabels      texts `json:"namespaceLabels"`
	NamespaceAnnotations texts `json:"namespaceAnnotations"`
	// ReleaseNameOverride maps charts to the names of their releases.
	ReleaseNameOverride texts `json:"releaseNameOverride"`
	// Content lists the images and charts of the pack.
	Content content `json:"content"`
	// InstallPriority orders the packs of a profile.
	InstallPriority number `json:"spectrocloud.com/install-priority"`
	// DisplayName is the name for people.
	DisplayName string `json:"spectrocloud.com/display-name"`
}

// content lists the images and charts of a pack:
//
//	content:
//	  images:
//	  - image: quay.io/jetstack/cert-manager-controller:v1.14.2
//	  charts:
//	  - {name: cert-manager, repo: https://charts.jetstack.io, version: 1.14.2}
type content struct {
	_      struct{}   `unknown:"slips"`
	Images []image    `json:"images"`
	Charts []chartRef `json:"charts"`
}

// image is an image with its registry and its tag or digest.
type image struct {
	_     struct{} `unknown:"slips"`
	Image string   `json:"image"`
}

// chartRef names a chart in a repository.
type chartRef struct {
	_       struct{} `unknown:"slips"`
	Name    string   `json:"name"`
	Repo    string   `json:"repo"`
	Version string   `json:"version"`
}

// texts is a map of strings, or a macro.
type texts map[string]string

// DecodeNode decodes the map, and accepts a macro.
func (t *texts) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	if hasMacro(n) {
		return nil
	}
	return decode.Node(n, path, (*map[string]string)(t))
}

// names are the names of namespaces: a single name, a list, or the keys of a map.
type names []string

// DecodeNode checks the names.
func (t *names) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	switch n.Kind {
	case yaml.SequenceNode:
		return decode.Node(n, path, (*[]string)(t))
	case yaml.MappingNode:
		return nil
	}
	return decode.Node(n, path, new(string))
}

// number is an integer, which may be quoted.
type number string

// DecodeNode checks the number.
func (t *number) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!int" || hasMacro(n) {
		return nil
	}
	if _, err := strconv.Atoi(n.Value); n.Kind != yaml.ScalarNode || err != nil {
		return []diag.Finding{diag.Got(values.KindOf(n), "an integer").At(path, values.At(n))}
	}
	return nil
}

// shortest is the length up to which names are too short for a spelling suggestion.
const shortest = 3

// Settings checks the fields that Palette reads in the values, overrides and pack.json of a pack.
// An unknown name is reported only if it is similar to a known one.
func Settings(one *pack.Pack) (found []diag.Finding) {
	add := func(origin *diag.Origin, of diag.Rule, findings ...diag.Finding) {
		for _, f := range findings {
			f.Severity = diag.Warning
			found = append(found, f.In(origin, f.Key, f.Position).For(one.Name).Of(of))
		}
	}
	for _, source := range one.Layers() {
		for _, f := range decode.Node(values.Field(entry(source, "pack"), "pack"), "pack", &packSettings{}) {
			of := rule.PackSettings
			if strings.HasPrefix(f.Key, "pack.content.images") || f.Nearest == "images" || f.Nearest == "content" {
				of = rule.PackImages
			}
			add(source.Origin, of, f)
		}
	}
	metadata, err := one.Metadata.Mapping()
	if err != nil {
		return found
	}
	var clouded struct {
		_      struct{} `unknown:"slips"`
		Layer  string   `json:"layer"`
		Clouds []string `json:"cloudTypes"`
	}
	add(metadata.Origin(), rule.PackSettings, decode.Node(metadata.Root(), "", &clouded)...)
	slip := func(name string, known []string, n *yaml.Node, path string) {
		if len(name) > shortest && nearest.Misspelt(name, known) != "" {
			add(metadata.Origin(), rule.PackSettings, diag.GotName(name, known).At(path, values.At(n)))
		}
	}
	slip(clouded.Layer, pack.Layers(), values.Field(metadata.Root(), "layer"), "layer")
	for i, name := range clouded.Clouds {
		slip(name, append(pack.CloudTypes(), "all"), values.Field(metadata.Root(), "cloudTypes").Content[i], fmt.Sprintf("cloudTypes[%d]", i))
	}
	return found
}

// entry returns a mapping that contains the entry of a top-level key, or nil if it cannot be
// read. If all top-level lines of the text are plain keys, only the lines of that entry are
// parsed, because values are the largest part of a package.
func entry(source *pack.Source, key string) *yaml.Node {
	if text, isPart := part(source.Text(), key); isPart && source.Text() != "" {
		if document, err := values.Parse(text); err == nil {
			return document.Root()
		}
	}
	document, err := source.Mapping()
	if err != nil {
		return nil
	}
	return document.Root()
}

// part returns the lines of a top-level entry, after as many empty lines as precede it, so that
// line numbers stay the same. isPart is false if the text has other top-level lines than keys and
// comments, because then the entry cannot be found by lines.
func part(text, key string) (of string, isPart bool) {
	if strings.Count(text, "\r") != strings.Count(text, "\r\n") ||
		strings.Contains(text, "\u0085") || strings.Contains(text, "\u2028") || strings.Contains(text, "\u2029") {
		return "", false // YAML has line breaks that strings.Lines does not know
	}
	from, to, above, at, lines := -1, len(text), 0, 0, 0
	for line := range strings.Lines(text) {
		switch c := line[0]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			name, _, isKey := strings.Cut(line, ":")
			if !isKey || strings.ContainsAny(name, " \t") || name == key && from >= 0 {
				return "", false
			}
			if name == key {
				from, above = at, lines
			} else if from >= 0 && to == len(text) {
				to = at
			}
		case !strings.ContainsRune(" #\r\n", rune(c)):
			return "", false
		}
		at, lines = at+len(line), lines+1
	}
	if from < 0 {
		return "", true
	}
	return strings.Repeat("\n", above) + text[from:to], true
}

func hasMacro(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "{{")
}
