package capacity

import (
	"errors"
	"math/big"
	"strings"
)

// suspicion is what is odd about a unit that is legal, and the quantity that was
// probably meant, "" when that is not clear.
type suspicion struct{ reason, proposed string }

// From how many cores on a bare number was probably meant in millicores: those of
// a request, and those of a node, where the largest machines have fewer.
const (
	oddCores     = 100
	oddNodeCores = 2000
)

// Below which number without a unit memory was probably meant in Gi, and from it
// on in Mi: no request is of so few Mi, and no node.
const (
	fewGi     = 16
	fewNodeGi = 1000
)

// suspect looks at a quantity that can be read: `256m` of memory is a quarter of
// a byte. ofNode says that a node has it, and no component asks for it.
func (t Type) suspect(text string, a Amount, ofNode bool) (suspicion, bool) {
	number, suffix, _ := cutNumber(text)
	if a.Sign() <= 0 {
		return suspicion{}, false
	}
	if _, exponent := cutExponent(suffix); exponent {
		return suspicion{}, false // nobody writes one by a slip
	}
	if t == CPU {
		switch {
		case suffix == "Mi" || suffix == "M":
			return suspicion{"is millions of cores", number + "m"}, true
		case strings.ContainsAny(suffix, "kKMGTPE"):
			return suspicion{"is thousands of cores or more", ""}, true
		case suffix == "" && !ofNode && a.Cmp(whole(oddCores)) >= 0:
			return suspicion{"is whole cores, more than most nodes have", number + "m"}, true
		case suffix == "" && a.Cmp(whole(oddNodeCores)) >= 0:
			return suspicion{"is whole cores, more than nodes have", number + "m"}, true
		}
		return suspicion{}, false
	}
	few := whole(fewGi)
	if ofNode {
		few = whole(fewNodeGi)
	}
	meant := "Mi"
	switch {
	case t == DiskSize:
		meant = "G"
	case a.Cmp(few) < 0:
		meant = "Gi"
	}
	switch {
	case suffix == "m" && t == Memory:
		return suspicion{"is thousandths of bytes", number + "Mi"}, true
	case suffix == "m":
		return suspicion{"is thousandths of bytes", ""}, true
	case suffix == "u" || suffix == "n":
		return suspicion{"is a fraction of a byte", ""}, true
	case suffix == "" && a.Cmp(whole(1<<20)) < 0:
		return suspicion{"is bytes", number + meant}, true
	}
	return suspicion{}, false
}

// propose returns the quantity of a type that was probably meant by a text that
// is none, "" when that is not clear: what is proposed is not refused or doubted
// in its turn.
func (t Type) propose(text string, wrong *QuantityError, ofNode bool) string {
	a, err := ParseQuantity(wrong.Proposed)
	if err != nil || a.Sign() < 0 {
		return ""
	}
	_, suffix, _ := cutNumber(text)
	switch strings.ToLower(strings.TrimSpace(suffix)) {
	case "b", "bytes":
		if t == CPU {
			return ""
		}
		return wrong.Proposed // as it says
	case "millicores", "millicore", "cores", "core", "vcpu", "vcpus":
		if t != CPU {
			return ""
		}
		return wrong.Proposed
	}
	if odd, is := t.suspect(wrong.Proposed, a, ofNode); is {
		return odd.proposed
	}
	return wrong.Proposed
}

// limitMeant returns the number of a minLimit that was probably meant by a text,
// an int64: `2000` and `2000m` of cpu are 2000.
func (t Type) limitMeant(text string) (number any, is bool) {
	if bare, err := parseNumber(text); err == nil { // only the quotes are too much
		return bare.Num().Int64(), bare.IsInt() && bare.Num().IsInt64() && bare.Sign() >= 0
	}
	a, err := ParseQuantity(text)
	var wrong *QuantityError
	if errors.As(err, &wrong) {
		a, err = ParseQuantity(wrong.Proposed)
	}
	if err != nil || t == "" {
		return nil, false
	}
	size, _ := t.limit()
	n, rest := new(big.Int).QuoRem(a.value(), size.value(), new(big.Int))
	return n.Int64(), rest.Sign() == 0 && n.Sign() >= 0 && n.IsInt64()
}
