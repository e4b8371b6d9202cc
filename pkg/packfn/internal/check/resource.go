package check

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
var groups = []string{pack.Group, groupOf(function.ConfigGroupVersion)}

// groupOf returns the group of an apiVersion: `apps` of `apps/v1`, and `v1` of `v1` itself.
func groupOf(apiVersion string) string {
	group, _, _ := strings.Cut(apiVersion, "/")
	return group
}

// resources decides whether the suite reads a resource.
type resources struct {
	// processors belong to the functions that only check: what one of them wants is read.
	processors []function.Processor
	// kinds are the kinds of functionConfigs, and reads the kinds of resources that functions read.
	kinds []string
	reads []list.GroupKind
}

// isOurs returns a function that reports whether a file outside of packages is checked, and the
// reason if it is not.
func (c *checker) isOurs() func(*kptpackage.File) (bool, string) { return c.resources().hold }

// Holds returns a function that reports whether a file outside of packages contains a resource
// that functions of the suite read, or would read if it had no typo.
func Holds(functions []function.Function) func(*kptpackage.File) bool {
	o := Options{Functions: functions}
	r := newResources(functions, o.checking())
	return func(file *kptpackage.File) bool {
		holds, _ := r.hold(file)
		return holds
	}
}

func (c *checker) resources() *resources { return newResources(c.Functions, c.checks) }

// newResources returns the resources that the functions of a suite read.
func newResources(functions, checks []function.Function) *resources {
	r := &resources{}
	for _, f := range checks {
		r.processors = append(r.processors, f.New())
		r.reads = append(r.reads, f.Reads...)
	}
	for _, f := range functions {
		r.kinds = append(r.kinds, f.Kind)
		for kind := range f.Kinds {
			r.kinds = append(r.kinds, kind)
		}
	}
	return r
}

// hold reports whether a file contains a resource that the suite reads, or would read if it had
// no typo. A file that cannot be parsed counts if its text contains an API group of the suite. If
// the result is false, hold also returns the reason.
func (r *resources) hold(file *kptpackage.File) (bool, string) {
	isNamed := NamesGroup(file.Text)
	why := "it has no resource that packfn reads"
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
func (r *resources) isOurs(item *list.Item, root *yaml.Node) bool {
	group := groupOf(item.APIVersion())
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
func (r *resources) hasSlip(item *list.Item, root *yaml.Node) bool {
	reads := append(r.reads[:len(r.reads):len(r.reads)], list.GroupKind{Group: variant.Group, Kind: variant.Kind})
	return slices.ContainsFunc(decode.Misspelt(root, "", "apiVersion", "kind"), func(f diag.Finding) bool {
		value := values.Text(values.Field(root, f.Key))
		if f.Nearest == "kind" {
			isConfigMap := value == "ConfigMap" && item.APIVersion() == "v1"
			return isConfigMap || slices.Contains(r.kinds, value) || slices.ContainsFunc(reads, func(k list.GroupKind) bool { return k.Kind == value })
		}
		isConfigMap := value == "v1" && item.Kind() == "ConfigMap"
		return isConfigMap || slices.Contains(groups, groupOf(value)) || slices.ContainsFunc(reads, func(k list.GroupKind) bool { return k.Group == groupOf(value) && k.Group != "v1" })
	})
}
