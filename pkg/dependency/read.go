package dependency

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Read reads the dependencies in the content of a pack.json, and returns their faults,
// without a rule and an origin. Of an entry with a fault, everything that is certain is returned.
// Unknown fields are ignored, except misspelt ones: a bound or a list that is not read would let
// everything pass.
//
//	constraints:
//	  dependencies:
//	  - {packName: cert-manager, layer: addon, minVersion: "1.12", maxVersion: "1.14", type: required}
func Read(packJSON *yaml.Node) ([]Dependency, []diag.Finding) {
	r := reader{}
	var all []Dependency
	for _, entry := range pack.ReadConstraints(packJSON, pack.Dependencies, r.report).Dependencies {
		if d, ok := r.entry(&entry); ok {
			all = append(all, d)
		}
	}
	slices.SortStableFunc(r.findings, func(a, b diag.Finding) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Column, b.Position.Column))
	})
	return all, r.findings
}

// reader reads the dependencies of one pack.json.
type reader struct{ findings []diag.Finding }

func (r *reader) report(at pack.Field, f diag.Finding) {
	r.findings = append(r.findings, f.At(at.Path, at.At))
}

// text returns the text of a field. It reports false for one that cannot be read.
func (r *reader) text(f pack.Field) (text string, ok bool) {
	switch {
	case f.IsEmpty():
		return "", !f.IsMisspelt
	case f.Node.Kind != yaml.ScalarNode:
		r.report(f, diag.Got(values.KindOf(f.Node), "a string"))
		return "", false
	}
	return strings.TrimSpace(f.Node.Value), true
}

// entry reads one entry. It returns false if the entry requires nothing.
func (r *reader) entry(e *pack.DependencyEntry) (Dependency, bool) {
	d := Dependency{Path: e.Path, at: placesOf(e)}
	name, ok := r.text(e.PackName)
	if d.Pack = name; ok && e.PackName.IsEmpty() {
		r.report(e.PackName, e.PackName.Missing(""))
	}
	d.Layer, _ = r.text(e.Layer)
	kind, isKnown := r.text(e.Type)
	switch d.Type = Type(kind); {
	case !isKnown:
	case kind == "":
		d.Type, d.IsUntyped = Optional, true
	case !slices.Contains(e.Type.Options, kind):
		f := diag.GotName(kind, e.Type.Options)
		r.report(e.Type, f.Propose(kind, f.Nearest))
		isKnown = false
	}
	d.Range.Min = r.bound(&d, e.MinVersion)
	d.Range.Max = r.bound(&d, e.MaxVersion)
	if !d.isUnchecked && d.Range.IsEmpty() {
		of := ""
		if d.Pack != "" {
			of = fmt.Sprintf(" of %q", d.Pack)
		}
		r.report(e.MinVersion, diag.Say("minVersion %s is above maxVersion %s: no version%s is in range", d.Range.Min, d.Range.Max, of).Do("swap them or correct one"))
		d.isUnchecked = true
	}
	return d, isKnown && d.Pack != ""
}

// bound reads a bound of a dependency.
func (r *reader) bound(d *Dependency, f pack.Field) version.Bound {
	text, ok := r.text(f)
	bound, err := version.ParseBound(text, parser(d.isKubernetes()))
	if err != nil {
		r.report(f, diag.GotText(text, version.Form))
	}
	d.isUnchecked = d.isUnchecked || !ok || err != nil
	return bound
}
