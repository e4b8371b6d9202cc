package schema

// The numbers of the language are decimal text: a sign, digits with a fraction,
// an exponent. As in YAML, `.5` and `5.` are numbers; hexadecimal, `1_000`,
// `.inf` and `.nan` are not. They are read and compared as text, digit by
// digit: no float rounds them, and `1e1000000000` costs no more than its
// twelve characters.

// numberState is where a numberReader stands in the grammar. The states that
// are a number when the text ends here are in isComplete.
type numberState uint8

const (
	numberStart    numberState = iota
	numberSign                 // after + or -
	numberInteger              // in the digits before the point
	numberPoint                // after a point with no digit before it
	numberFraction             // after the point
	numberE                    // after e
	numberESign                // after e and a sign
	numberExponent             // in the digits of the exponent
	numberStates               // how many there are
	notANumber     = numberStates
)

func (s numberState) isComplete() bool {
	return s == numberInteger || s == numberFraction || s == numberExponent
}

// after is the state after reading c, notANumber when c can not stand here.
func (s numberState) after(c byte) numberState {
	switch {
	case c >= '0' && c <= '9':
		switch s {
		case numberStart, numberSign, numberInteger:
			return numberInteger
		case numberPoint, numberFraction:
			return numberFraction
		case numberE, numberESign, numberExponent:
			return numberExponent
		}
	case c == '.':
		switch s {
		case numberStart, numberSign:
			return numberPoint
		case numberInteger:
			return numberFraction
		}
	case c == 'e' || c == 'E':
		if s == numberInteger || s == numberFraction {
			return numberE
		}
	case c == '+' || c == '-':
		switch s {
		case numberStart:
			return numberSign
		case numberE:
			return numberESign
		}
	}
	return notANumber
}

// isNumber says whether the whole text is a number.
func isNumber(text string) bool {
	state := numberStart
	for i := 0; i < len(text); i++ {
		if state = state.after(text[i]); state == notANumber {
			return false
		}
	}
	return state.isComplete()
}

// numberPrefix is the length of the longest number that text starts with, 0
// when it starts with none.
func numberPrefix(text string) int {
	longest, state := 0, numberStart
	for i := 0; i < len(text); i++ {
		if state = state.after(text[i]); state == notANumber {
			break
		}
		if state.isComplete() {
			longest = i + 1
		}
	}
	return longest
}

// decimal is one number: 0.DIGITS × 10^point, negated when negative. The digits
// neither start nor end with a zero; the number zero has none.
type decimal struct {
	negative bool
	digits   string
	point    int64
	text     string // as the author wrote it
}

// parseDecimal parses text, which must be a number.
func parseDecimal(text string) decimal {
	r := numberReader{}
	digits := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		before := r.seen
		r.read(text[i])
		if r.seen > before {
			digits = append(digits, text[i])
		}
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return decimal{negative: r.negative, digits: string(digits), point: r.point + r.exponent(), text: text}
}

// compare returns how d stands to other: below 0, 0 or above 0.
func (d decimal) compare(other *decimal) int {
	r := numberReader{low: comparison{bound: other}}
	for i := 0; i < len(d.text); i++ {
		r.read(d.text[i])
	}
	return r.compare(&r.low)
}

// numberReader reads a number from left to right and knows after each
// character how the number so far stands to its two bounds, in constant space.
type numberReader struct {
	state    numberState
	negative bool
	// seen counts the significant digits read, point where the decimal point
	// stands from the first of them.
	seen  int
	point int64
	// power is the absolute value of the exponent, no more than maxPower.
	power         int64
	negativePower bool
	low, high     comparison
}

// maxPower is beyond what any point and any bound can make up for (a point is
// no farther than the text is long, a bound's exponent ends at maxBoundPower),
// so an exponent that is cut here compares as it did before.
const maxPower = 1 << 48

// maxBoundPower bounds the exponents of an author's range.
const maxBoundPower = 1_000_000

// comparison is how the digits read so far stand to those of bound, where both
// stand behind the point: below 0, 0 or above 0. Missing digits are zeros.
type comparison struct {
	bound *decimal
	order int
}

func (c *comparison) digit(index int, digit byte) {
	if c.order != 0 || c.bound == nil {
		return
	}
	own := byte('0')
	if index < len(c.bound.digits) {
		own = c.bound.digits[index]
	}
	c.order = int(digit) - int(own)
}

// read reads one more character and says whether the text can still be the
// beginning of a number.
func (r *numberReader) read(c byte) bool {
	if r.state != numberInteger || c < '0' || c > '9' { // the most frequent case stays
		r.state = r.state.after(c)
	}
	switch r.state {
	case notANumber:
		return false
	case numberSign:
		r.negative = c == '-'
	case numberESign:
		r.negativePower = c == '-'
	case numberExponent:
		if r.power < maxPower {
			r.power = r.power*10 + int64(c-'0')
		}
	case numberInteger, numberFraction:
		if c == '.' {
			break
		}
		if r.seen == 0 && c == '0' {
			if r.state == numberFraction {
				r.point--
			}
			break
		}
		r.low.digit(r.seen, c)
		r.high.digit(r.seen, c)
		r.seen++
		if r.state == numberInteger {
			r.point++
		}
	}
	return true
}

func (r *numberReader) exponent() int64 {
	power := min(r.power, maxPower)
	if r.negativePower {
		return -power
	}
	return power
}

// compare returns how the number stands to the comparison's bound.
func (r *numberReader) compare(c *comparison) int {
	own, other := sign(r.negative, r.seen), sign(c.bound.negative, len(c.bound.digits))
	if own != other || own == 0 {
		return own - other
	}
	if point := r.point + r.exponent(); point != c.bound.point {
		if point < c.bound.point {
			return -own
		}
		return own
	}
	order := c.order
	if order == 0 && r.seen < len(c.bound.digits) {
		order = -1 // the bound has digits left, and its last one is no zero
	}
	return order * own
}

func sign(negative bool, digits int) int {
	switch {
	case digits == 0:
		return 0
	case negative:
		return -1
	}
	return 1
}

// numberRange is the constraint [low-high]; both ends belong to it.
type numberRange struct {
	low, high decimal
}

func (n *numberRange) reader() numberReader {
	return numberReader{low: comparison{bound: &n.low}, high: comparison{bound: &n.high}}
}

// holds says whether the characters read so far are a number of the range.
func (r *numberReader) holds() bool {
	return r.state.isComplete() && r.compare(&r.low) >= 0 && r.compare(&r.high) <= 0
}

// farther says that the number so far is farther from zero than both bounds,
// and so will be each one that more digits before the point make of it.
func (r *numberReader) farther() bool {
	return r.seen > 0 && r.point > max(r.low.bound.point, r.high.bound.point, 0)
}

// contains says whether the whole text is a number of the range.
func (n *numberRange) contains(text string) bool {
	r := n.reader()
	for i := 0; i < len(text); i++ {
		if !r.read(text[i]) {
			return false
		}
	}
	return r.holds()
}

func (n *numberRange) String() string { return "[" + n.low.text + "-" + n.high.text + "]" }
