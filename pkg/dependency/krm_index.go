package dependency

import (
	"fmt"

	"github.com/blang/semver/v4"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// catalogIndex is what a catalog says about bundles in several documents:
//
//	schema: olm.channel
//	package: vault
//	entries:
//	- name: vault.v1.1.0
//	  skipRange: '>=1.0.0 <1.1.0'
//	---
//	schema: olm.bundle
//	name: vault.v1.1.0
//	package: vault
//
// opm refuses a catalog with two bundles of one name, or of one version, in a package.
type catalogIndex struct {
	// file is the path of the catalog.
	file string
	// bundles are the versions of bundles by their package and name, and versions the names of bundles by
	// their package and version.
	bundles, versions map[[2]string]indexed
	// skips are the ranges of entries, which are checked when all bundles are known.
	skips []skip
	// found are the faults so far.
	found []diag.Finding
}

// indexed is the name or the version of a bundle of the catalog, and the line that it begins at.
type indexed struct {
	// text is the name or the version, and line the first line of the document.
	text string
	line int
}

// skip is the skipRange of an entry of a channel.
type skip struct {
	of [2]string // package and bundle
	// text is the range, and origin, key and at are its place.
	text   string
	origin *diag.Origin
	key    string
	at     diag.Position
}

func newCatalogIndex(file string) *catalogIndex {
	return &catalogIndex{file: file, bundles: map[[2]string]indexed{}, versions: map[[2]string]indexed{}}
}

// addBundle adds an olm.bundle.
func (c *catalogIndex) addBundle(o *diag.Origin, root *yaml.Node) {
	name := values.Text(values.Field(root, "name"))
	of, number := packageOf(root)
	at := values.At(values.Field(root, "name"))
	report := func(what, first string, line int) {
		f := diag.Say("the catalog has %s of package %q twice (the first is bundle %q on line %d), and opm refuses such a catalog", what, of, first, line)
		f = f.Do("remove one").Of(rule.ProviderDuplicate)
		f.Severity = diag.Error
		f.Tags = map[string]string{"bundle": name}
		c.found = append(c.found, f.In(o, "name", at))
	}
	if first, isTwice := c.bundles[[2]string{of, name}]; isTwice {
		report(fmt.Sprintf("bundle %q", name), name, first.line)
		return
	}
	if first, isTwice := c.versions[[2]string{of, number}]; isTwice {
		report("version "+number, first.text, first.line)
	}
	c.bundles[[2]string{of, name}], c.versions[[2]string{of, number}] = indexed{number, at.Line}, indexed{name, at.Line}
}

// addChannel adds an olm.channel. Other documents are left out.
func (c *catalogIndex) addChannel(o *diag.Origin, root *yaml.Node) {
	entries := values.Field(root, "entries")
	if values.Text(values.Field(root, "schema")) != channelSchema || values.IsNull(entries) || entries.Kind != yaml.SequenceNode {
		return
	}
	channel := &diag.Origin{Resource: diag.Resource{Kind: channelSchema, Name: values.Text(values.Field(root, "name")), File: o.Resource.File, Index: o.Resource.Index}}
	for i, entry := range entries.Content {
		if n := values.Field(entry, "skipRange"); !values.IsNull(n) {
			of := [2]string{values.Text(values.Field(root, "package")), values.Text(values.Field(entry, "name"))}
			c.skips = append(c.skips, skip{of, values.Text(n), channel, fmt.Sprintf("entries[%d].skipRange", i), values.At(n)})
		}
	}
}

// findings returns the faults of the catalog, once it is read.
func (c *catalogIndex) findings() []diag.Finding {
	for _, s := range c.skips {
		number := c.bundles[s.of].text
		if number == "" {
			_, number = constraint.CutName(s.of[1])
		}
		if f := checkSkipRange(s.of[1], s.text, number); f != nil {
			c.found = append(c.found, f.In(s.origin, s.key, s.at))
		}
	}
	return c.found
}

// checkSkipRange checks the range of the versions that a bundle of a version replaces, and returns
// nil for a right one. OLM ignores a range that it cannot read.
func checkSkipRange(bundle, text, number string) *diag.Finding {
	if text == "" {
		return nil // there is none
	}
	skipped, err := constraint.ParseRange(text)
	if err != nil {
		f := diag.Say("the skipRange of bundle %q cannot be read, and OLM ignores it: %v", bundle, err).Of(rule.ConstraintInvalid)
		return &f
	}
	own, err := semver.ParseTolerant(number)
	if err != nil {
		return nil // which is reported, where it is stated
	}
	included, isWrong := skipped.From(own)
	if !isWrong {
		return nil
	}
	f := diag.Say("the skipRange %q of bundle %q includes %s, but the bundle is version %s, and replaces only older ones", text, bundle, included, number).
		Do("end the range with <" + number).Of(rule.ConstraintInvalid)
	f.Severity = diag.Warning
	return &f
}
