package facts

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/values"
)

// maxViolations bounds the violations of one schema.
const maxViolations = 100

// Violation is a violation of the schema of a chart.
type Violation struct {
	jsonschema.Violation
	// Chart has the schema.
	Chart *Chart
	// Unused is the reason why the schema cannot be used, or nil if it can: it is not a schema, it
	// refers to another document, or it would take too long. The values are then not compared with
	// it.
	Unused error
	// IsRejected reports whether Helm rejects the schema that is Unused, and so all values.
	IsRejected bool
	// Added is the subchart to whose values Helm adds keys that the schema does not allow. Then no
	// values are allowed. It is nil if the violation is in the given values.
	Added *Chart
}

// Violations returns what the values.schema.json of the chart and of its subcharts do not
// allow in values for the chart, over its own values, as Helm checks them: null removes a
// default, and a subchart counts unless a condition or tag switches it off. Values with texts that
// isOpen reports to be resolved later are left out. Each check charges the meter of the run.
func (c *Chart) Violations(run *meter.Meter, n *yaml.Node, isOpen func(text string) bool) []Violation {
	var found []Violation
	o := open(isOpen)
	installed := c.install(n, o, func(sub *running, value *yaml.Node) {
		if !o.has(value) {
			message := "must be a map, the values of the subchart " + sub.Name + ", got " + values.KindOf(value)
			found = append(found, Violation{Violation: jsonschema.Violation{Path: values.Keys(sub.path...), Message: message, Keyword: "type"}, Chart: sub.around})
		}
	})
	return append(found, installed.violations(run, installed.coalesce(n, false, func(*running, *yaml.Node) {}), o)...)
}

// violations returns what the schemas do not allow in the values of all charts.
func (r *running) violations(run *meter.Meter, n *yaml.Node, o open) (found []Violation) {
	isPartial := r.isUnsure // a value may come from a subchart
	for _, sub := range r.Subcharts {
		isPartial = isPartial || len(sub.ImportValues) > 0
	}
	violations, err := r.compare(run, n)
	if err != nil {
		found = append(found, Violation{Violation: jsonschema.Violation{Path: values.Keys(r.path...)}, Chart: r.Chart, Unused: err, IsRejected: r.SchemaFault != "" || jsonschema.IsRejected(err)})
	}
	for _, v := range violations {
		if isRequired := v.Keyword == "required"; isPartial && isRequired || !isRequired && o.has(values.Follow(n, v.Path)) {
			continue
		}
		added := r.added(v)
		v.Path = values.Below(values.Keys(r.path...), v.Path...)
		found = append(found, Violation{Violation: v, Chart: r.Chart, Added: added})
	}
	for _, sub := range r.subs {
		if areSpent(found) {
			break
		}
		if value := values.Field(n, sub.key()); isTable(value) {
			found = append(found, sub.violations(run, value, o)...)
		}
	}
	return found
}

// isSpent reports whether the run had not enough steps left for the schema.
func (v *Violation) isSpent() bool { return errors.Is(v.Unused, jsonschema.ErrSpent) }

// areSpent reports whether the last violation is that the run had not enough steps left. No other schema is tried
// then.
func areSpent(found []Violation) bool { return len(found) > 0 && found[len(found)-1].isSpent() }

// stepsOfSchema is what each check adds to the steps of a run: three times what the schemas of public charts take,
// which is at most 746 steps of a check.
const stepsOfSchema = 2500 * jsonschema.StepsOfCheck

// compare returns what the chart's own schema does not allow in its values.
func (r *running) compare(run *meter.Meter, n *yaml.Node) ([]jsonschema.Violation, error) {
	if r.SchemaFault != "" {
		return nil, errors.New(r.SchemaFault)
	}
	if root(r.Schema) == nil {
		return nil, nil
	}
	schema, err := r.compile()
	if err != nil {
		return nil, err
	}
	run.Grow(stepsOfSchema)
	return schema.ValidateIn(run, withBooleans(n), maxViolations)
}

// added returns the subchart to whose values Helm adds the key that is not allowed, which is
// global, or nil for any other violation.
func (r *running) added(v jsonschema.Violation) *Chart {
	last := len(v.Path) - 1
	if last < 0 || v.Path[last].Key != "global" || !slices.Contains([]string{"", "not", "additionalProperties"}, v.Keyword) {
		return nil
	}
	for _, step := range v.Path[:last] {
		at := slices.IndexFunc(r.subs, func(sub *running) bool { return sub.key() == step.Key })
		if at < 0 {
			return nil
		}
		r = r.subs[at]
	}
	if r.around == nil {
		return nil
	}
	return r.Chart
}

// root returns the root of a document, which may be nil.
func root(d *values.Document) *yaml.Node {
	if d == nil {
		return nil
	}
	return d.Root()
}

// open reports whether a text is still to be resolved.
type open func(text string) bool

// has reports whether a value has such a text.
func (isOpen open) has(n *yaml.Node) bool {
	for text := range texts(n) {
		if isOpen(text) {
			return true
		}
	}
	return false
}

// HasMacro reports whether a text has a macro of a pack, which is still to be resolved.
func HasMacro(text string) bool { return strings.Contains(text, ".spectro.") }

// texts yields the texts in values.
func texts(roots ...*yaml.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range roots {
			if !eachText(n, yield) {
				return
			}
		}
	}
}

// eachText calls yield for the texts in values until it returns false, and returns the last result.
func eachText(n *yaml.Node, yield func(string) bool) bool {
	if n == nil || n.Kind == yaml.AliasNode {
		return true
	}
	if !yield(n.Value) {
		return false
	}
	for _, sub := range n.Content {
		if !eachText(sub, yield) {
			return false
		}
	}
	return true
}
