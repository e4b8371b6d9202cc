package capacity

import (
	"cmp"
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// limitUnit returns the unit of a minLimit, and what messages call the number.
func (t Type) limitUnit() (size Amount, number string) {
	switch t {
	case CPU:
		return unit("m"), "number of millicores"
	case Memory:
		return unit("Mi"), "number of Mi"
	case DiskSize:
		return unit("G"), "number of GB (10^9 bytes)"
	}
	return unit(""), "number"
}

// minLimit reads the minLimit of an entry, a bare number.
func (r *reader) minLimit(of Type, entry *pack.ResourceEntry) {
	limit := entry.MinLimit
	size, number := of.limitUnit()
	switch {
	case values.IsNull(limit.Node) && entry.IsMisspelt:
		return
	case values.IsNull(limit.Node):
		r.invalid(entry.Field, diag.Say("neither minLimit nor components is set").Do("set minLimit to a "+number+", or add components"))
		return
	}
	switch scalarTag(limit.Node) {
	case "!!str":
		r.invalid(limit, of.limitOfText(limit.Node.Value))
		return
	case "!!int", "!!float":
	default:
		r.invalid(limit, diag.Got(values.KindOf(limit.Node), "a "+number))
		return
	}
	amount, fault := parseNumber(limit.Node.Value)
	amount = amount.of(size)
	switch {
	case fault == errOutOfRange || amount.isOutOfRange():
		r.invalid(limit, diag.Got(errOutOfRange.found, "a "+number))
	case fault != nil || amount.sign() < 0:
		r.invalid(limit, diag.Got(limit.Node.Value, "a decimal "+number+" of at least 0"))
	default:
		if scale, name := of.suspectLimit(amount); scale > 0 {
			f := diag.Say("%s means %s %s", limit.Node.Value, limit.Node.Value, name)
			if n, ok := amount.times(scale).whole(size); ok {
				f = f.Do(fmt.Sprintf("did you mean %d?", n))
				f.Current, f.Proposed = limit.Node.Value, n
			}
			r.report(rule.ResourcesSuspiciousUnit, limit, f)
		}
		r.add(Demand{Type: of, Roles: Worker, Request: amount, Replicas: 1, Limit: true, Key: "minLimit"})
	}
}

// limitOfText makes a finding of a minLimit that is text. It proposes the number that was
// probably meant: 2000 for `2000` and `2000m` of cpu.
func (t Type) limitOfText(text string) diag.Finding {
	size, number := t.limitUnit()
	f := diag.GotText(text, "a "+number)
	amount, fault := parseNumber(text)
	if fault == nil {
		size, f.Action = unit(""), "remove the quotes"
	} else {
		if amount, fault = parseQuantity(text); fault != nil {
			amount, fault = parseQuantity(fault.proposal)
		}
		if fault != nil || t == "" {
			return f
		}
	}
	if n, ok := amount.whole(size); ok && n >= 0 {
		f.Current, f.Proposed = text, n
		f.Action = cmp.Or(f.Action, fmt.Sprintf("write %d", n))
	}
	return f
}
