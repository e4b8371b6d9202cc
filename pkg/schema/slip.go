package schema

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// typeChanged reports a value of an override whose type differs from the type of the pack's own
// value and from the types in presets.
func (l *layer) typeChanged(n, own *yaml.Node, known []*yaml.Node, path string) {
	found, want := typeOf(n), typeOf(own)
	hasContent := own != nil && own.Kind != yaml.ScalarNode && len(own.Content) > 0
	if found == "" && hasContent { // what charts find there is certainly no map or list
		found = vagueType(n, want)
	}
	isSame := func(other *yaml.Node) bool { return typeOf(other) == found }
	switch {
	case found == "" || want == "" || slices.ContainsFunc(known, isSame):
		return
	case isEmptyContainer(n) && !(hasContent && want == "a map"), isEmptyContainer(own) && (n.Kind != yaml.ScalarNode || found == "a string"):
		return // packs write {} and [] for nothing, and charts take lists and texts there
	}
	f := diag.Got(found, want+" (as in the pack's own values)").Of(rule.ValuesTypeChanged)
	switch {
	case hasContent && want == "a map":
		f.Found += " that replaces the pack's map"
	case want == "a string" && n.Kind == yaml.ScalarNode:
		if f = f.Quote(n.Value); isExact(own.Value) && isExact(n.Value) {
			f.Severity = diag.Info
		}
	case want == "a number" && found == "a string" && isExact(n.Value):
		f = f.Do("remove the quotes")
		f.Severity = diag.Info
	}
	l.add(f, l.origin, path, n)
}

// typeOf returns the kind of a value as charts see it: a date is text. It is "" for what
// has no certain type: null, "", text with a template, and words that are booleans in YAML
// 1.1, which Helm reads.
func typeOf(n *yaml.Node) string {
	if values.IsNull(n) {
		return ""
	}
	switch kind := values.KindOf(n); kind {
	case "a string", "a date":
		isBoolean := n.Style == 0 && slices.Contains([]string{"y", "n", "yes", "no", "on", "off"}, strings.ToLower(n.Value))
		if n.Value == "" || isBoolean || len(template.Actions(n.Value)) > 0 {
			return ""
		}
		return "a string"
	default:
		return kind
	}
}

// vagueType returns what a value without a certain type is in the place of a map or list: "" for null,
// which removes it, for a text with a template, and for "" in the place of a list, which means none.
func vagueType(n *yaml.Node, want string) string {
	switch {
	case values.IsNull(n) || len(template.Actions(n.Value)) > 0 || n.Value == "" && want == "a list":
		return ""
	case n.Value == "":
		return "an empty string"
	}
	return "a word that Helm reads as a boolean"
}

// isEmptyContainer reports whether a value is {} or [].
func isEmptyContainer(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode && len(n.Content) == 0 }

// isExact reports whether a text is a number that templates print as it is written. They
// print 2.20 as 2.2, and 1000000 as 1e+06.
func isExact(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && strconv.FormatFloat(f, 'g', -1, 64) == text
}

// roots are the keys that contain the values of the charts and manifests of a pack.
var roots = []string{"charts", "manifests"}

// misplaced reports a key of an override that the pack's own values have at another place: a dotted
// key whose path they have, and a key that they have below one of the charts or manifests.
func (l *layer) misplaced(key *yaml.Node, name string, own *yaml.Node, path string) {
	at := diag.Join(path, name)
	if steps := strings.Split(name, "."); len(steps) > 1 {
		parent := l.ownBelow(own, steps[:len(steps)-1]...)
		if parent == nil || parent.Kind != yaml.MappingNode || path != "" && l.ownBelow(own, steps...) == nil {
			return
		}
		f := diag.Say("this key has dots, so nothing reads it: in the pack's own values %s is a map", strings.Join(steps[:len(steps)-1], "."))
		f.Belongs = [][]string{steps}
		l.add(f.Do(facts.Nest(steps)).Of(rule.ValuesMisplaced), l.origin, at, key)
	} else if place := l.placeOf(name, path); place != nil {
		f := diag.Say("nothing reads this key here; the pack's own values have it below %s", strings.Join(place, "."))
		if path != "" { // one of the roots, in which the place is
			place = place[1:]
		}
		f.Belongs = [][]string{append(place, name)}
		l.add(f.Do("move it there").Of(rule.ValuesMisplaced), l.origin, at, key)
	}
}

// placeOf returns the only place below charts and manifests where the pack's own values have a key,
// and the name of a chart or manifest itself, or nil if there is none or are several. path is where
// the key is: the root, or one of these.
func (l *layer) placeOf(name, path string) (place []string) {
	if path == "" && (slices.Contains(roots, name) || name == "pack") {
		return nil
	}
	for _, root := range roots {
		for _, p := range values.Pairs(l.ownBelow(l.own, root)) {
			chart, ok := p.Name()
			isName := path == "" && chart == name
			if !ok || !isName && (path != "" && path != root || l.ownBelow(p.Value, name) == nil) {
				continue
			}
			if place != nil {
				return nil
			}
			if place = []string{root}; !isName {
				place = append(place, chart)
			}
		}
	}
	return place
}

// nearKey reports a key of an override that is a slip of a key which the pack's own values
// have there, and the override does not.
func (l *layer) nearKey(key *yaml.Node, name string, n, own *yaml.Node, path string) {
	if own == nil || !l.comparer.may(len(own.Content)/2) {
		return
	}
	var near []string
	for _, p := range values.Pairs(own) {
		if known, ok := p.Name(); ok && nearest.IsMisspelt(name, known) && nearest.HasSameDigits(name, known) && values.Field(n, known) == nil {
			near = append(near, known)
		}
	}
	if len(near) == 1 {
		f := diag.Unknown("key", name, nil).Of(rule.ValuesNearKey)
		if f.Nearest = near[0]; path == "charts" {
			f.Rule = rule.ValuesMisplaced // no chart has this name
		}
		l.add(f, l.origin, diag.Join(path, name), key)
	}
}
