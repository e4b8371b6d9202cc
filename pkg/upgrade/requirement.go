package upgrade

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/report"
	"github.com/krm-packs/functions/pkg/values"
)

// requirement is an entry of constraints.dependencies or constraints.resources.
type requirement struct {
	// path is its path in pack.json: `constraints.dependencies[0]`.
	path string
	// content is equal for entries that ask for the same.
	content string
	// text says what it asks for.
	text string
	// isFuture says that it bounds later upgrades, and asks nothing of the package.
	isFuture bool
}

// The lists of pack.json with requirements.
const (
	dependenciesPath = "constraints.dependencies"
	resourcesPath    = "constraints.resources"
)

// requirements returns what a pack requires. Entries that cannot be read are left out:
// the checks report them.
func (l *loaded) requirements() []requirement {
	if l.Metadata == nil {
		return nil
	}
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
	if entries := values.Field(metadata.Root(), strings.Split(resourcesPath, ".")...); entries != nil && entries.Kind == yaml.SequenceNode {
		for i, n := range entries.Content {
			name := values.Field(n, "type")
			if name == nil {
				continue
			}
			text, err := yaml.Marshal(plain(n))
			if err != nil {
				continue
			}
			what := "the sum of its components"
			if limit := values.Field(n, "minLimit"); limit != nil && values.Field(n, "components") == nil {
				what = "minLimit " + limit.Value
			}
			all = append(all, requirement{path: fmt.Sprintf("%s[%d]", resourcesPath, i), text: fmt.Sprintf("%s (%s)", name.Value, what), content: "resource\x00" + string(text)})
		}
	}
	return all
}

// plain returns the content of a node, for a comparison.
func plain(n *yaml.Node) any {
	var content any
	if err := n.Decode(&content); err != nil {
		return nil
	}
	return content
}

// stable returns a key of pack.json with the content of the entry that it is in, in place
// of the entry's index, which changes when others come and go.
func stable(key string, requirements []requirement) string {
	for i := range requirements {
		if rest, ok := strings.CutPrefix(key, requirements[i].path); ok && (rest == "" || rest[0] == '.') {
			return requirements[i].content + rest
		}
	}
	return key
}

// addRequirements reports the requirements that are new and that the package meets.
// errors are those that the checks find after the upgrade.
func (u *upgraded) addRequirements(errors []report.Finding) {
	known := map[string]bool{}
	for _, r := range u.before.requirements() {
		known[r.content] = true
	}
	lacksResources := false
	for i := range errors {
		lacksResources = lacksResources || strings.HasPrefix(errors[i].Rule, "resources/")
	}
	for _, r := range u.after.requirements() {
		if known[r.content] || r.isFuture || u.isReported(r.path, errors) {
			continue
		}
		end := "; the package meets it"
		if lacksResources && strings.HasPrefix(r.path, resourcesPath) {
			end = ""
		}
		at := len(u.findings)
		u.add(RuleRequirement, "", fmt.Sprintf("%s %s requires %s, and %s does not%s", u.Pack, u.after.Version, r.text, u.before.Version, end))
		u.findings[at].Severity, u.findings[at].Field, u.findings[at].Key = diag.Info, strings.TrimSuffix(u.after.Metadata.Origin.Path(r.path), "."), r.path
	}
}

// isReported reports whether an error is about an entry of pack.json.
func (u *upgraded) isReported(path string, errors []report.Finding) bool {
	for i := range errors {
		key := ""
		if f := &errors[i]; f.Tags["requirer"] == u.Pack && f.Tags["dependency"] != "" {
			key = f.Tags["dependency"]
		} else if f.Path == u.Path {
			key = keyOf(f)
		}
		if key == path || strings.HasPrefix(key, path+".") {
			return true
		}
	}
	return false
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
		return &dependency.Pack{Name: l.Name, Version: l.Version, Layer: l.Layer, Origin: l.Metadata.Origin, Dependencies: all}
	}
	if u.before.Metadata == nil || u.after.Metadata == nil {
		return
	}
	before, after := read(u.before), read(u.after)
	if before == nil || after == nil {
		return
	}
	found := dependency.Check([]*dependency.Pack{after}, dependency.Context{Packs: []*dependency.Pack{after}, Installed: []*dependency.Pack{before}})
	for i := range found {
		if f := &found[i]; f.Rule == dependency.RuleUpgrade {
			u.add(RuleRequirement, "version", f.Message()+" ("+f.Rule.ID+")")
		}
	}
}
