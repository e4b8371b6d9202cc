package schema

import (
	"strings"
	"testing"
)

// Values that wait for injection are not checked, whatever their placeholder has. What is
// wrong with the schema itself is.
func TestWaiting(t *testing.T) {
	const (
		kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
		tried   = kptfile + "status: {conditions: [{type: config.injection.PackValues.site, status: \"False\"}]}\n"
		pack    = "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec:\n  values: {n: x, empty: '', z: 1}\n" +
			"  schema: {n: {schema: '{{ format \"${number}\" }}'}, m: {schema: '{{ required }}'}, empty: {schema: '{{ required }}'}, u: {schema: '{{ format \"${strng}\" }}'}, b: {schema: '{{ requird }}'}}\n"
		site  = "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: site, annotations: {kpt.dev/config-injection: optional}}\nspec: {packRef: {name: a}, values: {o: 1}}\n"
		other = "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: b}\nspec: {values: {n: x}, schema: {n: {schema: '{{ format \"${number}\" }}'}}}\n"
		info  = "info values/deferred PackValues/site metadata.annotations[kpt.dev/config-injection]"
	)
	const (
		ofType  = `warning values/unknown-format Pack/a spec.schema.u key=u unknown="type \"strng\"" want="string, password, number, boolean, list, ipv4 or version" near=string pack=a`
		ofStage = `error schema/invalid Pack/a spec.schema.b key=b unknown="stage \"requird\" at character 4 of the template" want="required, readonly, format \"...\" or hints \"...\"" near=required pack=a`
		ofOther = `error values/format Pack/b spec.values.n key=n got="a string of 1 character" want="a decimal number" pack=b`
	)
	all := []string{
		`error values/required Pack/a spec.values.m key=m missing= pack=a`,
		`error values/format Pack/a spec.values.n key=n got="a string of 1 character" want="a decimal number" pack=a`,
		`error values/required Pack/a spec.values.empty key=empty missing=empty pack=a`,
		`warning values/key-not-in-values Pack/a spec.schema.u key=u pack=a`, ofType, ofStage,
	}
	for _, tc := range []krmCase{
		{"an override", "", kptfile + site + pack, []string{ofType, ofStage, info}},
		{"unknown keys", spec("unknownKeys: error"), kptfile + site + pack, []string{ofType, ofStage, info}},
		{"unknown keys of another override", spec("unknownKeys: error"), kptfile + site + pack + "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: fixed}\nspec: {packRef: {name: a}, values: {p: 1}}\n", []string{ofType, ofStage, info}},
		{"another pack is checked", "", kptfile + site + other + strings.Replace(pack, "b: {schema: '{{ requird }}'}", "", 1), []string{ofType, ofOther, info}},
		{"an override for any pack", "", kptfile + strings.Replace(site, "packRef: {name: a}, ", "", 1) + other, []string{info}},
		{"two overrides for any pack", "", kptfile + strings.Replace(site, "packRef: {name: a}, ", "", 1) + strings.NewReplacer("name: a", "name: none", "name: site", "name: sites").Replace(site) + other, []string{info}},
		{"a pack that is left out", spec("packs: [b]"), kptfile + site + pack + other, []string{ofOther}},
		{"a pack that may come", spec("packs: [c]"), kptfile + strings.Replace(other, "{name: b}", "{name: b, annotations: {kpt.dev/config-injection: required}}", 1), []string{
			"info values/deferred Pack/b metadata.annotations[kpt.dev/config-injection]",
		}},
		{"an override of a pack that may come", "", kptfile + strings.Replace(site, "name: site, annotations: {kpt.dev/config-injection: optional}", "name: site", 1) + strings.Replace(other, "{name: b}", "{name: b, annotations: {kpt.dev/config-injection: required}}", 1), []string{
			"info values/deferred Pack/b metadata.annotations[kpt.dev/config-injection]",
		}},
		{"acceptances stay", "", kptfile + site + strings.Replace(strings.Replace(pack, "b: {schema: '{{ requird }}'}", "", 1), "{name: a}", "{name: a, annotations: {packs.kpt.dev/accept: 'values/required m: later'}}", 1), []string{ofType, info}},
		{"nothing was found to inject", "", tried + site + pack, all},
		{"the Kptfile is hidden", "", strings.TrimPrefix(site, "---\n") + pack, append(all, info)},
		{"a target in what is injected", spec("targets: [{selector: {kind: PackValues}, path: spec.values, schema: {o: {schema: '{{ format \"${boolean}\" }}'}}}]"), kptfile + site, []string{info}},
		{"a target outside of what is injected", spec("targets: [{selector: {kind: PackValues}, path: metadata.labels, schema: {x: {schema: '{{ required }}'}}}]"), kptfile + strings.Replace(site, "{name: site,", "{name: site, labels: {y: z},", 1) + other, []string{
			info, "error values/required PackValues/site metadata.labels.x key=x missing=",
		}},
	} {
		tc.run(t)
	}
}
