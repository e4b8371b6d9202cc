package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// upgraded is a pack in two versions.
type upgraded struct {
	*transfer.Newer
	options *check.Options
	// inPackage is the pack with its place, and before the same with its values.
	inPackage     *check.Pack
	before, after *loaded
	// base is the pack without the edits of users, or nil if it is unknown.
	base *loaded
	// reads reports whether a chart or manifest of the newer version reads a key, if that is known.
	reads func(keys []string) (isRead, isKnown bool)
	// findings are about the upgrade.
	findings []report.Finding
	// lost is the number of edits that cannot be carried over.
	lost int
}

// loaded is a pack with the mapping of its own values, with the sources of their macros.
type loaded struct {
	*pack.Pack
	// sources are the values before macros were resolved, and values the same as a document.
	sources *hydration.Sources
	values  *values.Document
	// item is the resource that the pack was read from, or nil for the pack in the package.
	item *list.Item
}

// load reads the pack of a resource.
func load(text []byte, name string) (*loaded, error) {
	one, item, err := transfer.Load(text, name)
	if err != nil {
		return nil, err
	}
	return withValues(one, item, name)
}

// withValues returns a pack with its values. name is the file in an error.
func withValues(one *pack.Pack, item *list.Item, name string) (*loaded, error) {
	sources, err := one.OwnValues().Sources(hydration.Partly)
	if err != nil {
		return nil, fmt.Errorf("%s: the values of %s: %w", name, one.Name, err)
	}
	return &loaded{one, sources, sources.Part(), item}, nil
}

// entries returns the entries of the pack's schema, none if it cannot be read, which the checks
// report.
func (l *loaded) entries() inventory.Entries {
	all, _ := inventory.EntriesOf(l.Pack)
	return all
}

// read reads a pack of a package and its newer version.
func (o *Options) read(target *transfer.Target, packs map[string]*check.Pack, newer string) (*upgraded, error) {
	n, err := target.Newer(newer, o.From)
	if err != nil {
		return nil, err
	}
	u := &upgraded{Newer: n, options: &o.Check, inPackage: packs[n.Pack]}
	if u.inPackage == nil {
		return nil, fmt.Errorf("%s: the pack cannot be read; see packfn check", n.Path)
	}
	if u.before, err = withValues(u.inPackage.Pack, nil, n.Path); err != nil {
		return nil, err
	}
	if u.after, err = load(n.After, newer); err != nil {
		return nil, err
	}
	switch {
	case n.Base != nil:
		u.base, err = load(n.Base, n.From)
	case n.IsUnedited || n.IsSame:
		u.base = u.before
	}
	u.reads = u.reader()
	return u, err
}

// reader returns what reports whether the newer version reads a key.
func (u *upgraded) reader() func(keys []string) (isRead, isKnown bool) {
	known := &facts.Pack{}
	if source := u.after.ChartFacts; source != nil {
		if document, err := source.Document(); err == nil {
			if read, err := facts.Read(document); err == nil {
				known = read
			}
		}
	}
	users := []*values.Document{u.before.values}
	for _, override := range u.before.Overrides {
		if document, err := override.Values.Mapping(); err == nil {
			users = append(users, document)
		}
	}
	return known.Reader(users...)
}

// add adds a finding about a value, or about the pack if there is no place.
func (u *upgraded) add(f diag.Finding, source *pack.Source, at edit) {
	var position diag.Position
	if at.key != nil { // a search for each of many paths would read the values again
		position = values.At(at.key)
	}
	u.findings = append(u.findings, u.finding(f, source, pathOf(at.keys), position))
}

// finding returns a finding about a key of a document of the pack.
func (u *upgraded) finding(f diag.Finding, source *pack.Source, key string, position diag.Position) report.Finding {
	f = f.In(source.Origin, key, position).For(u.Pack)
	return u.inPackage.Finding("upgrade", u.options, &f)
}

// version names the newer version: `vault 0.7.0`.
func (u *upgraded) version() string { return u.Pack + " " + u.after.Version }

// isOlder reports whether the upgrade is to an older version than the version in the package.
func (u *upgraded) isOlder() bool {
	before, err := version.Parse(u.before.Version)
	after, otherErr := version.Parse(u.after.Version)
	return err == nil && otherErr == nil && after.Compare(before) < 0
}

// compare finds what the newer version changes, and carries edits over.
func (u *upgraded) compare(discardEdits bool) error {
	base, next := cmp.Or(u.base, u.before), u.after.values
	d := differences{edited: map[string]bool{}}
	renames := &renames{base: base.values, next: next}
	switch {
	case u.base != nil:
		if err := u.carry(&d, renames); err != nil {
			return err
		}
	case values.Equal(u.before.values.Root(), next.Root()):
	case discardEdits:
		u.Notes = append(u.Notes, fmt.Sprintf("%s: edits of the values of %s look like old defaults, and are dropped", u.Path, u.Pack))
	default:
		u.lost++
		f := diag.Say("the values were edited, or nothing records what they were, and the directory that %s was imported from is not at hand: the upgrade would drop the edits", strings.TrimSpace(u.Pack+" "+u.before.Version))
		f = f.Do("name that directory with --from, or with --source a folder that has it; or drop the edits with --discard-edits")
		u.add(f.Of(rule.UpgradeEdited), u.before.OwnValues(), edit{})
	}
	if err := u.comments(); err != nil {
		return err
	}
	u.files(discardEdits)
	hasDefaults := !slices.ContainsFunc(u.before.Overrides, func(o *pack.Override) bool { return o.Replace })
	for _, override := range u.before.Overrides {
		u.override(override, &d, renames)
	}
	if hasDefaults {
		u.defaults(&d, base, next)
	}
	u.schemas(base)
	u.presets(base)
	if err := u.after.OwnValues().Edit(u.before.sources.Carry); err != nil {
		return fmt.Errorf("%s: the results of macros in %s: %w", u.Path, u.Pack, err)
	}
	return nil
}
