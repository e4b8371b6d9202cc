package capacity

import (
	"math"
	"strings"
	"sync"

	"gopkg.in/inf.v0"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Amount is an exact amount of a resource: of CPU cores, or of bytes of memory or
// disk. The zero Amount is nothing. It is immutable.
type Amount struct{ dec *inf.Dec } // nil for 0

// value returns the amount as a decimal, 0 for the zero Amount.
func (a Amount) value() *inf.Dec {
	if a.dec == nil {
		return new(inf.Dec)
	}
	return a.dec
}

// units are the units that unit has returned.
var units sync.Map

// unit returns one of a unit of Kubernetes quantities: `Mi`, or "" for 1.
func unit(suffix string) Amount {
	if known, ok := units.Load(suffix); ok {
		return known.(Amount)
	}
	q := resource.MustParse("1" + suffix)
	made, _ := units.LoadOrStore(suffix, Amount{q.AsDec()})
	return made.(Amount)
}

// add returns a + b.
func (a Amount) add(b Amount) Amount { return Amount{new(inf.Dec).Add(a.value(), b.value())} }

// sub returns a − b, which may be negative.
func (a Amount) sub(b Amount) Amount { return Amount{new(inf.Dec).Sub(a.value(), b.value())} }

// times returns a × n.
func (a Amount) times(n int64) Amount {
	return Amount{new(inf.Dec).Mul(a.value(), inf.NewDec(n, 0))}
}

// of returns a number of units, rounded up to a billionth: the finest amount that a
// Kubernetes quantity can be.
func (a Amount) of(unit Amount) Amount {
	product := new(inf.Dec).Mul(a.value(), unit.value())
	return Amount{product.Round(product, 9, inf.RoundUp)}
}

// cmp compares two amounts. The result is negative if a is less than b, and 0 if they are equal.
func (a Amount) cmp(b Amount) int { return a.value().Cmp(b.value()) }

// sign is negative, 0 or positive as the amount is.
func (a Amount) sign() int { return a.value().Sign() }

func (a Amount) abs() Amount { return Amount{new(inf.Dec).Abs(a.value())} }

// per returns a ÷ b as a whole number. b is not 0.
func (a Amount) per(b Amount, rounder inf.Rounder) *inf.Dec {
	return new(inf.Dec).QuoRound(a.value(), b.value(), 0, rounder)
}

// exactly returns a ÷ b, or nil if that is not a whole number. b is not 0.
func (a Amount) exactly(b Amount) *inf.Dec {
	if n, rest, ok := a.small(b); ok {
		if rest != 0 {
			return nil
		}
		return inf.NewDec(n, 0)
	}
	return a.per(b, inf.RoundExact)
}

// small divides without big numbers, which takes a tenth of the time. It is not ok when 64 bits
// are too few.
func (a Amount) small(b Amount) (n, rest int64, ok bool) {
	if a.sign() == 0 {
		return 0, 0, true
	}
	dividend, isSmall := a.value().Unscaled()
	divisor, isSmallToo := b.value().Unscaled()
	up, down := &dividend, b.value().Scale()-a.value().Scale()
	if down < 0 {
		up, down = &divisor, -down
	}
	for ; down > 0; down-- {
		if *up > math.MaxInt64/10 || *up < math.MinInt64/10 {
			return 0, 0, false
		}
		*up *= 10
	}
	if !isSmall || !isSmallToo || dividend == math.MinInt64 {
		return 0, 0, false
	}
	return dividend / divisor, dividend % divisor, true
}

// whole returns a ÷ b, or false if that is not a whole number, or one beyond 64 bits.
func (a Amount) whole(b Amount) (n int64, ok bool) {
	if exact := a.exactly(b); exact != nil {
		return exact.Unscaled()
	}
	return 0, false
}

// percent returns the share that a is of b, a positive amount. It is 100 only when
// they are equal: less is rounded down, more up.
func (a Amount) percent(b Amount) string {
	rounder := inf.RoundDown
	if a.cmp(b) > 0 {
		rounder = inf.RoundUp
	}
	share := a.times(100).per(b, rounder).String() + "%"
	if share == "0%" && a.sign() > 0 {
		return "<1%"
	}
	return share
}

// in writes an amount in the first of some units that makes it a whole number.
func (a Amount) in(units []string) (text string, ok bool) {
	if a.sign() == 0 {
		return "0", true
	}
	for _, suffix := range units {
		if n := a.exactly(unit(suffix)); n != nil {
			return n.String() + suffix, true
		}
	}
	return "", false
}

// Text writes an amount as a quantity of a type, exactly: `12500m` of cpu, `15Gi` of
// memory, `60G` of diskSize.
func (t Type) Text(a Amount) string {
	usual, fine := t.units()
	text, ok := a.in(usual)
	if !ok {
		text, _ = a.in(fine)
	}
	return text
}

// words is Text for people. It adds a rough amount where the exact one needs a unit
// that people do not use: `1573741824 (about 1.47Gi)`.
func (t Type) words(a Amount) string {
	text := t.Text(a)
	usual, _ := t.units()
	if _, ok := a.in(usual); ok {
		return text
	}
	for _, suffix := range usual {
		if size := unit(suffix); a.abs().cmp(size) >= 0 {
			rough := new(inf.Dec).QuoRound(a.value(), size.value(), 2, inf.RoundHalfUp).String()
			return text + " (about " + strings.TrimSuffix(strings.TrimRight(rough, "0"), ".") + suffix + ")"
		}
	}
	return text
}
