package content

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// ConfigKind is the kind of the configuration of packfn, which is not a resource.
const ConfigKind = "PackfnConfig"

// groups are the API groups of the suite.
var groups = []string{pack.Group, function.ConfigGroup}

// Resources decides whether the suite reads a resource.
type Resources struct {
	// processors belong to the functions that only check: what one of them wants is read.
	processors []function.Processor
	// kinds are the kinds of functionConfigs, and reads the kinds of resources that functions read.
	kinds []string
	reads []list.GroupKind
}

// NewResources returns what decides which resources the functions of a suite read. Of those that change resources, only
// the functionConfigs are read.
func NewResources(functions []function.Function) *Resources {
	r := &Resources{}
	for _, f := range functions {
		if f.Checks {
			r.processors = append(r.processors, f.New())
			r.reads = append(r.reads, f.Reads...)
		}
		r.kinds = append(r.kinds, f.Kind)
		for kind := range f.Kinds {
			r.kinds = append(r.kinds, kind)
		}
	}
	return r
}

// Has reports whether a file contains a resource that the suite reads, or would read if it had no typo. A file that
// cannot be parsed counts if its text contains an API group of the suite.
func (r *Resources) Has(file *kptpackage.File) bool {
	has, _ := r.Find(file)
	return has
}

// Find is [Resources.Has] with the reason, if the file has no such resource and is not read elsewhere.
func (r *Resources) Find(file *kptpackage.File) (has bool, why string) {
	isNamed := NamesGroup(file.Text)
	why = "it has no resource that packfn reads"
	if !isNamed && !bytes.Contains(file.Text, []byte("metadata")) {
		return false, why // most files are not parsed
	}
	for _, item := range list.Flat(file.Text, file.Path, nil) {
		if item.Is(pack.GroupVersion, ConfigKind) {
			return false, "" // package config reads it
		}
		document, err := item.Document()
		switch {
		case err != nil && isNamed:
			return true, ""
		case err != nil:
			why = "it cannot be parsed, and does not name a group of packfn"
		case r.isOurs(item, document.Root()):
			return true, ""
		}
	}
	return false, why
}

// NamesGroup reports whether a text contains an API group of the suite.
func NamesGroup(text []byte) bool {
	return slices.ContainsFunc(append([]string{variant.Group}, groups...), func(group string) bool { return bytes.Contains(text, []byte(group)) })
}

// isOurs reports whether the suite reads an item, or would read it if it had no typo.
func (r *Resources) isOurs(item *list.Item, root *yaml.Node) bool {
	group := item.Group()
	if slices.ContainsFunc(groups, func(own string) bool { return group == own || nearest.IsMisspelt(group, own) }) {
		return true
	}
	if group == variant.Group || pack.Wants(item) || pack.InCluster(item) || slices.ContainsFunc(r.processors, func(p function.Processor) bool { return p.Wants(item) }) || list.Misspelt(item, r.reads) != nil {
		return true
	}
	if item.Fault() == "" || values.Field(root, "metadata") == nil {
		return false
	}
	return item.APIVersion() == "" && slices.Contains(r.kinds, item.Kind()) || r.hasSlip(item, root)
}

// hasSlip reports whether the key apiVersion or kind is misspelled while its value is a group or
// a kind that the suite reads. The value matters, because configuration files of other tools may
// use such keys:
//
//	kind: Configuration
//	apiversion: scorecard.operatorframework.io/v1alpha3
func (r *Resources) hasSlip(item *list.Item, root *yaml.Node) bool {
	reads := append(r.reads[:len(r.reads):len(r.reads)], list.GroupKind{Group: variant.Group, Kind: variant.Kind})
	return slices.ContainsFunc(decode.Misspelt(root, "", "apiVersion", "kind"), func(f diag.Finding) bool {
		value := values.Text(values.Field(root, f.Key))
		if f.Nearest == "kind" {
			isConfigMap := value == "ConfigMap" && item.APIVersion() == "v1"
			return isConfigMap || slices.Contains(r.kinds, value) || slices.ContainsFunc(reads, func(k list.GroupKind) bool { return k.Kind == value })
		}
		group, _, _ := strings.Cut(value, "/")
		isConfigMap := value == "v1" && item.Kind() == "ConfigMap"
		return isConfigMap || slices.Contains(groups, group) || slices.ContainsFunc(reads, func(k list.GroupKind) bool { return k.Group == group && k.Group != "v1" })
	})
}
