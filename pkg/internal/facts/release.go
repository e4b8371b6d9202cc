package facts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Layer is a map of values that a release of a chart has, and its place.
type Layer struct {
	// Root is the map.
	Root *yaml.Node
	// Origin is the document that contains the values, and Prefix is their path there, `spec.values`.
	Origin *diag.Origin
	Prefix string
	// IsFlat reports whether the keys are parts of texts in Prefix, such as `image.tag`.
	IsFlat bool
	// IsAuthors reports whether the author of the chart wrote the values. They are not the user's to correct.
	IsAuthors bool
}

// Release is a chart with the values that it is installed with.
type Release struct {
	// Name is the name for messages: `HelmRelease apps/web`.
	Name string
	// Chart is nil if the chart is not at hand.
	Chart *Chart
	// Layers are the values of the user, the lowest first.
	Layers []Layer
	// IsPartial reports whether the release has other values, which are unknown.
	IsPartial bool
	// IsUnchecked reports whether the values are not compared with the schemas of charts.
	IsUnchecked bool
	// Where is the place that names the chart.
	Where diag.Where
	// IsOwn reports whether the chart is what the values belong to, and its subcharts are what they are
	// for. Only values of subcharts are compared then.
	IsOwn bool
}

// document identifies the document of a layer.
type document struct {
	resource      diag.Resource
	field, prefix string
}

func (l *Layer) document() document { return document{l.Origin.Resource, l.Origin.Field, l.Prefix} }

// in sets the place of a finding about a key of the layer.
func (l *Layer) in(f diag.Finding, path []values.Step, at *yaml.Node) diag.Finding {
	key := l.Prefix
	if !l.IsFlat {
		key = diag.Join(key, jsonschema.Path(path).String())
	}
	return f.In(l.Origin, key, values.At(at))
}

// IsOpen reports whether the text of a release's value is still to be replaced: `${region}` by Flux,
// `{{ .name }}` or `$ARGOCD_APP_NAME` by Argo CD, `ENC[…]` by SOPS.
func IsOpen(text string) bool {
	return slices.ContainsFunc([]string{"${", "{{", "$ARGOCD_", "ENC["}, func(mark string) bool { return strings.Contains(text, mark) })
}

// Unknown is the text of a value that is not known, although its key is.
const Unknown = "${}"

// HasOpen reports whether a value of the release has a text that is still to be replaced.
func (r *Release) HasOpen() bool {
	return slices.ContainsFunc(r.Layers, func(layer Layer) bool { return open(IsOpen).has(layer.Root) })
}

// CheckReleases returns the findings about releases. In a document that serves several of them, a key is
// reported only if none of their charts reads it. versions takes the charts that do not allow the version of
// the cluster; it may be nil.
func CheckReleases(releases []*Release, versions *Versions) []diag.Finding {
	c := releaseChecker{users: map[document][]*Release{}, isTold: map[told]bool{}, unread: map[ofChart][]Key{}, compared: map[string]compared{}}
	for _, r := range releases {
		r.Layers = lastOfEach(r.Layers)
		seen := map[document]bool{}
		for i := range r.Layers {
			if at := r.Layers[i].document(); !seen[at] {
				seen[at] = true
				c.users[at] = append(c.users[at], r)
			}
		}
	}
	unreadBy := map[unread]int{}
	type candidate struct {
		release *Release
		layer   *Layer
		at      unread
		key     Key
	}
	var candidates []candidate
	for _, r := range releases {
		c.each(r, func(layer *Layer, at unread, key Key) {
			if unreadBy[at]++; c.users[at.document][0] == r {
				candidates = append(candidates, candidate{r, layer, at, key})
			}
		})
	}
	for _, one := range candidates {
		if users := c.users[one.at.document]; unreadBy[one.at] >= len(users) {
			c.findings = append(c.findings, one.layer.in(one.release.say(one.layer, one.key, one.release.of(one.layer, len(users))), values.Keys(one.key.Path...), one.key.Node))
		}
	}
	for _, r := range releases {
		c.schemas(r)
		if r.Chart == nil || versions == nil || r.IsOwn {
			continue
		}
		if fault, ok := versions.compare(r.Chart, excluding{who: r.Name, chart: r.Chart.String(), at: diag.Finding{Where: r.Where}}); !ok {
			fault.Where = r.Where
			c.findings = append(c.findings, fault)
		}
	}
	return c.findings
}

// unread is a key that a chart does not read.
type unread struct {
	document
	// path is the path of the key, with dots.
	path string
}

// releaseChecker checks the releases of a run together, because they can share documents.
type releaseChecker struct {
	// users are the releases that have a document among their values.
	users map[document][]*Release
	// unread are the keys of a document that a chart does not read, whatever the release is.
	unread map[ofChart][]Key
	// compared are the values that several releases have, by the chart and the documents.
	compared map[string]compared
	// isTold are the findings about schemas, without the names of releases, that were made already.
	isTold map[told]bool
	meter  meter.Meter
	// isSpent reports whether the meter did not have enough left for the values of a release.
	isSpent  bool
	findings []diag.Finding
}

// stepsOfValue is what the comparison of a value with a chart takes of the steps of a run, and stepsOfKey what a
// key takes that is found in a document once, and counts for each release that has the document.
const (
	stepsOfValue = 50
	stepsOfKey   = 10
)

// ofChart is a document that a chart gets.
type ofChart struct {
	document
	// chart is the chart.
	chart *Chart
}

// told is a finding about a schema.
type told struct {
	document
	// path and message are of the finding.
	path, message string
}

// lastOfEach returns layers without those whose document comes again above: the last one has precedence over
// all that is between.
func lastOfEach(layers []Layer) (last []Layer) {
	seen := map[document]bool{}
	for _, layer := range slices.Backward(layers) {
		if at := layer.document(); !seen[at] || layer.IsFlat {
			seen[at] = true
			last = append(last, layer)
		}
	}
	slices.Reverse(last)
	return last
}

// charge takes steps for a release, and reports whether there are enough. If not, it reports that once.
func (c *releaseChecker) charge(r *Release, steps int) bool {
	if c.isSpent {
		return false
	}
	if c.isSpent = !c.meter.Charge(steps); c.isSpent {
		f := meter.Exceeded("comparing the values of releases, from this one on, with charts", "check fewer releases at a time").Of(rule.InputInvalid)
		f.Where = r.Where
		c.findings = append(c.findings, f)
	}
	return !c.isSpent
}

// size returns the number of values in all layers.
func (r *Release) size() (total int) {
	for _, layer := range r.Layers {
		total += size(layer.Root)
	}
	return total
}

// size returns the number of nodes of values.
func size(n *yaml.Node) int {
	total := 1
	for _, e := range n.Content {
		total += size(e)
	}
	return total
}

// of names a release in a finding about a document that users releases share, if the document is not the
// release itself.
func (r *Release) of(layer *Layer, users int) string {
	switch {
	case users > 1:
		return " (" + r.Name + " and " + diag.Count(users-1, "other release") + ")"
	case !r.IsOwn && layer.Origin.Resource.String() != r.Name && (r.Where.Origin == nil || layer.Origin.Resource != r.Where.Origin.Resource):
		return " (" + r.Name + ")"
	}
	return ""
}

// keys returns the keys of a layer that the chart of a release does not read.
func (r *Release) keys(layer *Layer, references func() references) []Key {
	keys := r.Chart.top(references).inert(layer.Root)
	isUnsure := r.IsPartial && r.Chart.runsTexts() // unknown values may read others
	return slices.DeleteFunc(keys, func(k Key) bool {
		return isUnsure && k.Nearest == "" || IsOpen(k.Node.Value) || r.IsOwn && (len(k.Path) < 2 || r.Chart.Subcharts[k.Path[0]] == nil)
	})
}

// each calls visit for the unread keys of each layer of a release.
func (c *releaseChecker) each(r *Release, visit func(layer *Layer, at unread, key Key)) {
	if r.Chart == nil {
		return
	}
	var roots []*yaml.Node
	for _, layer := range r.Layers {
		roots = append(roots, layer.Root)
	}
	references := sync.OnceValue(func() references { return readTexts(texts(roots...)) })
	isPlain := !r.Chart.runsTexts()                      // so the keys do not depend on the release
	if !isPlain && !c.charge(r, stepsOfValue*r.size()) { // the texts of all layers are read
		return
	}
	for i := range r.Layers {
		layer := &r.Layers[i]
		if layer.IsAuthors {
			continue
		}
		at := ofChart{layer.document(), r.Chart}
		keys, isKnown := c.unread[at]
		steps := stepsOfKey * len(keys)
		if !isKnown {
			steps = stepsOfValue * size(layer.Root)
		}
		if !c.charge(r, steps) {
			return
		}
		if !isKnown {
			if keys = r.keys(layer, references); isPlain && !layer.IsFlat {
				c.unread[at] = keys
			}
		}
		for _, key := range keys {
			visit(layer, unread{at.document, strings.Join(key.Path, "\x00")}, key)
		}
	}
}

// say returns a finding about a key of a layer that the chart does not read. of names the releases.
func (r *Release) say(layer *Layer, key Key, of string) diag.Finding {
	c, name := r.Chart, key.Path[len(key.Path)-1]
	if r.IsOwn {
		c = c.Subcharts[key.Path[0]]
	}
	if layer.IsFlat {
		return diag.Say("no template of the chart %s%s reads the key %s", c, of, strings.Join(key.Path, ".")).Do("correct the key, or remove it").Meant(name, key.Nearest, key.Known).Of(rule.ValuesInert)
	}
	if len(key.Path) == 1 {
		if steps := strings.Split(name, "."); len(steps) > 1 && len(name) <= maxKey && c.reads(steps) {
			f := diag.Say("this key has dots, so no template of the chart %s%s reads it", c, of).Do(Nest(steps))
			f.Belongs = [][]string{steps}
			return f.Of(rule.ValuesMisplaced)
		}
		if name == c.Name && slices.ContainsFunc(values.Pairs(key.value), func(p values.Pair) bool { return c.reads([]string{p.Key.Value}) }) {
			f := diag.Say("the chart %s%s reads its values at the root, and not below its name", c, of).Do("move the keys below " + name + " one level up")
			return f.Of(rule.ValuesMisplaced)
		}
	}
	f := diag.Say("no template of the chart %s%s reads this key", c, of).Do("correct the key, or remove it").Meant(name, key.Nearest, key.Known)
	if key.Nearest != "" {
		return f.Of(rule.ValuesInert)
	}
	if len(key.Path) == 1 {
		if places := c.elsewhere()[name]; len(places) > 0 && len(places) <= mostPlaces {
			var names []string
			for _, place := range places {
				names = append(names, strings.Join(place[:len(place)-1], "."))
			}
			f = diag.Say("no template of the chart %s%s reads this key at the root; the chart reads %s below %s", c, of, name, diag.SomeOf(names)).Do("move the key there")
			f.Belongs = places
			return f.Of(rule.ValuesMisplaced)
		}
	}
	return f.Of(rule.ValuesInert)
}

// mostPlaces is the number of places at which a misplaced key may belong. A key that a chart reads at more
// places is a common one, such as image.
const mostPlaces = 3

// maxBelow is the number of keys between the root of the values and the place where a misplaced key belongs.
const maxBelow = 2

// elsewhere returns where the chart reads the keys that it does not read at its root: the highest places of
// each, at most one more than mostPlaces.
func (c *Chart) elsewhere() map[string][][]string {
	if c.places != nil {
		return c.places()
	}
	return c.findPlaces()
}

// findPlaces returns the highest places where the chart reads each key, level by level.
func (c *Chart) findPlaces() map[string][][]string {
	found := map[string][][]string{}
	top := c.top(func() references { return references{} })
	level := []place{top}
	for range maxBelow {
		var next []place
		depth := map[string][][]string{}
		for i := range level {
			for _, name := range level[i].names() {
				at := level[i].below(name)
				next = append(next, at)
				for _, key := range at.names() {
					if found[key] == nil && key != Any && len(depth[key]) <= mostPlaces {
						depth[key] = append(depth[key], append(slices.Clone(at.paths[0]), key))
					}
				}
			}
		}
		for key, places := range depth {
			found[key] = places
		}
		level = next
	}
	return found
}

// reads reports whether the chart reads a key of its values, or a key below it.
func (c *Chart) reads(path []string) bool {
	at := c.top(func() references { return references{} })
	for _, key := range path {
		if at.isCovered() {
			return true
		}
		if at = at.below(key); !at.isRead() {
			return false
		}
	}
	return true
}

// schemas reports what the schemas of the chart do not allow in the values of a release.
func (c *releaseChecker) schemas(r *Release) {
	if r.Chart == nil || r.IsUnchecked || c.isSpent || !r.Chart.HasSchema() && !r.Chart.hasRejected() {
		return
	}
	merged, violations := c.violations(r)
	for _, v := range violations {
		f := v.say(merged, v.Path)
		switch {
		case v.Unused != nil && !v.IsRejected && c.isAgain(told{path: v.Chart.String()}):
			continue
		case r.IsPartial && v.Keyword == "required", r.IsOwn && (v.Keyword == "required" || len(v.Path) == 0 || r.Chart.Subcharts[v.Path[0].Key] == nil):
			continue
		case r.IsPartial && v.Unused == nil:
			f.Severity = diag.Warning
		}
		said := f.Found
		if placed, ok := r.place(f, v.Path); ok {
			f = placed
			if c.isAgain(told{document{f.Origin.Resource, f.Origin.Field, f.Key}, jsonschema.Path(v.Path).String(), said}) {
				continue // of a release with the same document
			}
		} else if f.Where = r.Where; v.Unused == nil && v.Added == nil && len(v.Path) > 0 { // a value of the author, or an absent one
			f.Found = jsonschema.Path(v.Path).String() + " " + f.Found
		}
		c.findings = append(c.findings, f)
	}
}

// compared are merged values, and what the schemas of a chart do not allow in them.
type compared struct {
	merged     *yaml.Node
	violations []Violation
}

// violations returns the merged values of a release, and what the schemas of its chart do not allow there. They are
// kept if other releases may have the same values.
func (c *releaseChecker) violations(r *Release) (*yaml.Node, []Violation) {
	documents, isShared := fmt.Sprintf("%p", r.Chart), true
	for _, layer := range r.Layers {
		documents += fmt.Sprintf(" %p", layer.Root)
		isShared = isShared && len(c.users[layer.document()]) > 1
	}
	if known, ok := c.compared[documents]; ok {
		return known.merged, known.violations
	}
	if !c.charge(r, stepsOfValue*r.size()) {
		return nil, nil
	}
	merged := r.Merged()
	violations := r.Chart.Violations(&c.meter, merged, IsOpen)
	if c.isSpent = areSpent(violations); isShared && !c.isSpent {
		c.compared[documents] = compared{merged, violations}
	}
	return merged, violations
}

// isAgain reports whether a finding was made already, and records it.
func (c *releaseChecker) isAgain(f told) bool {
	isAgain := c.isTold[f]
	c.isTold[f] = true
	return isAgain
}

// Merged returns the values of all layers as Flux and Helm merge them: maps are
// merged, every other value replaces the value of the layer below, and null stays.
func (r *Release) Merged() *yaml.Node {
	var roots []*yaml.Node
	for _, layer := range r.Layers {
		roots = append(roots, layer.Root)
	}
	return merged(roots)
}

// merged merges maps, the lowest first. It looks at each key once, so that many layers take no more time
// than one with all their keys.
func merged(roots []*yaml.Node) *yaml.Node {
	out := node.Map()
	type key struct {
		name string
		*yaml.Node
	}
	var keys []key
	given := map[string][]*yaml.Node{}
	for _, root := range roots {
		if root = values.Resolve(root); root != nil {
			out.Line, out.Column = root.Line, root.Column
		}
		for _, pair := range values.Pairs(root) {
			name, ok := pair.Name()
			if !ok {
				continue
			}
			if given[name] == nil {
				keys = append(keys, key{name, pair.Key})
			}
			given[name] = append(given[name], values.Resolve(pair.Value))
		}
	}
	for _, key := range keys {
		all := given[key.name]
		last := len(all) - 1
		first := last // of the maps that are merged
		for first > 0 && isTable(all[last]) && isTable(all[first-1]) {
			first--
		}
		value := all[last]
		if first < last {
			value = merged(all[first:])
		}
		out.Content = append(out.Content, key.Node, value)
	}
	return out
}

// Place sets the place of a finding: the key at the end of the steps or a key above it, if a layer has it, or
// else the chart.
func (r *Release) Place(f diag.Finding, steps []values.Step) diag.Finding {
	placed, ok := r.place(f, steps)
	if !ok {
		placed.Where = r.Where
	}
	return placed
}

// place is [Release.Place] for values. ok is false if no layer of the user has a key of the path.
func (r *Release) place(f diag.Finding, steps []values.Step) (placed diag.Finding, ok bool) {
	for n := len(steps); n > 0; n-- {
		for i := range slices.Backward(r.Layers) {
			layer := &r.Layers[i]
			if found := values.Follow(layer.Root, steps[:n]); found != nil && !layer.IsAuthors {
				if f = layer.in(f, steps[:n], found); layer.IsFlat {
					f.Found = jsonschema.Path(steps).String() + " " + f.Found
				}
				if name := r.of(layer, 1); name != "" {
					f.Found = strings.TrimSuffix(f.Found, ")") + "; " + r.Name + ")"
				}
				return f, true
			}
		}
	}
	return f, false
}

// hasRejected reports whether the chart or a subchart of it has a schema that Helm rejects.
func (c *Chart) hasRejected() bool {
	return c.SchemaFault != "" || slices.ContainsFunc(slices.Collect(maps.Values(c.Subcharts)), (*Chart).hasRejected)
}

// HasSchema reports whether the chart or a subchart of it has a schema.
func (c *Chart) HasSchema() bool {
	return c.Schema != nil || slices.ContainsFunc(slices.Collect(maps.Values(c.Subcharts)), (*Chart).HasSchema)
}
