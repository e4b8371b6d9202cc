package pack

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// valuesFile is the file of a pack's values.
const valuesFile = "values.yaml"

// files are the files of a pack that functions read.
var files = func() []string {
	names := []string{metadataFile}
	for _, d := range documents {
		names = append(names, d.file)
	}
	return names
}()

// IsOverride reports whether an item has values for a pack: a PackValues, or a ConfigMap with the annotation
// [ValuesOfAnnotation].
func IsOverride(item *list.Item) bool {
	return item.Is(GroupVersion, PackValuesKind) || IsConfigMap(item) && item.Annotation(ValuesOfAnnotation) != ""
}

// Overridden returns the pack whose values an item overrides, or "" for other items.
//
//	apiVersion: packs.kpt.dev/v1alpha1
//	kind: PackValues
//	spec: {scope: cluster, packRef: {name: vault}}
func Overridden(item *list.Item) string {
	switch {
	case !IsOverride(item):
		return ""
	case IsConfigMap(item):
		return item.Annotation(ValuesOfAnnotation)
	}
	document, err := item.Document()
	if err != nil {
		return ""
	}
	return values.Text(values.Field(document.Root(), "spec", "packRef", "name"))
}

// configMap reads the first form of a pack, the files of its directory, and values that
// are an override by their annotation. It reports whether the ConfigMap is a pack, even
// one that cannot be read.
func (l *loader) configMap(item *list.Item, resource diag.Resource, document *values.Document) (isPack bool) {
	isPack = hasFile(document, metadataFile)
	packName := item.Annotation(ValuesOfAnnotation)
	if !isPack && packName == "" {
		return len(l.unreadFiles(resource, document, metadataFile)) > 0
	}
	switch {
	case item.Kind() != "ConfigMap":
		l.invalid(diag.GotName(item.Kind(), []string{"ConfigMap"}).About(resource, "kind"))
	case item.APIVersion() != "v1":
		l.invalid(diag.GotText(item.APIVersion(), "v1").About(resource, "apiVersion"))
	case isPack && packName != "":
		l.invalid(diag.Say("the ConfigMap is a pack (it has the key pack.json) and also has values of the pack %q", packName).
			Do("remove the annotation or the key").About(resource, "metadata.annotations["+ValuesOfAnnotation+"]"))
	case isPack && l.status.IsPending:
		name := ""
		if metadata, err := File(metadataFile, values.Text(values.Field(document.Root(), "data", metadataFile))).Mapping(); err == nil {
			name = values.Text(values.Field(metadata.Root(), "name"))
		}
		l.addWaiting(name)
	case l.status.IsPending:
		l.addPoint(packName, false)
	case isPack:
		l.duplicates(resource, document, nil)
		l.packFiles(resource, document)
	default:
		l.duplicates(resource, document, nil)
		l.overrideFile(resource, document, packName)
	}
	return isPack
}

// overrideFile reads the values of a ConfigMap that is an override.
func (l *loader) overrideFile(resource diag.Resource, document *values.Document, packName string) {
	data := values.Field(document.Root(), "data")
	source := l.wantText(resource, document, data, valuesFile)
	if source != nil {
		l.overrides = append(l.overrides, &Override{Pack: packName, Scope: ScopeProfile, Values: source})
		l.addPoint(packName, false)
		return
	}
	l.unread = append(l.unread, packName)
	if values.IsNull(values.Field(data, valuesFile)) && len(l.unreadFiles(resource, document, valuesFile)) == 0 {
		l.invalid(diag.Missing("").Do("add the values of the pack \""+packName+"\"").About(resource, "data["+valuesFile+"]"))
	}
}

// hasFile reports whether a ConfigMap has a file, as text or as binary data.
func hasFile(document *values.Document, name string) bool {
	return values.Field(document.Root(), "data", name) != nil || values.Field(document.Root(), "binaryData", name) != nil
}

// unreadFiles reports files of a ConfigMap that functions do not read, see [UnreadFiles].
func (l *loader) unreadFiles(resource diag.Resource, document *values.Document, known ...string) []string {
	findings, names := UnreadFiles(resource, document, known...)
	l.invalid(findings...)
	return names
}

// UnreadFiles returns findings about files of a ConfigMap that have a wrong name, or that are
// among the binary data, and the right names of these files. Other files are ignored, but a
// schema that is not read would let everything pass.
func UnreadFiles(resource diag.Resource, document *values.Document, known ...string) (findings []diag.Finding, found []string) {
	for _, field := range []string{"data", "binaryData"} {
		for key, value := range fields(values.Field(document.Root(), field)) {
			for _, want := range known {
				var f diag.Finding
				switch {
				case key.Value == want && field == "binaryData":
					f = binaryFile(want, value)
				case nearest.IsMisspelt(key.Value, want) && !hasFile(document, want):
					f = diag.Unknown("file", key.Value, nil)
					f.Nearest = want
				default:
					continue
				}
				findings = append(findings, f.About(resource, field+"["+key.Value+"]"))
				found = append(found, want)
			}
		}
	}
	return findings, found
}

// binaryFile makes a finding of a file among the binary data of a ConfigMap. kubectl and
// kustomize put a file there when it is not UTF-8.
func binaryFile(name string, n *yaml.Node) diag.Finding {
	const action = "save the file as UTF-8, and import the pack again"
	content, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(values.Text(n)), ""))
	switch {
	case err != nil:
		return diag.Got("a file in binaryData that is not base64", "a string in data").
			Saying("%s must be in data, not in binaryData, and is not base64", name).Do("put the file into data")
	case utf8.Valid(content):
		return diag.Say("%s must be in data, not in binaryData", name).Do("move it to data, decoded from base64")
	}
	offset := 0
	for {
		r, size := utf8.DecodeRune(content[offset:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		offset += size
	}
	line := 1 + bytes.Count(content[:offset], []byte("\n"))
	return diag.Got(fmt.Sprintf("a file that is not UTF-8: byte 0x%02X at offset %d, on line %d of the file", content[offset], offset, line), "a string in UTF-8").
		Saying("%s must be in data, not in binaryData, where kubectl puts files that are not UTF-8 (byte 0x%02X at offset %d, on line %d of the file)", name, content[offset], offset, line).Do(action)
}

// packFiles reads a pack from the files of its directory.
func (l *loader) packFiles(resource diag.Resource, document *values.Document) {
	data := values.Field(document.Root(), "data")
	p := &Pack{Resource: resource, unread: l.unreadFiles(resource, document, files...)}
	read := func(name string) *Source {
		source := l.wantText(resource, document, data, name)
		if source == nil && !values.IsNull(values.Field(data, name)) {
			p.unread = append(p.unread, name)
		}
		return source
	}
	p.Metadata = read(metadataFile)
	for _, d := range documents {
		*d.of(p) = read(d.file)
	}
	if p.Metadata == nil || strings.TrimSpace(p.Metadata.Text()) == "" {
		if !slices.Contains(p.unread, metadataFile) {
			l.invalid(diag.Missing("empty").Do("write the pack's name and version as JSON").About(resource, "data[pack.json]"))
		}
		return
	}
	metadata, err := p.Metadata.Mapping()
	if err != nil {
		l.invalid(diag.Unreadable(err).From(p.Metadata.Origin))
		return
	}
	for f := range Duplicates(metadata) {
		l.invalid(f)
	}
	root := metadata.Root()
	misspelt := l.misspelt(p.Metadata.Origin, root, metadataFields...)
	l.misplaced(p.Metadata.Origin, root, misspelt)
	p.Name, p.Version, p.Layer = values.Text(values.Field(root, "name")), values.Text(values.Field(root, "version")), values.Text(values.Field(root, "layer"))
	if p.Name == "" {
		if slices.Contains(misspelt, "name") {
			return
		}
		f, n := diag.Missing("").Do("set it: other packs and overrides refer to the pack by its name"), values.Field(root, "name")
		if !values.IsNull(n) && n.Kind != yaml.ScalarNode {
			f = diag.Got(values.KindOf(n), "a string")
		}
		l.invalid(f.In(p.Metadata.Origin, "name", values.At(n)))
		return
	}
	l.add(p, root)
}
