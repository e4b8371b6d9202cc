package olm

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/operator-framework/operator-registry/alpha/declcfg"
	registryproperty "github.com/operator-framework/operator-registry/alpha/property"
	"github.com/operator-framework/operator-registry/pkg/registry"
)

// methods are the fields of a ClusterServiceVersion that the methods of opm's type read.
var methods = map[string][]string{
	"GetReplaces": {"spec.replaces"}, "GetSkips": {"spec.skips"}, "GetVersion": {"spec.version"},
	"GetSkipRange": {`metadata.annotations["olm.skipRange"]`}, "GetSubstitutesFor": {`metadata.annotations["olm.substitutesFor"]`},
	"GetCustomResourceDefintions": {"spec.customresourcedefinitions"}, "GetApiServiceDefinitions": {"spec.apiservicedefinitions"},
	"GetRelatedImages": {"spec.relatedImages"}, "GetOperatorImages": {"spec.install"}, "GetIcons": {"spec.icon"}, "GetDescription": {"spec.description"},
}

// elsewhere are the fields that no type of opm has: other code of opm reads them, or OLM.
var elsewhere = map[string][]string{
	"ClusterServiceVersion":     {"metadata.name", `metadata.annotations["olm.properties"]`, `metadata.annotations["operatorframework.io/properties"]`, "spec.minKubeVersion"},
	"CustomResourceDefinition":  {"spec.group", "spec.names.kind", "spec.versions[].name", "spec.version"},
	"metadata/annotations.yaml": {"operators.operatorframework.io.bundle.mediatype.v1"},
	"properties":                {"olm.label", "olm.label.required", "olm.deprecated"},
}

// fieldsOf returns the JSON names of the fields of a type, those of the structs in it included.
func fieldsOf(t reflect.Type, prefix string) (names []string) {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || prefix == "" && name == "schema" {
			continue
		}
		of, path := field.Type, prefix+name
		if of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct {
			of, path = of.Elem(), path+"[]"
		}
		if isPart := of.Kind() == reflect.Struct && (of.PkgPath() == t.PkgPath() || strings.HasSuffix(prefix+name, "Bundle.properties")); isPart {
			names = append(names, fieldsOf(of, path+".")...)
			continue
		}
		names = append(names, strings.TrimSuffix(path, "[]"))
	}
	return names
}

// read returns the fields that opm and OLM read, by what they are of.
func read(t *testing.T) map[string][]string {
	of := func(v any) []string { return fieldsOf(reflect.TypeOf(v), "") }
	all := map[string][]string{
		"metadata/annotations.yaml":  of(registry.Annotations{}),
		"metadata/dependencies.yaml": of(registry.DependenciesFile{}),
		"metadata/properties.yaml":   of(registry.PropertiesFile{}),
		"schema: olm.package":        of(declcfg.Package{}),
		"schema: olm.channel":        of(declcfg.Channel{}),
		"schema: olm.bundle":         append(of(declcfg.Bundle{}), "properties[].type", "properties[].value"),
		"schema: olm.deprecations":   of(declcfg.Deprecation{}),
		"properties": {registryproperty.TypePackage, registryproperty.TypePackageRequired, registryproperty.TypeGVK, registryproperty.TypeGVKRequired,
			registryproperty.TypeBundleObject, registryproperty.TypeCSVMetadata, registryproperty.TypeConstraint, registryproperty.TypeChannel},
	}
	all["schema: olm.bundle"] = slices.DeleteFunc(all["schema: olm.bundle"], func(name string) bool { return name == "properties" })
	csv := &registry.ClusterServiceVersion{}
	count := 0
	for method := range reflect.TypeOf(csv).Methods() {
		if _, isOfAll := reflect.TypeOf(&csv.ObjectMeta).MethodByName(method.Name); isOfAll || !strings.HasPrefix(method.Name, "Get") || method.Name == "GetObjectKind" {
			continue
		}
		fields := methods[method.Name]
		if count++; fields == nil {
			t.Errorf("opm reads a field of a ClusterServiceVersion with %s", method.Name)
		}
		all["ClusterServiceVersion"] = append(all["ClusterServiceVersion"], fields...)
	}
	if count != len(methods) {
		t.Errorf("opm's type has %d of %d methods", count, len(methods))
	}
	for of, fields := range elsewhere {
		all[of] = append(all[of], fields...)
	}
	return all
}

// documented returns the fields in the table of a document, by what they are of.
func documented(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/olm.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## What opm and OLM read\n")
	table, _, _ = strings.Cut(table, "\n## ")
	all, of := map[string][]string{}, ""
	code := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || cells[0] == "| Field" {
			continue
		}
		if title, isTitle := strings.CutPrefix(cells[0], "| **"); isTitle {
			of = strings.Trim(title, "*`")
			continue
		}
		for _, match := range code.FindAllStringSubmatch(cells[0], -1) {
			all[of] = append(all[of], match[1])
		}
	}
	return all
}

// The table of the guide has each field that opm and OLM read, and no other one. The bundles of the
// tests have each of them.
func TestFields(t *testing.T) {
	bundles, err := os.ReadFile("testdata/bundles.txtar")
	if err != nil {
		t.Fatal(err)
	}
	want, got := read(t), documented(t)
	if len(want) != len(got) {
		t.Errorf("the table is about %d things, want %d", len(got), len(want))
	}
	for of, fields := range want {
		for _, name := range fields {
			if !slices.Contains(got[of], name) {
				t.Errorf("docs/olm.md does not list %s of %s", name, of)
			}
		}
		for _, name := range got[of] {
			if !slices.Contains(fields, name) {
				t.Errorf("docs/olm.md lists %s of %s, which opm does not read", name, of)
			}
			last := regexp.MustCompile(`[\w/.-]+(?:"\])?$`).FindString(strings.TrimSuffix(name, "]"))
			if !strings.Contains(name, `"`) && of != "properties" && of != "metadata/annotations.yaml" {
				last = last[strings.LastIndex(last, ".")+1:] + ":"
			}
			if last = strings.Trim(last, `"]`); !strings.Contains(string(bundles), last) && name != "olm.deprecated" {
				t.Errorf("no bundle of the tests has %s of %s", name, of)
			}
		}
	}
}
