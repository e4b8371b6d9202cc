package capacity

import (
	"math/big"
	"strings"
)

// Amount is an exact amount of a resource: of cores of a CPU, or of bytes of
// memory or disk. The zero Amount is nothing. It is immutable.
type Amount struct {
	nano *big.Int // billionths, the finest that a Kubernetes quantity can be; nil for 0
}

// billion is how many billionths one is.
const billion = 1_000_000_000

func (a Amount) value() *big.Int {
	if a.nano == nil {
		return new(big.Int)
	}
	return a.nano
}

// Add returns a + b.
func (a Amount) Add(b Amount) Amount { return Amount{new(big.Int).Add(a.value(), b.value())} }

// Sub returns a − b, which may be negative.
func (a Amount) Sub(b Amount) Amount { return Amount{new(big.Int).Sub(a.value(), b.value())} }

// Times returns a × n.
func (a Amount) Times(n int64) Amount {
	return Amount{new(big.Int).Mul(a.value(), big.NewInt(n))}
}

// Cmp compares two amounts: negative when a is less than b, 0 when they are
// equal.
func (a Amount) Cmp(b Amount) int { return a.value().Cmp(b.value()) }

// Sign is negative, 0 or positive as the amount is.
func (a Amount) Sign() int { return a.value().Sign() }

// over returns how many of b, a positive amount, are at least a.
func (a Amount) over(b Amount) *big.Int {
	quotient, rest := new(big.Int).QuoRem(a.value(), b.value(), new(big.Int))
	if rest.Sign() > 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	return quotient
}

// percent returns what part of b, a positive amount, a is. It is 100 only when
// they are equal: what is less is rounded down, what is more up.
func (a Amount) percent(b Amount) *big.Int {
	hundred := a.Times(100)
	if a.Cmp(b) > 0 {
		return hundred.over(b)
	}
	return new(big.Int).Quo(hundred.value(), b.value())
}

// unit is a suffix of a quantity.
type unit struct {
	suffix string
	size   Amount
}

func whole(n int64) Amount    { return Amount{new(big.Int).Mul(big.NewInt(n), big.NewInt(billion))} }
func fraction(n int64) Amount { return Amount{big.NewInt(n)} }

// milliUnits are the units below one.
func milliUnits() []unit {
	return []unit{{"m", fraction(1_000_000)}, {"u", fraction(1_000)}, {"n", fraction(1)}}
}

func binaryUnits() []unit {
	return []unit{{"Gi", whole(1 << 30)}, {"Mi", whole(1 << 20)}}
}

func decimalUnits() []unit {
	return []unit{{"G", whole(billion)}, {"M", whole(1_000_000)}}
}

func byteUnits() []unit { return append([]unit{{"", whole(1)}}, milliUnits()...) }

// units are those that people write amounts of a type in, the first that is
// exact is taken.
func (t Type) units() []unit {
	switch t {
	case CPU:
		return milliUnits()
	case DiskSize:
		return append(append(decimalUnits(), binaryUnits()...), byteUnits()...)
	}
	return append(append(binaryUnits(), decimalUnits()...), byteUnits()...)
}

// Text writes an amount as a quantity of a type, exactly: `12500m` of a CPU,
// `15Gi` of memory, `60G` of a disk.
func (t Type) Text(a Amount) string {
	text, _ := t.write(a)
	return text
}

// Words is Text for people: what needs a finer unit than they write amounts of
// the type in is given roughly as well, `1573741824 (about 1.47Gi)`.
func (t Type) Words(a Amount) string {
	text, exact := t.write(a)
	return text + t.about(a, exact)
}

// write returns an amount as a quantity, and its unit.
func (t Type) write(a Amount) (string, unit) {
	units := t.units()
	if a.Sign() == 0 {
		return "0", units[0]
	}
	for _, u := range units {
		if quotient, rest := new(big.Int).QuoRem(a.value(), u.size.value(), new(big.Int)); rest.Sign() == 0 {
			return quotient.String() + u.suffix, u
		}
	}
	finest := units[len(units)-1]
	return a.value().String() + finest.suffix, finest // not reached: all amounts are whole billionths
}

// about is the rough form of an amount whose exact form is in a unit, "" when
// that reads well enough.
func (t Type) about(a Amount, exact unit) string {
	units := binaryUnits()
	switch t {
	case CPU:
		units = milliUnits()[:1]
	case DiskSize:
		units = decimalUnits()
	}
	for _, u := range units {
		if exact.size.Cmp(whole(1)) > 0 || exact.suffix == u.suffix || a.value().CmpAbs(u.size.value()) < 0 {
			continue
		}
		rough := new(big.Rat).SetFrac(a.value(), u.size.value()).FloatString(2)
		return " (about " + strings.TrimSuffix(strings.TrimRight(rough, "0"), ".") + u.suffix + ")"
	}
	return ""
}
