package capacity

import (
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/template"
	"github.com/krm-packs/functions/pkg/values"
)

// request is what a component asks for, and where that stands in the values.
type request struct {
	amount Amount
	path   string
}

// request reads what a component asks for. It is not ok when nothing is to be
// counted, which was reported.
func (r *reader) request(n *yaml.Node) (request, bool) {
	m, given := r.follow(n, fieldRequest, "so nothing is counted for it")
	if !given {
		if field := values.Field(n, fieldRequest); values.IsNull(field) || field.Kind == yaml.ScalarNode && field.Value == "" {
			r.invalid(r.at+"."+fieldRequest, n, "is required: the path of the request in the values, such as requests.%s", r.example())
		}
		return request{}, false
	}
	if m == nil {
		return request{}, false
	}
	t := r.of
	if t == "" {
		t = CPU // only for the wording: nothing is counted
	}
	if m.Node.Kind != yaml.ScalarNode || m.Node.ShortTag() == "!!bool" {
		r.ofValue(RuleInvalid, m, "got %s, want %s", function.KindOf(m.Node), t.example())
		return request{}, false
	}
	text := m.Node.Value
	amount, err := ParseQuantity(text)
	var wrong *QuantityError
	switch {
	case errors.As(err, &wrong):
		proposed := t.propose(text, wrong, false)
		f := r.ofValue(RuleInvalid, m, "got %s, want %s%s", wrong.Found, t.example(), meant(proposed))
		if proposed != "" {
			f.Current, f.Proposed = text, proposed
		}
		return request{}, false
	case amount.Sign() < 0:
		r.ofValue(RuleInvalid, m, "got %s, want %s, 0 or more", text, t.example())
		return request{}, false
	}
	if odd, is := r.of.suspect(text, amount, false); is && r.of != "" {
		f := r.ofValue(RuleSuspiciousUnit, m, "got %s, which %s%s", text, odd.reason, meant(odd.proposed))
		if f.Current = text; odd.proposed != "" {
			f.Proposed = odd.proposed
		}
	}
	return request{amount, m.Path}, true
}

func (r *reader) example() Type {
	if r.of == "" {
		return CPU
	}
	return r.of
}

// replicas reads how many there are of a component: one when nothing says so.
func (r *reader) replicas(n *yaml.Node) (replicas int64, ok bool) {
	m, given := r.follow(n, fieldReplicas, "so one replica is counted")
	if !given || m == nil {
		field := values.Field(n, fieldReplicas)
		return 1, values.IsNull(field) || field.Kind == yaml.ScalarNode
	}
	if m.Node.Kind != yaml.ScalarNode || m.Node.ShortTag() == "!!bool" {
		r.ofValue(RuleInvalid, m, "got %s, want a number of replicas", function.KindOf(m.Node))
		return 0, false
	}
	number, err := parseNumber(m.Node.Value)
	var wrong *QuantityError
	switch {
	case errors.As(err, &wrong):
		r.ofValue(RuleInvalid, m, "got %s, want a number of replicas", wrong.Found)
	case number.Sign() < 0 || !number.IsInt() || number.Cmp(maxReplicas) > 0:
		r.ofValue(RuleInvalid, m, "got %s, want a whole number of replicas from 0 to %s", m.Node.Value, maxReplicas.RatString())
	default:
		return number.Num().Int64(), true
	}
	return 0, false
}

// follow looks up what a reference of a component leads to. It is not given when
// the field is absent, empty or invalid, and nil when it leads to nothing, or
// the values are not known; but for the latter, that is reported.
func (r *reader) follow(n *yaml.Node, name, consequence string) (m *values.Match, given bool) {
	field := values.Field(n, name)
	at := r.at + "." + name
	switch {
	case values.IsNull(field):
		return nil, false
	case field.Kind != yaml.ScalarNode || field.ShortTag() != "!!str" && field.ShortTag() != "!!int":
		r.invalid(at, field, "got %s, want the path of a value, as text", function.KindOf(field))
		return nil, false
	case field.Value == "":
		return nil, false
	}
	path, err := values.ParsePath(field.Value)
	if err != nil {
		r.invalid(at, field, "%v", err)
		return nil, true
	}
	if slices.Contains(path.Steps(), values.Wildcard) {
		r.invalid(at, field, "got %q, want the path of one value, without %s", field.Value, values.Wildcard)
		return nil, true
	}
	if r.pack.Values == nil {
		return nil, true
	}
	found := r.pack.Values.Find(path)[0]
	if found.State != values.Present {
		r.report(RuleUnresolvedRef, at, field, "%q leads to nothing in the values, %s%s", field.Value, consequence, nearest.Hint(field.Value, r.paths()))
		return nil, true
	}
	if text := values.Text(found.Node); found.Node.Kind == yaml.ScalarNode {
		macro, is := macroName(text)
		switch {
		case is:
			r.ofValue(RuleUnresolvedRef, &found, "holds %s, %s until resolve-macros has resolved it", macro, consequence)
			return nil, true
		case text == "":
			r.ofValue(RuleUnresolvedRef, &found, "is empty, %s: set it, or correct %s in pack.json", consequence, name)
			return nil, true
		}
	}
	return &found, true
}

// macroName names the first macro in a text, without what else stands in it:
// its default may be a secret.
func macroName(text string) (name string, is bool) {
	for _, action := range template.Actions(text) {
		if !action.Macro {
			continue
		}
		name = "a macro"
		if pipeline, err := template.ParseAction(action.Code); err == nil {
			pipeline.Walk(func(o template.Operand) {
				if path, ok := o.(*template.Path); ok && name == "a macro" {
					name = "the macro " + path.Name()
				}
			})
		}
		return name, true
	}
	return "", false
}

// ofValue reports something about a value that a reference leads to.
func (r *reader) ofValue(rule Rule, m *values.Match, format string, args ...any) *Finding {
	r.findings = append(r.findings, Finding{
		Rule: rule, Subject: OfValues, Pack: r.index, Layer: m.Layer, Key: m.Path, At: values.At(m.Node),
		Message: m.Path + ": " + fmt.Sprintf(format, args...),
	})
	return &r.findings[len(r.findings)-1]
}

// maxPaths bounds how many paths are compared with one that leads nowhere.
const maxPaths = 2000

// paths returns the paths of the scalars among the pack's values.
func (r *reader) paths() []string {
	if r.known != nil {
		return r.known
	}
	r.known = []string{}
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		n = values.Resolve(n)
		switch {
		case n == nil || len(r.known) >= maxPaths:
		case n.Kind == yaml.ScalarNode:
			r.known = append(r.known, path)
		case n.Kind == yaml.MappingNode:
			for at := 0; at+1 < len(n.Content) && len(r.known) < maxPaths; at += 2 {
				key := values.Resolve(n.Content[at]).Value
				if path != "" {
					key = path + "." + key
				}
				walk(n.Content[at+1], key)
			}
		}
	}
	walk(r.pack.Values.Root(), "")
	return r.known
}
