package capacity

import (
	"math"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// request reads what a component requests, as a demand without roles and replicas. It returns false
// if nothing counts, which was reported.
func (r *reader) request(of Type, ref pack.Field) (demand Demand, ok bool) {
	if ref.IsEmpty() {
		r.invalid(ref, ref.Missing("the path of the request in the values, such as requests.cpu"))
		return Demand{}, false
	}
	m, _ := r.follow(ref, "the request is left out", func(n *yaml.Node) bool {
		_, f := of.read(n.Value, false)
		return isPlain(n) && f == nil
	})
	if m == nil {
		return Demand{}, false
	}
	if !isPlain(m.Node) {
		r.reportValue(m, diag.Got(values.KindOf(m.Node), of.example()))
		return Demand{}, false
	}
	if r.hasLeadingZero(m) {
		return Demand{}, false
	}
	amount, f := of.read(m.Node.Value, false)
	demand = Demand{Type: of, Request: amount, Key: m.Path}
	if f == nil {
		return demand, true
	}
	demand.Request, demand.Assumed, ok = settle(amount, r.reportValue(m, *f), r.isAccepted)
	demand.Doubtful = !ok
	return demand, ok || f.Rule == rule.ResourcesSuspiciousUnit
}

// replicas returns the number of replicas of a component. It is one if the component states none,
// or if its reference does not resolve, which was reported. It returns false if the value is not a
// number of replicas.
func (r *reader) replicas(ref pack.Field) (n int64, ok bool) {
	if ref.IsEmpty() {
		return 1, true
	}
	m, ok := r.follow(ref, "1 replica is assumed", func(n *yaml.Node) bool {
		number, fault := parseNumber(n.Value)
		if !isPlain(n) || fault != nil {
			return false
		}
		_, isWhole := number.whole(unit(""))
		return isWhole
	})
	if m == nil {
		return 1, ok
	}
	const want = "an integer from 0 to 2147483647 (number of replicas)"
	if !isPlain(m.Node) {
		r.reportValue(m, diag.Got(values.KindOf(m.Node), want))
		return 0, false
	}
	if r.hasLeadingZero(m) {
		return 0, false
	}
	number, fault := parseNumber(m.Node.Value)
	if fault != nil {
		r.reportValue(m, diag.GotValue(m.Node.Value, fault.found, want))
		return 0, false
	}
	if n, ok = number.whole(unit("")); !ok || n < 0 || n > math.MaxInt32 {
		r.reportValue(m, diag.Got(m.Node.Value, want))
		return 0, false
	}
	return n, true
}

// hasLeadingZero reports a number that readers of YAML take for different ones.
func (r *reader) hasLeadingZero(m *values.Match) bool {
	if !values.HasLeadingZero(m.Node) {
		return false
	}
	f := diag.Got(m.Node.Value, "a number without leading zeros").Saying("%s has a leading zero, so YAML 1.1 reads it as octal", m.Node.Value)
	r.reportValue(m, f.Do("write the number without the zero"))
	return true
}

// scalarTag returns the tag of a scalar, or "" for any other node.
func scalarTag(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.ShortTag()
}

// isPlain reports whether a value may be a quantity or a number.
func isPlain(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() != "!!bool" }

// follow returns the value at the path in ref. It returns nil if there is none, which was reported,
// or if the values cannot be read. It returns false if the reference is a map or a list.
// consequence tells the user what happens without the value, and fits reports whether a scalar can
// be meant.
func (r *reader) follow(ref pack.Field, consequence string, fits func(*yaml.Node) bool) (m *values.Match, ok bool) {
	const want = "the path of a value"
	if tag := scalarTag(ref.Node); tag != "!!str" && tag != "!!int" {
		r.invalid(ref, diag.Got(values.KindOf(ref.Node), want))
		return nil, ref.Node.Kind == yaml.ScalarNode
	}
	text := ref.Node.Value
	path, err := values.ParsePath(text)
	switch {
	case err != nil:
		r.invalid(ref, diag.Say("%v", err))
		return nil, true
	case slices.Contains(path.Steps(), values.Wildcard):
		r.invalid(ref, diag.GotText(text, want+" without "+values.Wildcard))
		return nil, true
	}
	effective := r.effective()
	if effective == nil {
		return nil, true
	}
	if r.pack.IsPending() {
		r.report(rule.ResourcesWaiting, ref, diag.Say("the pack is pending: Porch has not injected its values yet, so %s", consequence))
		return nil, true
	}
	found := effective.Tree.Find(path)[0]
	if found.State != values.Present {
		f := diag.NotFound("value", text, nil).Saying("the values of the pack have no key %q", text).Do("correct the path, or add the value").Until(consequence)
		f.Nearest = r.nearest(text, fits)
		r.report(rule.ResourcesUnresolvedRef, ref, f)
		return nil, true
	}
	if found.Node.Kind != yaml.ScalarNode {
		return &found, true
	}
	if macro := macroName(values.Text(found.Node)); macro != "" {
		f := diag.Say("%s is not resolved, so %s", macro, consequence).Do("run resolve-macros first").Of(rule.ResourcesUnresolvedRef)
		if r.waits {
			f.Rule = rule.ResourcesWaiting
		}
		r.reportValue(&found, f)
		return nil, true
	}
	if values.Text(found.Node) == "" {
		r.reportValue(&found, diag.Missing("empty").Until(consequence).Of(rule.ResourcesUnresolvedRef))
		return nil, true
	}
	return &found, true
}

// macroName names the first macro in a text, or "" if it has none. The rest of the text is not
// shown: the default of a macro may be a secret.
func macroName(text string) string {
	for _, action := range template.Actions(text) {
		if !action.Macro {
			continue
		}
		name := "a macro"
		if pipeline, err := template.ParseAction(action.Code); err == nil {
			pipeline.Walk(func(o template.Operand) {
				if path, ok := o.(*template.Path); ok && name == "a macro" {
					name = "the macro " + path.Name()
				}
			})
		}
		return name
	}
	return ""
}

// readValues returns the effective values of the pack, or nil if they cannot be read.
func (r *reader) readValues() *pack.Effective {
	effective, findings := r.pack.Effective()
	for _, f := range findings {
		r.found(f.Do("fix it: the components of the pack are left out before that").For(r.pack.Name).Of(rule.InputInvalid))
	}
	if effective != nil {
		for f := range effective.Duplicates() {
			r.found(f.For(r.pack.Name))
		}
	}
	return effective
}

// reportValue adds a finding about a value that a reference leads to, and returns it with
// its place.
func (r *reader) reportValue(m *values.Match, f diag.Finding) diag.Finding {
	if f.Rule == (diag.Rule{}) {
		f.Rule = rule.ResourcesInvalid
	}
	origin := r.effective().Layers[m.Layer].Origin
	f = f.In(origin, m.Path, values.At(m.Node)).For(r.pack.Name).OfClass(secret.Of(m, r.effective().Tree).ClassOf(m.Node))
	r.found(f)
	return f
}

// maxPaths bounds how many paths are compared with one that leads nowhere.
const maxPaths = 2000

// nearest returns the path of a scalar that was probably meant by a path, and fits. A service's
// port is not a number of replicas.
func (r *reader) nearest(path string, fits func(*yaml.Node) bool) string {
	names, nodes := r.paths()
	return nearest.Path(path, names, func(name string) bool { return fits(nodes[name]) || template.HasMacro(nodes[name].Value) })
}

// scalarPaths returns the paths of the scalars among the pack's values, in order, and
// their nodes.
func (r *reader) scalarPaths() (paths []string, nodes map[string]*yaml.Node) {
	nodes = map[string]*yaml.Node{}
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		n = values.Resolve(n)
		switch {
		case n == nil || len(paths) >= maxPaths:
		case n.Kind == yaml.ScalarNode:
			paths, nodes[path] = append(paths, path), n
		case n.Kind == yaml.MappingNode:
			for at := 0; at+1 < len(n.Content) && len(paths) < maxPaths; at += 2 {
				walk(n.Content[at+1], diag.Join(path, values.Resolve(n.Content[at]).Value))
			}
		}
	}
	walk(r.effective().Tree.Root(), "")
	return paths, nodes
}
