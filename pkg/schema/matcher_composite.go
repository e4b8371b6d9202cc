package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// MaxCompositeBytes limits a value under a composite format. Real values are far
// shorter, and within this limit trying all segments is fast.
const MaxCompositeBytes = 512

// MaxRangedNumber limits the characters of a number with a range inside a
// composite format.
const MaxRangedNumber = 64

// maxCompositeSteps limits the steps of a splitter to about half a second. Only
// regexes side by side, without text between them, come near it.
const maxCompositeSteps = 1 << 26

// splitter decides whether a text splits into the parts of a composite. It takes
// one part after the other and keeps the set of positions where the parts so far
// can end, so the work is polynomial and no split is ever taken back.
//
// All positions are between characters. A byte that is not UTF-8 is a character.
type splitter struct {
	// text is the value.
	text string
	// inner are the positions within text, in order.
	inner []int
	// steps counts the bytes of the segments that were tried, times their cost; most is
	// how many they may be.
	steps, most int
}

// split reports whether the text splits into parts. The answer is void if it
// took more steps than it may.
func (s *splitter) split(parts []part) bool {
	s.inner = make([]int, 0, len(s.text))
	for at := range s.text {
		s.inner = append(s.inner, at)
	}
	s.inner = s.inner[1:] // the text is not empty
	reached := []int{0}
	for i := 0; i < len(parts) && len(reached) > 0; i++ {
		reached = s.reach(&parts[i], reached, s.ends(parts[i+1:]))
	}
	return len(reached) > 0
}

// ends returns the positions where a part may end, in order: where the literal
// text of the next part follows, and only at the end of the text for the last
// part.
func (s *splitter) ends(rest []part) []int {
	switch {
	case len(rest) == 0:
		return []int{len(s.text)}
	case len(rest[0].texts) == 0:
		return s.inner
	}
	var ends []int
	for _, at := range s.inner {
		if slices.ContainsFunc(rest[0].texts, func(text string) bool { return strings.HasPrefix(s.text[at:], text) }) {
			ends = append(ends, at)
		}
	}
	return ends
}

// reach returns the elements of ends at which a segment of p ends that begins at one of starts.
// Both are in order.
func (s *splitter) reach(p *part, starts, ends []int) []int {
	shortest, longest := p.segments.shortest, p.segments.longest
	var reached []int
	for _, end := range between(ends, starts[0]+shortest, starts[len(starts)-1]+longest) {
		if slices.ContainsFunc(between(starts, end-longest, end-shortest), func(start int) bool { return s.accepts(p, s.text[start:end]) }) {
			reached = append(reached, end)
		}
	}
	return reached
}

// between returns the positions from low to high, both included.
func between(positions []int, low, high int) []int {
	first, _ := slices.BinarySearch(positions, low)
	after, _ := slices.BinarySearch(positions, high+1)
	return positions[first:max(first, after)]
}

// accepts reports whether p accepts a segment.
func (s *splitter) accepts(p *part, segment string) bool {
	s.steps += len(segment) * p.segments.cost
	return s.steps <= s.most && p.hasType(segment) && p.matches(segment)
}

// segments are the possible segments of a part. Others need not be tried.
type segments struct {
	// shortest and longest are in bytes.
	shortest, longest int
	// cost is the number of steps for one byte.
	cost int
}

// possibleSegments returns the bounds of the segments that a part can accept, so that few of them are
// tried.
func (p *part) possibleSegments() segments {
	possible := segments{shortest: 1, longest: MaxCompositeBytes, cost: 1}
	switch {
	case len(p.texts) > 0:
		byLength := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
		possible.shortest, possible.longest = len(slices.MinFunc(p.texts, byLength)), len(slices.MaxFunc(p.texts, byLength))
	case p.bounds != nil:
		possible.longest = MaxRangedNumber
	case p.kind == kindIPv4:
		possible.shortest, possible.longest = len("0.0.0.0"), len("255.255.255.255")
	case p.kind == kindVersion:
		possible.longest, possible.cost = semver.MaxVersionLen, 8
	}
	if p.regex != nil {
		possible.cost += p.regex.instructions
	}
	return possible
}
