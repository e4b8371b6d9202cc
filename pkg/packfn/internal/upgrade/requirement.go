package upgrade

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// requirement is an entry of constraints.dependencies or constraints.resources.
type requirement struct {
	// path is its path in pack.json: `constraints.dependencies[0]`.
	path string
	// content is equal for entries that ask for the same.
	content string
	// text describes the requirement.
	text string
	// isFuture is true if the requirement only limits later upgrades, and requires nothing from
	// the package.
	isFuture bool
}

// requirements returns what a pack requires. Entries that cannot be read are left out:
// the checks report them.
func (l *loaded) requirements() []requirement {
	metadata, err := l.Metadata.Mapping()
	if err != nil {
		return nil
	}
	var all []requirement
	dependencies, _ := dependency.Read(metadata.Root())
	for i := range dependencies {
		d := &dependencies[i]
		text := d.Pack
		if !d.Range.IsOpen() {
			text += " " + d.Range.String()
		}
		all = append(all, requirement{
			path: d.Path, text: fmt.Sprintf("%s (%s)", text, d.Type), isFuture: d.Type == dependency.Upgrade,
			content: strings.Join([]string{"dependency", d.Pack, d.Layer, string(d.Type), d.Range.String()}, "\x00"),
		})
	}
	for _, entry := range pack.ReadConstraints(metadata.Root(), pack.Resources, func(pack.Field, diag.Finding) {}).Resources {
		if entry.Type.Node == nil {
			continue
		}
		content, _ := values.JSON(entry.Node)
		what := "the sum of its components"
		if entry.MinLimit.Node != nil && !entry.HasComponents() {
			what = "minLimit " + entry.MinLimit.Node.Value
		}
		all = append(all, requirement{path: entry.Path, text: fmt.Sprintf("%s (%s)", entry.Type.Node.Value, what), content: "resource\x00" + content})
	}
	return all
}

// byPlace returns requirements by their paths.
func byPlace(all []requirement) map[string]requirement {
	found := map[string]requirement{}
	for _, r := range all {
		found[r.path] = r
	}
	return found
}

// entry returns the path of the list entry that contains a key of pack.json, or "" if the key is
// not in a list.
func entry(key string) string { return key[:strings.IndexByte(key, ']')+1] }

// stable returns a key of pack.json, with the index of the list entry replaced by the content of
// the entry, because the index changes when other entries are added or removed.
func stable(key string, requirements map[string]requirement) string {
	path := entry(key)
	if r, ok := requirements[path]; ok {
		return r.content + key[len(path):]
	}
	return key
}

// addRequirements reports the requirements that are new and that the package meets. faults are
// the findings of the checks after the upgrade.
func (u *upgraded) addRequirements(faults []report.Finding) {
	known := map[string]bool{}
	for _, r := range u.before.requirements() {
		known[r.content] = true
	}
	reported := map[string]bool{} // the entries that errors are about
	lacksResources := false
	for i := range faults {
		f := &faults[i]
		if f.Severity != diag.Error {
			continue
		}
		lacksResources = lacksResources || strings.HasPrefix(f.Rule, "resources/")
		if f.Tags["requirer"] == u.Pack && f.Tags["dependency"] != "" {
			reported[entry(f.Tags["dependency"])] = true
		} else if f.Path == u.Path {
			reported[entry(f.Reported.Key)] = true
		}
	}
	for _, r := range u.after.requirements() {
		if known[r.content] || r.isFuture || reported[r.path] {
			continue
		}
		f := diag.Say("%s requires %s, and %s does not", u.version(), r.text, u.before.Version)
		if f.Severity = diag.Info; !lacksResources || !strings.HasPrefix(r.path, "constraints."+pack.Resources) {
			f.Action = "the package meets it"
		}
		u.addAbout(f.Of(rule.UpgradeRequirement), r.path)
	}
}

// addAbout adds a finding about a key of the newer version's pack.json. Its location is the key
// in the package, or the nearest existing parent.
func (u *upgraded) addAbout(f diag.Finding, key string) {
	out := u.finding(f, u.before.Metadata, "", diag.Position{})
	out.Field, out.Key = strings.TrimSuffix(u.after.Metadata.Origin.Path(key), "."), key
	u.findings = append(u.findings, out)
}

// addBounds reports that the version in the package bounds the versions that may replace
// it, and the newer one is out of them.
func (u *upgraded) addBounds() {
	read := func(l *loaded) *dependency.Pack {
		metadata, err := l.Metadata.Mapping()
		if err != nil {
			return nil
		}
		all, _ := dependency.Read(metadata.Root())
		return &dependency.Pack{Name: l.Name, Version: l.Version, Layer: l.Layer, Dependencies: all}
	}
	before, after := read(u.before), read(u.after)
	if before == nil || after == nil {
		return
	}
	found := dependency.Check([]*dependency.Pack{after}, dependency.Context{Packs: []*dependency.Pack{after}, Installed: []*dependency.Pack{before}})
	for i := range found {
		if f := found[i]; f.Rule == rule.DependencyUpgrade {
			out := u.finding(f.Of(rule.UpgradeRequirement), u.before.Metadata, "version", diag.Position{})
			out.Message += " (" + rule.DependencyUpgrade.ID + ")"
			u.findings = append(u.findings, out)
		}
	}
}
