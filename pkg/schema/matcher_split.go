package schema

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// MaxRangedNumber bounds the characters of a number with a range inside a
// composite format.
const MaxRangedNumber = 64

// A splitter decides whether a text splits into the parts of a composite. It
// goes through the parts once and keeps, instead of one split, the set of all
// positions where the parts so far can end: n positions and m parts cost n·m
// steps at worst times what a part needs at a position, and no split is ever
// taken back.
type splitter struct {
	text      string
	steps     int
	budget    int
	digitsEnd int // where the digits that hopeless looked at last end
}

// exhausted says that the budget of steps is used up; the answer of split then
// means nothing.
func (s *splitter) exhausted() bool { return s.steps > s.budget }

func (s *splitter) split(parts []part) bool {
	from, to := newPositions(s.text), newPositions(s.text)
	from.add(0)
	for i := range parts {
		s.sweep(&parts[i], from, to)
		if s.exhausted() {
			return false
		}
		from, to = to, from
		to.clear()
		if from.next(0) < 0 {
			return false
		}
	}
	return from.has(len(s.text))
}

// sweep adds to `to` every position where p can end when it starts at one of
// `from`. All of these are boundaries of characters.
func (s *splitter) sweep(p *part, from, to positions) {
	switch {
	case p.texts != nil:
		s.sweepTexts(p.texts, from, to)
	case p.kind == kindIPv4:
		s.sweepIPv4(p, from, to)
	case p.bounds != nil:
		s.sweepRange(p.bounds, from, to)
	case p.kind == kindNumber:
		newSimulation(s, numberAutomaton(), p.search).run(from, to)
	case p.kind == kindVersion:
		newSimulation(s, versionAutomaton(), p.search).run(from, to)
	case p.kind == kindBoolean:
		// its regex matches neither true nor false
	case p.regex != nil:
		newSimulation(s, nil, p.search).run(from, to)
	default:
		s.addAfter(from.next(0), to)
	}
}

// addAfter adds every boundary after position i.
func (s *splitter) addAfter(i int, to positions) {
	s.steps += (len(s.text) - i) / 16
	for i < len(s.text) {
		i += width(s.text, i)
		to.add(i)
	}
}

func (s *splitter) sweepTexts(texts []string, from, to positions) {
	for i := from.next(0); i >= 0; i = from.next(i + 1) {
		for _, text := range texts {
			s.steps++
			rest := s.text[i:]
			if len(rest) < len(text) || rest[0] != text[0] {
				continue
			}
			s.steps += len(text) / 16
			if strings.HasPrefix(rest, text) && isBoundary(s.text, i+len(text)) {
				to.add(i + len(text))
			}
		}
		if s.exhausted() {
			return
		}
	}
}

func (s *splitter) sweepIPv4(p *part, from, to positions) {
	for i := from.next(0); i >= 0; i = from.next(i + 1) {
		s.steps++
		dots := 0
		for end := i; end < len(s.text) && end < i+maxIPv4 && dots <= 3; end++ {
			c := s.text[end]
			if c == '.' {
				dots++
				continue
			}
			if c < '0' || c > '9' {
				break
			}
			if dots < 3 || !isIPv4(s.text[i:end+1]) {
				continue
			}
			s.steps += maxIPv4
			if p.regex != nil {
				s.steps += maxIPv4 * p.search.size()
				if !p.regex.MatchString(s.text[i : end+1]) {
					continue
				}
			}
			to.add(end + 1)
		}
		if s.exhausted() {
			return
		}
	}
}

func (s *splitter) sweepRange(bounds *numberRange, from, to positions) {
	s.digitsEnd = 0
	for i := from.next(0); i >= 0; i = from.next(i + 1) {
		s.steps++
		r := bounds.reader()
		for end := i; end < len(s.text) && end < i+MaxRangedNumber && r.read(s.text[end]); end++ {
			s.steps++
			if r.holds() {
				to.add(end + 1)
			} else if s.hopeless(&r, i, end) {
				break
			}
		}
		if s.exhausted() {
			return
		}
	}
}

// hopeless says that no number of the range starts at i with the digits up to
// end: they are past both bounds, and the digits go on for so long that
// neither a point nor an exponent can come in time.
func (s *splitter) hopeless(r *numberReader, i, end int) bool {
	if r.state != numberInteger || !r.farther() {
		return false
	}
	if s.digitsEnd <= end {
		for s.digitsEnd = end + 1; s.digitsEnd < len(s.text) && s.text[s.digitsEnd] >= '0' && s.text[s.digitsEnd] <= '9'; {
			s.digitsEnd++
		}
	}
	return s.digitsEnd >= i+MaxRangedNumber
}

// width is the length of the character at i, 1 for a byte that is not UTF-8.
func width(text string, i int) int {
	if text[i] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(text[i:])
	return n
}

// isBoundary says whether no character of text reaches over i. A byte that
// continues a character is inside one exactly when a valid one, which can start
// nowhere else, starts in the three bytes before it.
func isBoundary(text string, i int) bool {
	if i == len(text) || utf8.RuneStart(text[i]) {
		return true
	}
	for back := 1; back < utf8.UTFMax && back <= i; back++ {
		if width(text, i-back) > back {
			return false
		}
	}
	return true
}

// positions is a set of offsets in a text, its end included.
type positions []uint64

func newPositions(text string) positions { return make(positions, len(text)/64+1) }

func (p positions) add(i int) { p[i/64] |= 1 << (i % 64) }

func (p positions) has(i int) bool { return p[i/64]&(1<<(i%64)) != 0 }

func (p positions) clear() { clear(p) }

// next is the first member from i on, -1 when there is none.
func (p positions) next(i int) int {
	word := i / 64
	if word >= len(p) {
		return -1
	}
	for rest := p[word] &^ (1<<(i%64) - 1); ; rest = p[word] {
		if rest != 0 {
			return word*64 + bits.TrailingZeros64(rest)
		}
		if word++; word == len(p) {
			return -1
		}
	}
}
