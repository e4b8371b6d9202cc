package variant

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// ContextName is the name of the ConfigMap that has a package's context.
const ContextName = "kptfile.kpt.dev"

// isEmpty reports whether the package context changes nothing.
func (c *PackageContext) isEmpty() bool { return len(c.Data) == 0 && len(c.RemoveKeys) == 0 }

// apply sets and then removes keys of the data of the ConfigMap d. All other keys stay,
// also those that an earlier run has set, as the document says. The keys name and
// package-path are never changed.
//
// The findings explain why the ConfigMap cannot be edited. Then d is returned as it is.
func (c *PackageContext) apply(d *values.Document) (*values.Document, []diag.Finding) {
	data := values.Field(d.Root(), "data")
	if !values.IsNull(data) && data.Kind != yaml.MappingNode {
		return d, wrongType("data", data, "a map")
	}
	var set []textField
	for _, key := range slices.Sorted(maps.Keys(c.Data)) {
		if !IsReservedKey(key) {
			set = append(set, textField{key, c.Data[key]})
		}
	}
	all := withTexts(data, set...)
	want := *all
	want.Content = nil
	for _, p := range values.Pairs(all) {
		if name, _ := p.Name(); IsReservedKey(name) || !slices.Contains(c.RemoveKeys, name) {
			want.Content = append(want.Content, p.Key, p.Value)
		}
	}
	if len(want.Content) == 0 && values.IsNull(data) {
		return d, nil
	}
	edited, err := d.Sync(values.Change{At: values.Keys("data"), Want: &want})
	if err != nil {
		return d, rejected(err)
	}
	return edited, nil
}

// misspeltKeys warns of keys to remove that are almost keys which the edited ConfigMap
// still has.
func (c *PackageContext) misspeltKeys(edited *yaml.Node) []diag.Finding {
	var left []string
	for _, p := range values.Pairs(values.Field(edited, "data")) {
		name, _ := p.Name()
		left = append(left, name)
	}
	var findings []diag.Finding
	for i, key := range c.RemoveKeys {
		if at := slices.IndexFunc(left, func(name string) bool { return nearest.IsMisspelt(key, name) }); at >= 0 {
			f := diag.NotFound("key", key, nil).Do("").Of(rule.VariantInvalid).At(fmt.Sprintf("spec.packageContext.removeKeys[%d]", i), diag.Position{})
			f.Severity, f.Nearest = diag.Warning, left[at]
			findings = append(findings, f)
		}
	}
	return findings
}
