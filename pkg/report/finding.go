package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// Of returns the finding of a function, without its place.
func Of(function string, f *diag.Finding) Finding {
	out := Finding{
		Rule: f.Rule.ID, Severity: cmp.Or(f.Severity, f.Rule.Severity), Message: f.Message(), Function: function,
		Resource: ResourceOf(f.Resource()), Field: f.Path(), Key: f.Key, Pack: f.Pack,
		Current: f.Current, Proposed: f.Proposed, Tags: f.Tags, Accepted: f.Rule == rule.Accepted, Cause: f,
	}
	if f.Origin == nil || !f.Origin.Embedded {
		out.Key = "" // it is the end of the field
	}
	return out
}

// ResourceOf returns what identifies a resource, nil when nothing does.
func ResourceOf(r diag.Resource) *Resource {
	if r.APIVersion == "" && r.Kind == "" && r.Name == "" {
		return nil
	}
	return &Resource{APIVersion: r.APIVersion, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// SetSource makes a line of a file the source of the finding. It is masked unless all
// of it may be shown, or its value is one that the message shows.
func (f *Finding) SetSource(line string) {
	f.Source = line
	if !isHead(f.Cause, line) && (!isPublic(f.Cause) || !isAlone(f.Cause, line)) {
		f.Source = Mask(line, shown(f.Cause)...)
	}
}

// headLine matches a line that says what a resource is.
var headLine = regexp.MustCompile(`^(apiVersion|kind): +["']?[\w./-]+["']?$`)

// isHead reports whether a line is one of the head of the resource, which a finding about the
// resource, or about one of its fields, is placed at.
func isHead(f *diag.Finding, line string) bool {
	return f.Origin != nil && !f.Origin.Embedded && !strings.ContainsAny(f.Path(), ".[") && headLine.MatchString(line)
}

// shown are the values that a finding shows.
func shown(f *diag.Finding) []string {
	var values []string
	if f.Current != nil {
		values = append(values, fmt.Sprint(f.Current))
	}
	if unquoted, err := strconv.Unquote(f.Found); err == nil {
		return append(values, unquoted)
	}
	if f.Kind == diag.KindGot {
		values = append(values, f.Found)
	}
	return values
}

// presetName matches the keys of a preset that hold no values.
var presetName = regexp.MustCompile(`^presets\[\d+\]\.(name|displayName|group|remove(\[\d+\])?)$`)

// valueFields matches the paths of fields that hold values, and of elements, which may begin
// with one.
var valueFields = regexp.MustCompile(`(^|\.)(configMap|data|annotations|labels|packageContext|status|exec)\b|Exprs?\b|\]$`)

// isPublic reports whether the line that a finding is about holds no values that may be
// secrets.
func isPublic(f *diag.Finding) bool {
	origin := f.Origin
	if origin == nil {
		return false
	}
	if origin.Embedded {
		if presetName.MatchString(f.Key) && slices.Contains([]string{"presets.yaml", "spec.presets"}, origin.Name) {
			return true
		}
		return slices.Contains([]string{"pack.json", "schema.yaml", "properties.yaml", "dependencies.yaml", "bundle.yaml", "spec.schema", "spec.properties", "spec.dependencies"}, origin.Name)
	}
	path := f.Path()
	// Manifests of a hub and policies hold values only in parameters.
	if slices.Contains([]string{"Policy", "Interface", "Implementation", "Type", "Attribute"}, f.Resource().Kind) {
		return !strings.Contains(strings.ToLower(path), "parameters")
	}
	// Kptfiles and what Porch reads hold values only where functions and clusters get theirs.
	if slices.Contains([]string{"Kptfile", "PackageVariant", "PackageVariantSet"}, f.Resource().Kind) {
		return !valueFields.MatchString(path)
	}
	// The functionConfigs of the functions that read no values but those of packs.
	if slices.Contains([]string{"ApplyPreset", "CheckDependencies", "CheckResources", "ValidatePackValues"}, f.Resource().Kind) && strings.HasPrefix(path, "spec.") {
		return true
	}
	for _, public := range []string{"apiVersion", "kind", "metadata", "spec.constraints", "spec.schema", "spec.machinePools", "spec.instanceTypes", "spec.packRef", "spec.name", "spec.version", "spec.layer", "spec.severity", "spec.packs"} {
		if path == public || strings.HasPrefix(path, public+".") || strings.HasPrefix(path, public+"[") {
			return !strings.HasPrefix(path, "metadata.annotations") || strings.HasPrefix(path, "metadata.annotations[packs.kpt.dev/")
		}
	}
	return false
}
