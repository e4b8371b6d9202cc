// Package upgrade says what a newer version of a pack changes for a package, and carries
// the edits of users over to it.
//
//	plan, err := upgrade.New("platform", []string{"packs/vault-0.7.0"}, upgrade.Options{From: "packs/vault-0.6.0", Check: options})
//	for _, f := range plan.Report.Findings { … }
//
// The package is judged as it would be: checks run over it before and after, in memory.
package upgrade

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/check"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/folder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/place"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/report"
	"github.com/krm-packs/functions/pkg/staging"
	"github.com/krm-packs/functions/pkg/transfer"
	"github.com/krm-packs/functions/pkg/values"
)

// The rules of upgrades.
var (
	// RuleOrphaned: a value that the user sets has no key in the newer version.
	RuleOrphaned = diag.Rule{ID: "upgrade/orphaned-value", Severity: diag.Warning}
	// RuleRequired: a value that the newer version requires is missing.
	RuleRequired = diag.Rule{ID: "upgrade/newly-required", Severity: diag.Error}
	// RuleFormat: the newer version does not accept a value, or cannot be read.
	RuleFormat = diag.Rule{ID: "upgrade/format", Severity: diag.Error}
	// RulePreset: an applied preset is gone or has changed.
	RulePreset = diag.Rule{ID: "upgrade/preset", Severity: diag.Warning}
	// RuleRequirement: the package does not meet what the newer version requires.
	RuleRequirement = diag.Rule{ID: "upgrade/requirement", Severity: diag.Error}
	// RuleDefault: a value changes because the pack's default has changed.
	RuleDefault = diag.Rule{ID: "upgrade/changed-default", Severity: diag.Info}
)

// Rules are the rules of upgrades.
var Rules = []diag.Rule{RuleOrphaned, RuleRequired, RuleFormat, RulePreset, RuleRequirement, RuleDefault}

// Options say how an upgrade is planned.
type Options struct {
	// From is the directory that the pack was imported from, "" when it is not at hand.
	From string
	// Check are the options of the checks.
	Check check.Options
}

// Plan is what an upgrade does.
type Plan struct {
	// Changes are the files to write.
	Changes []staging.Change
	// Report is what the upgrade changes for the package.
	Report *report.Report
	// Notes are for people, one line each.
	Notes []string
}

// New plans the upgrade of packs of a package to the versions in directories. An error
// says why it cannot be planned.
func New(dir string, newer []string, o Options) (*Plan, error) {
	if o.From != "" && len(newer) > 1 {
		return nil, errors.New("--from is about one pack; upgrade one at a time")
	}
	packs, err := check.Packs([]string{dir}, o.Check)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Report: &report.Report{}}
	texts := map[string][]byte{}
	var all []*upgraded
	for _, from := range newer {
		u, err := o.read(dir, from)
		if err != nil {
			return nil, err
		}
		if _, known := texts[u.Path]; known {
			return nil, fmt.Errorf("%s has two of the packs; upgrade one at a time", u.Path)
		}
		if err := u.compare(packs); err != nil {
			return nil, err
		}
		plan.Notes = append(plan.Notes, u.Notes...)
		if texts[u.Path], err = u.File(u.result()); err != nil {
			return nil, err
		}
		plan.Changes = append(plan.Changes, staging.Change{In: dir, Path: u.Path, Text: texts[u.Path]})
		all = append(all, u)
	}
	before, err := errorsOf(dir, o.Check)
	if err != nil {
		return nil, err
	}
	o.Check.Replace = texts
	after, err := errorsOf(dir, o.Check)
	if err != nil {
		return nil, err
	}
	for _, u := range all {
		u.addBounds()
		u.addRequirements(after)
		plan.Report.Findings = append(plan.Report.Findings, u.findings...)
	}
	plan.Report.Findings = append(plan.Report.Findings, added(all, before, after)...)
	plan.Report.Finish()
	return plan, nil
}

// errorsOf returns the errors that the checks find in a package.
func errorsOf(dir string, o check.Options) ([]report.Finding, error) {
	r, err := check.Run([]string{dir}, o)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(r.Findings, func(f report.Finding) bool { return f.Severity != diag.Error }), nil
}

// added returns the errors that come with the upgrade, with the rules of upgrades.
func added(all []*upgraded, before, after []report.Finding) []report.Finding {
	byPath := map[string]*upgraded{}
	requirements := map[*upgraded]map[bool][]requirement{} // by whether it is the newer version
	for _, u := range all {
		byPath[u.Path] = u
		requirements[u] = map[bool][]requirement{false: u.before.requirements(), true: u.after.requirements()}
	}
	identity := func(f *report.Finding, isAfter bool) string {
		at := f.Field + "\x00" + f.Key
		if u := byPath[f.Path]; u != nil {
			at = stable(keyOf(f), requirements[u][isAfter])
		}
		for _, u := range all {
			if u.Pack == f.Tags["requirer"] { // the finding is about another pack's version
				at += "\x00" + stable(f.Tags["dependency"], requirements[u][isAfter])
			}
		}
		return strings.Join([]string{f.Rule, f.Function, f.File, f.Resource.String(), at}, "\x00")
	}
	known := map[string]int{}
	for i := range before {
		known[identity(&before[i], false)]++
	}
	var found []report.Finding
	for _, f := range after {
		if id := identity(&f, true); known[id] > 0 {
			known[id]--
			continue
		}
		rule := RuleRequirement
		if group, _, _ := strings.Cut(f.Rule, "/"); f.Rule == "values/required" {
			rule = RuleRequired
		} else if group == "values" || group == "schema" || group == "input" {
			rule = RuleFormat
		}
		f.Message += " (" + f.Rule + ")"
		f.Rule = rule.ID
		if byPath[f.Path] != nil {
			// The place is one of the newer text.
			f.Line, f.Column, f.Source = byPath[f.Path].file.Resource(byPath[f.Path].Index, "").Line, 0, ""
		}
		found = append(found, f)
	}
	return found
}

// keyOf returns the path of a finding in the document of the pack that it is in.
func keyOf(f *report.Finding) string {
	if f.Cause != nil {
		return f.Cause.Key
	}
	return f.Key
}

// upgraded is a pack in two versions.
type upgraded struct {
	*transfer.Newer
	before, after *loaded
	// base is the pack without the edits of users, nil when it is unknown.
	base     *loaded
	findings []report.Finding
	display  func(string) string
	file     *place.File
}

// loaded is a pack that was read from the text of its resource.
type loaded struct {
	*pack.Pack
	item *list.Item
	// values is the mapping of its own values.
	values *values.Document
}

// load reads the pack of a resource.
func load(text []byte, name string) (*loaded, error) {
	one, item, err := transfer.Load(text, name)
	if err != nil {
		return nil, err
	}
	p := &loaded{Pack: one, item: item}
	if p.values, err = p.OwnValues().Mapping(); err != nil {
		return nil, fmt.Errorf("%s: the values of %s: %w", name, p.Name, err)
	}
	return p, nil
}

// read reads a pack of a package and its newer version.
func (o *Options) read(dir, newer string) (*upgraded, error) {
	n, err := transfer.ReadNewer(dir, newer, o.From)
	if err != nil {
		return nil, err
	}
	text, err := folder.ReadText(n.Path)
	if err != nil {
		return nil, err
	}
	u := &upgraded{Newer: n, display: o.Check.Display, file: place.NewFile(n.Path, text)}
	if u.before, err = load(n.Before, n.Path); err != nil {
		return nil, err
	}
	if u.after, err = load(n.After, newer); err != nil {
		return nil, err
	}
	if n.Base != nil {
		u.base, err = load(n.Base, o.From)
	}
	return u, err
}

// result returns the resource of the newer version, with the edits of users.
func (u *upgraded) result() []byte { return u.after.item.Text() }

// leaf is a value that is no mapping with entries.
type leaf struct {
	keys []string
	node *yaml.Node
}

// key is the path of a leaf.
func (l *leaf) key() string {
	key := ""
	for _, k := range l.keys {
		key = diag.Join(key, k)
	}
	return key
}

// leaves returns the values of a mapping in their order.
func leaves(n *yaml.Node, keys ...string) []leaf {
	n = values.Resolve(n)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		return []leaf{{slices.Clone(keys), n}}
	}
	var all []leaf
	for _, p := range values.Pairs(n) {
		all = append(all, leaves(p.Value, append(slices.Clone(keys), p.Key.Value)...)...)
	}
	return all
}

// at returns the value at a path, nil when it is absent.
func at(d *values.Document, keys []string) *yaml.Node { return values.Field(d.Root(), keys...) }

// same reports whether two values are equal, also when both are absent.
func same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return values.Equal(a, b)
}

// compare finds what the newer version changes, and carries edits over.
func (u *upgraded) compare(packs []check.Pack) error {
	base, next := cmp.Or(u.base, u.before), u.after.values
	edited, isReplaced := map[string]bool{}, false
	var kept, removed []leaf
	if u.base != nil {
		for _, l := range leaves(u.before.values.Root()) {
			if same(at(u.base.values, l.keys), l.node) {
				continue
			}
			edited[l.key()] = true
			if isOrphaned(l.keys, base.values, next) {
				u.orphan("", l, base, next)
			} else {
				kept = append(kept, l)
			}
		}
		for _, l := range leaves(u.base.values.Root()) { // what the user has removed
			if at(u.before.values, l.keys) == nil && at(next, l.keys) != nil {
				edited[l.key()] = true
				removed = append(removed, l)
			}
		}
		if err := u.carry(kept, removed); err != nil {
			return err
		}
	} else if slices.ContainsFunc(leaves(u.before.values.Root()), func(l leaf) bool { return !same(l.node, at(next, l.keys)) }) {
		u.Notes = append(u.Notes, fmt.Sprintf("%s: without --from, edits of the values of %s look like old defaults: they are replaced", u.Path, u.Pack))
	}
	for _, p := range packs {
		if p.Name != u.Pack {
			continue
		}
		for _, override := range p.Overrides {
			document, err := override.Values.Mapping()
			if err != nil {
				continue // which the checks report
			}
			isReplaced = isReplaced || override.Replace
			for _, l := range leaves(document.Root()) {
				if l.node.Kind != yaml.MappingNode { // an empty mapping sets nothing
					edited[l.key()] = true
				}
				if isOrphaned(l.keys, u.before.values, next) {
					u.orphan(override.Values.Resource.Name, l, base, next)
				}
			}
		}
	}
	for _, l := range leaves(base.values.Root()) {
		now := at(next, l.keys)
		if isReplaced || now == nil || same(l.node, now) || isBelow(l.keys, edited) {
			continue
		}
		what := "the default changes"
		if u.base == nil {
			what = "the value changes: the default is another one, or it was edited"
		}
		u.add(RuleDefault, l.key(), what)
	}
	u.presets()
	if err := preset.CarryLeaves(u.before.OwnValues(), u.after.OwnValues()); err != nil {
		return fmt.Errorf("%s: %w", u.Path, err)
	}
	return nil
}

// isOrphaned reports whether the newer version has no place for a value: of its path, as
// much as the older version has is gone. `nodeSelector.disk` has no place without
// `nodeSelector`, also if that was empty.
func isOrphaned(keys []string, before, after *values.Document) bool {
	for n := len(keys); n > 0; n-- {
		if at(before, keys[:n]) != nil {
			return at(after, keys[:n]) == nil
		}
	}
	return false
}

// isBelow reports whether a value, or one that it is in, is among edited ones.
func isBelow(keys []string, edited map[string]bool) bool {
	for i := range keys {
		if edited[(&leaf{keys: keys[:i+1]}).key()] {
			return true
		}
	}
	return false
}

// orphan reports a value that has no key in the newer version.
func (u *upgraded) orphan(override string, l leaf, base *loaded, next *values.Document) {
	var added, named []string
	for _, other := range leaves(next.Root()) {
		if at(base.values, other.keys) != nil {
			continue
		}
		added = append(added, other.key())
		if last := len(l.keys) - 1; other.keys[len(other.keys)-1] == l.keys[last] {
			named = append(named, other.key())
		}
	}
	message := fmt.Sprintf("%s %s has no such key", u.Pack, u.after.Version)
	if override != "" {
		message += fmt.Sprintf(", which %s sets", override)
	}
	if len(named) == 1 {
		message += fmt.Sprintf("; it is probably %s now", named[0])
	} else if near := nearest.Name(l.key(), added); near != "" {
		message += fmt.Sprintf("; it is probably %s now", near)
	}
	u.add(RuleOrphaned, l.key(), message)
}

// carry writes the edits of the user into the values of the newer version: values that
// were set, and values that were removed.
func (u *upgraded) carry(kept, removed []leaf) error {
	if len(kept)+len(removed) == 0 {
		return nil
	}
	own := u.after.OwnValues()
	err := own.Edit(func(d *values.Document, steps []values.Step) (*values.Document, error) {
		for _, l := range kept {
			edited, err := d.Set(slices.Concat(steps, values.Keys(l.keys...)), values.Of(l.node))
			if err != nil {
				u.add(RuleOrphaned, l.key(), fmt.Sprintf("%s %s has no place for this value: %v", u.Pack, u.after.Version, err))
				continue
			}
			d = edited
		}
		for _, l := range removed {
			edited, _, err := d.Delete(slices.Concat(steps, values.Keys(l.keys...)))
			if err != nil {
				return nil, fmt.Errorf("%s is removed from the values of %s %s, which cannot be done in those of %s: %w", l.key(), u.Pack, u.before.Version, u.after.Version, err)
			}
			d = edited
		}
		return d, nil
	})
	if err == nil {
		u.after.values, err = own.Mapping()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", u.Path, err)
	}
	return nil
}

// presets reports applied presets that are gone or have changed.
func (u *upgraded) presets() {
	read := func(item *list.Item) map[string]preset.Entry {
		record, _ := preset.ParseRecord(item.Annotation(preset.RecordAnnotation))
		entries := map[string]preset.Entry{}
		for _, e := range record {
			entries[e.Preset] = e
		}
		return entries
	}
	before, after := read(u.before.item), read(u.after.item)
	for _, name := range slices.Sorted(keysOf(before)) {
		shown := strings.TrimPrefix(name, ":")
		switch now, ok := after[name]; {
		case !ok:
			u.add(RulePreset, "", fmt.Sprintf("the preset %q is applied, and cannot be applied to %s %s", shown, u.Pack, u.after.Version))
		case now.Hash != before[name].Hash:
			u.add(RulePreset, "", fmt.Sprintf("the preset %q is applied, and %s %s has another one of this name", shown, u.Pack, u.after.Version))
		}
	}
}

func keysOf(entries map[string]preset.Entry) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range entries {
			if !yield(name) {
				return
			}
		}
	}
}

// add adds a finding about a value of the pack, or about the pack.
func (u *upgraded) add(rule diag.Rule, key, message string) {
	own := u.before.OwnValues()
	origin := *own.Origin
	origin.Resource.Index = u.Index
	f := diag.Say("%s", message).Of(rule).In(&origin, key, diag.Position{})
	f.Pack = u.Pack
	out := report.Of("upgrade", &f)
	position := u.file.Of(&f)
	out.Path, out.File, out.Line, out.Column = u.Path, u.display(u.Path), position.Line, position.Column
	if key != "" {
		out.SetSource(u.file.Line(position.Line))
	}
	u.findings = append(u.findings, out)
}
