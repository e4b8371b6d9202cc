package capacity

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// The limits of a number. They are far beyond any machine, and keep numbers such as
// 1e999999999 from being written out.
const (
	maxDigits   = 64
	maxExponent = 40
)

// quantityFault explains why a string is not a quantity. It does not contain the string, which may
// be a secret that a reference leads to by mistake.
type quantityFault struct {
	// found describes the value: `a string of 5 characters`.
	found string
	// proposal is the quantity that was probably meant, or "" if that is unclear.
	proposal string
}

var errOutOfRange = &quantityFault{found: "a number that is out of range"}

// notQuantity returns the fault of a text that is no quantity. It tells the length only, because the
// text may be a secret.
func notQuantity(text string) *quantityFault {
	n := utf8.RuneCountInString(text)
	if n == 1 {
		return &quantityFault{found: "a string of 1 character"}
	}
	return &quantityFault{found: fmt.Sprintf("a string of %d characters", n)}
}

// read reads a quantity of a type that a node has or a component requests. It returns a
// finding if something is wrong: with rule.ResourcesSuspiciousUnit if there is an amount
// nevertheless, and without a rule if there is none.
func (t Type) read(text string, ofNode bool) (Amount, *diag.Finding) {
	amount, fault := parseQuantity(text)
	if fault != nil {
		f := diag.GotValue(text, fault.found, t.example()).Propose(text, t.propose(text, fault, ofNode))
		if ofNode { // a field of a cluster, and no value
			f = f.OfClass(diag.Open)
		}
		return Amount{}, &f
	}
	if amount.sign() < 0 {
		f := diag.Got(text, "at least 0")
		return Amount{}, &f
	}
	if reason, proposal := t.suspect(text, amount, ofNode); reason != "" {
		f := diag.Say("%s", reason).Of(rule.ResourcesSuspiciousUnit)
		f.Current = text
		if f = f.Propose(text, proposal).Do("correct the value").Until("check-resources ignores it"); proposal != "" {
			f = f.Until("check-resources uses "+proposal).Correct(text, proposal)
		}
		return amount, &f
	}
	return amount, nil
}

// settle returns the amount that counts after a finding of read: the amount itself if the
// user accepts its unit, else what it certainly means. It returns false if nothing counts.
func settle(amount Amount, f diag.Finding, isAccepted func(diag.Finding) bool) (counts Amount, assumed, ok bool) {
	if f.Rule == rule.ResourcesSuspiciousUnit && isAccepted != nil && isAccepted(f) {
		return amount, false, true
	}
	proposal, ok := f.Proposed.(string)
	if !ok {
		return amount, false, false
	}
	counts, fault := parseQuantity(proposal)
	return counts, true, fault == nil
}

// parseQuantity reads a Kubernetes quantity: `100m`, `1.5`, `1Gi`, `1G`, `2e3`. Amounts
// finer than a billionth are rounded up, as in Kubernetes. Numbers of more than 64 digits
// or with an exponent beyond 40, and amounts from 2⁶³−1, the most that a quantity holds,
// are out of range.
func parseQuantity(text string) (Amount, *quantityFault) {
	if trimmed := strings.TrimSpace(text); trimmed != text {
		if _, fault := parseQuantity(trimmed); fault == nil {
			return Amount{}, &quantityFault{"a quantity with whitespace around it", trimmed}
		}
	}
	number, suffix, ok := cutNumber(text)
	if !ok {
		return Amount{}, notQuantity(text)
	}
	if n, _ := exponent(suffix); len(number) > maxDigits || n > maxExponent || n < -maxExponent {
		return Amount{}, errOutOfRange
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		if unit, ok := likelyUnit(suffix); ok {
			return Amount{}, &quantityFault{fmt.Sprintf("a number with the unit %q", suffix), number + unit}
		}
		return Amount{}, notQuantity(text)
	}
	amount := Amount{q.AsDec()}
	if amount.isOutOfRange() {
		return Amount{}, errOutOfRange
	}
	return amount, nil
}

// isOutOfRange reports whether an amount is above the range of quantities. Kubernetes
// reads some larger ones as exactly 2⁶³−1.
func (a Amount) isOutOfRange() bool { return a.abs().cmp(maxAmount()) >= 0 }

var maxAmount = sync.OnceValue(func() Amount {
	q := resource.MustParse("9223372036854775807")
	return Amount{q.AsDec()}
})

// parseNumber reads a quantity without a unit, with the faults of parseQuantity.
func parseNumber(text string) (Amount, *quantityFault) {
	_, suffix, _ := cutNumber(text)
	if _, ok := exponent(suffix); suffix != "" && !ok {
		return Amount{}, notQuantity(text)
	}
	return parseQuantity(text)
}

// cutNumber splits a text that starts with a decimal number, with or without a sign
// and a fraction, from the rest.
func cutNumber(text string) (number, rest string, ok bool) {
	const digits = "0123456789"
	if rest = text; text != "" && (text[0] == '+' || text[0] == '-') {
		rest = text[1:]
	}
	rest = strings.TrimLeft(rest, digits)
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(fraction, digits)
	}
	number = text[:len(text)-len(rest)]
	return number, rest, strings.ContainsAny(number, digits)
}

// exponent reads the exponent that follows a number, and reports whether it is all
// that follows.
func exponent(rest string) (n int, ok bool) {
	if rest == "" || rest[0] != 'e' && rest[0] != 'E' {
		return 0, false
	}
	n, err := strconv.Atoi(rest[1:])
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}
