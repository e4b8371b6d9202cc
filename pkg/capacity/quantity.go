package capacity

import (
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"
)

// The limits of a number. They are far beyond any machine, and keep numbers
// such as 1e999999999 from being written out.
const (
	maxDigits   = 64
	maxExponent = 40
)

// QuantityError says why a text is no quantity. It does not show the text,
// which may be a secret that a reference leads to by mistake.
type QuantityError struct {
	// Found says what was found instead, `text of 5 characters`.
	Found string
	// Proposed is the quantity that was probably meant, "" when that is not
	// clear.
	Proposed string
}

func (e *QuantityError) Error() string { return "got " + e.Found }

// textOf describes a text without showing it.
func textOf(text string) string {
	n := utf8.RuneCountInString(text)
	if n == 1 {
		return "text of 1 character"
	}
	return fmt.Sprintf("text of %d characters", n)
}

// slips are units that are no Kubernetes units, in lower case.
var slips = map[string]string{
	"kb": "k", "mb": "M", "gb": "G", "tb": "T", "pb": "P",
	"kib": "Ki", "mib": "Mi", "gib": "Gi", "tib": "Ti", "pib": "Pi",
	"ki": "Ki", "mi": "Mi", "gi": "Gi", "ti": "Ti", "pi": "Pi",
	"k": "k", "g": "G", "t": "T", "p": "P",
	"millicores": "m", "millicore": "m", "cores": "", "core": "", "vcpu": "", "vcpus": "", "b": "", "bytes": "",
}

// ParseQuantity reads a Kubernetes quantity: `100m`, `1.5`, `1Gi`, `1G`, `2e3`.
// What is finer than a billionth is rounded up, as Kubernetes does it. The error
// is a *QuantityError: for what is none, for numbers of more than 64 digits or
// with an exponent beyond 40, and for 2⁶³−1 and more, which is as much as a
// quantity holds.
func ParseQuantity(text string) (Amount, error) {
	if trimmed := strings.TrimSpace(text); trimmed != text {
		if _, err := ParseQuantity(trimmed); err == nil {
			return Amount{}, &QuantityError{Found: "a quantity with blanks around it", Proposed: trimmed}
		}
	}
	number, suffix, ok := cutNumber(text)
	switch {
	case !ok:
		return Amount{}, &QuantityError{Found: textOf(text)}
	case tooLong(number, suffix):
		return Amount{}, &QuantityError{Found: "a number that is far beyond any machine"}
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		if unit, known := meantUnit(suffix); known {
			return Amount{}, &QuantityError{
				Found:    fmt.Sprintf("a number and %q, which is no unit of Kubernetes", suffix),
				Proposed: number + unit,
			}
		}
		return Amount{}, &QuantityError{Found: textOf(text) + " that starts with a number"}
	}
	dec := q.AsDec()
	nano := new(big.Int).Set(dec.UnscaledBig())
	scale := big.NewInt(int64(9 - dec.Scale()))
	power := new(big.Int).Exp(big.NewInt(10), new(big.Int).Abs(scale), nil)
	if scale.Sign() >= 0 {
		nano.Mul(nano, power)
	} else {
		nano = roundUp(nano, power) // a quantity of many zeros, such as 1.000000000000
	}
	a := Amount{nano}
	if a.absolute().Cmp(mostHeld()) >= 0 {
		return Amount{}, &QuantityError{Found: "a number that is far beyond any machine"}
	}
	return a, nil
}

// mostHeld is the largest amount of a quantity: Kubernetes takes some of what is
// more for just this.
func mostHeld() Amount { return whole(1<<63 - 1) }

func (a Amount) absolute() Amount { return Amount{new(big.Int).Abs(a.value())} }

func roundUp(n, by *big.Int) *big.Int {
	quotient, rest := new(big.Int).QuoRem(n, by, new(big.Int))
	return quotient.Add(quotient, big.NewInt(int64(rest.Sign())))
}

// meantUnit returns the unit that a suffix of letters was probably meant to be.
func meantUnit(suffix string) (unit string, known bool) {
	unit = strings.TrimSpace(suffix)
	if meant, slip := slips[strings.ToLower(unit)]; slip {
		return meant, true
	}
	switch unit {
	case "n", "u", "m", "M", "E", "Ei":
		return unit, unit != suffix // only a blank too many
	}
	return "", false
}

// cutNumber splits a text that starts with a decimal number, which may have a
// sign and a fraction, from the rest.
func cutNumber(text string) (number, rest string, ok bool) {
	at, digits := 0, 0
	if at < len(text) && (text[at] == '+' || text[at] == '-') {
		at++
	}
	for dot := false; at < len(text); at++ {
		switch c := text[at]; {
		case c >= '0' && c <= '9':
			digits++
			continue
		case c == '.' && !dot:
			dot = true
			continue
		}
		break
	}
	return text[:at], text[at:], digits > 0
}

// cutExponent returns the exponent that follows a number, and whether the rest
// is one.
func cutExponent(rest string) (exponent string, ok bool) {
	if rest == "" || rest[0] != 'e' && rest[0] != 'E' {
		return "", false
	}
	digits := strings.TrimLeft(rest[1:], "+-")
	if digits == "" || len(rest)-1-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	return strings.TrimLeft(digits, "0"), true
}

// tooLong reports whether a number must not be computed with.
func tooLong(number, rest string) bool {
	if len(number) > maxDigits {
		return true
	}
	exponent, ok := cutExponent(rest)
	return ok && (len(exponent) > 2 || len(exponent) == 2 && exponent > fmt.Sprint(maxExponent))
}

// parseNumber reads a bare decimal number, whose exponent may be anything that
// tooLong allows. The reasons are those of ParseQuantity.
func parseNumber(text string) (*big.Rat, error) {
	number, rest, ok := cutNumber(text)
	if _, exponent := cutExponent(rest); !ok || rest != "" && !exponent {
		return nil, &QuantityError{Found: textOf(text)}
	}
	if tooLong(number, rest) {
		return nil, &QuantityError{Found: "a number that is far beyond any machine"}
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, &QuantityError{Found: textOf(text)}
	}
	return n, nil
}

// times returns a number of a size, rounded up to a billionth.
func times(n *big.Rat, size Amount) Amount {
	product := new(big.Rat).Mul(n, new(big.Rat).SetInt(size.value()))
	return Amount{roundUp(product.Num(), product.Denom())}
}
