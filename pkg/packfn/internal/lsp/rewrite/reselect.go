package rewrite

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Reselect replaces the presets of a pack for which is returns true in all pipelines, because the
// next render would apply them again. If to is "", it removes them.
func Reselect(items []*list.Item, packName string, is func(name string) bool, to string) error {
	for _, item := range items {
		isKptfile, isConfig := item.Kind() == kptpackage.KptfileName, item.Is(function.ConfigGroupVersion, "ApplyPreset")
		if !isKptfile && !isConfig {
			continue
		}
		document, err := item.Document()
		if err != nil {
			continue
		}
		edited := document
		if isConfig {
			edited, err = reselectTyped(document, packName, is, to)
		} else {
			edited, err = reselectInline(document, packName, is, to)
		}
		if err != nil {
			return err
		}
		if edited != document {
			item.Replace(edited)
		}
	}
	return nil
}

// reselectTyped edits the presets of an ApplyPreset:
//
//	spec:
//	  presets:
//	  - {pack: vault, name: ha}
func reselectTyped(d *values.Document, packName string, is func(string) bool, to string) (*values.Document, error) {
	entries := values.Field(d.Root(), "spec", "presets")
	if entries == nil {
		return d, nil
	}
	for i, entry := range slices.Backward(entries.Content) { // a deletion shifts later elements
		name := values.Field(entry, "name")
		if values.Text(values.Field(entry, "pack")) != packName || !is(values.Text(name)) {
			continue
		}
		var err error
		if to == "" {
			d, _, err = d.Delete(append(values.Keys("spec", "presets"), values.Element(i)))
		} else {
			at := append(values.Keys("spec", "presets"), values.Element(i), values.Keys("name")[0])
			d, err = d.ReplaceScalars(values.ScalarEdit{Node: values.Follow(d.Root(), at), Text: to})
		}
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// reselectInline edits the presets in the configMap of a function in a Kptfile:
//
//	pipeline:
//	  mutators:
//	  - exec: apply-preset
//	    configMap: {vault: "ha,small"}
func reselectInline(d *values.Document, packName string, is func(string) bool, to string) (*values.Document, error) {
	functions := values.Field(d.Root(), "pipeline", "mutators")
	if functions == nil {
		return d, nil
	}
	for i, entry := range functions.Content {
		called := kptpackage.Function{Image: values.Text(values.Field(entry, "image")), Exec: values.Text(values.Field(entry, "exec"))}
		at := append(values.Keys("pipeline", "mutators"), values.Element(i), values.Keys("configMap")[0], values.Keys(packName)[0])
		n := values.Follow(d.Root(), at)
		if called.Program() != rule.ApplyPreset || values.Text(n) == "" {
			continue
		}
		var names []string
		isChanged := false
		for name := range strings.SplitSeq(n.Value, ",") {
			switch {
			case !is(strings.TrimSpace(name)):
				names = append(names, name)
				continue
			case to != "":
				names = append(names, strings.Replace(name, strings.TrimSpace(name), to, 1))
			}
			isChanged = true
		}
		var err error
		switch text := strings.TrimSpace(strings.Join(names, ",")); {
		case !isChanged:
		case text == "":
			d, _, err = d.Delete(at)
		default:
			d, err = d.ReplaceScalars(values.ScalarEdit{Node: n, Text: text})
		}
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}
