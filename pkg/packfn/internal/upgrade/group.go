package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/secret"
)

// TagKeys is the tag of a finding about several keys: all of them, joined by commas.
const TagKeys = "keys"

// news is what a newer version changes or adds at a key. News with equal groups are one finding:
//
//	charts.web.image.tag: v2.4.0 → v2.5.3      one finding at charts.web.image.tag,
//	charts.core.image.tag: v2.4.0 → v2.5.3     which names charts.core.image.tag
type news struct {
	// at is the key, finding what is reported, and group is equal for news that are one finding.
	at      edit
	finding diag.Finding
	group   string
	// name is what the finding of another key of its group calls this one, and noun and of are what it
	// calls all of them.
	name, noun, of string
}

// addNews adds a finding for each group of news, at its first key.
func (u *upgraded) addNews(all []news) {
	members := map[string][]news{}
	for _, one := range all {
		members[one.group] = append(members[one.group], one)
	}
	for _, first := range all {
		group := members[first.group]
		delete(members, first.group)
		if len(group) == 0 {
			continue
		}
		if len(group) > 1 {
			var keys, names []string
			for _, one := range group {
				if keys = append(keys, pathOf(one.at.keys)); !slices.Contains(names, one.name) {
					names = append(names, one.name)
				}
			}
			f := &first.finding
			f.Found += fmt.Sprintf("; also %s%s: %s", diag.Count(len(keys)-1, "other "+first.noun), first.of, diag.SomeOf(names[min(1, len(names)-1):]))
			f.Tags = map[string]string{TagKeys: strings.Join(keys, ",")}
		}
		u.add(first.finding, u.before.OwnValues(), first.at)
	}
}

// byRegistry groups a change of an image with the changes of other images of the same registry.
func (n *news) byRegistry(from, to string) {
	registry := registryOf(to)
	if registry == "" || registry != registryOf(from) {
		return
	}
	from, to = from[len(registry)+1:], to[len(registry)+1:]
	if image := from[:strings.LastIndexByte(from, ':')+1]; image != "" {
		to = strings.TrimPrefix(to, image)
	}
	n.group, n.name, n.noun, n.of = registry, from+" → "+to, "image", " of "+registry
}

// registryOf returns the registry in the name of an image, or "" for any other text.
func registryOf(text string) string {
	if !secret.IsImage(text) {
		return ""
	}
	registry, _, _ := strings.Cut(text, "/")
	return registry
}
