package schema

import (
	"regexp/syntax"
	"unicode/utf8"
)

// search is a regex compiled to find a match anywhere in a segment.
type search struct {
	prog *syntax.Prog
	// looksAhead says that the regex has conditions on what follows ($, \b), so
	// a segment that ends may match where one that goes on does not.
	looksAhead bool
}

func newSearch(tree *syntax.Regexp) *search {
	tree = tree.Simplify()
	if !startsAtText(tree) {
		// .* in front, as syntax: text in front would break on \Q or flags.
		anything := &syntax.Regexp{Op: syntax.OpStar, Sub: []*syntax.Regexp{{Op: syntax.OpAnyChar}}}
		tree = &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{anything, tree}}
	}
	// Compile has no error to return: Parse has seen to the size.
	prog, _ := syntax.Compile(tree)
	s := &search{prog: prog}
	const ahead = syntax.EmptyEndLine | syntax.EmptyEndText | syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary
	for i := range prog.Inst {
		if inst := &prog.Inst[i]; inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&ahead != 0 {
			s.looksAhead = true
		}
	}
	return s
}

// characters counts the characters that the regex spells out when its counted
// repetitions are unrolled: a size that the compiled regex has at least, known
// without compiling it. A few characters can make a regex huge.
func characters(tree *syntax.Regexp) int {
	switch tree.Op {
	case syntax.OpLiteral:
		return len(tree.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	}
	n := 0
	for _, sub := range tree.Sub {
		n += characters(sub)
	}
	if tree.Op == syntax.OpRepeat {
		if tree.Max >= 0 {
			return n * tree.Max
		}
		return n * max(tree.Min, 1)
	}
	return n
}

// startsAtText says whether every match of the regex starts with the text.
func startsAtText(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpBeginText:
		return true
	case syntax.OpConcat, syntax.OpCapture:
		return len(tree.Sub) > 0 && startsAtText(tree.Sub[0])
	}
	return false
}

// size is the number of instructions.
func (s *search) size() int { return len(s.prog.Inst) }

// A simulation finds where segments end that start at any of a set of
// positions, are accepted by an automaton (of their type) and are matched by a
// regex. It goes through the text once with all segments at the same time: a
// thread is a state of the automaton together with an instruction of the regex
// that one or more open segments have reached, so there are never more threads
// than the product of the two, however many segments are open.
type simulation struct {
	*splitter
	types   *automaton // nil: any text
	regex   *search    // nil: no regex
	matched int32      // in place of an instruction: the regex has matched

	now, next threads // before conditions and branches are followed
	ready     threads // at instructions that read a character, or matched
}

func newSimulation(s *splitter, types *automaton, regex *search) *simulation {
	m := &simulation{splitter: s, types: types, regex: regex}
	if regex != nil {
		m.matched = int32(regex.size())
	}
	states := 1
	if types != nil {
		states = len(types.next)
	}
	for _, t := range []*threads{&m.now, &m.next, &m.ready} {
		t.perState = m.matched + 1
		t.index = make([]uint32, states*int(t.perState))
	}
	return m
}

// run adds to `to` every end of a segment that starts at one of `from`.
func (m *simulation) run(from, to positions) {
	before := rune(-1)
	for i := from.next(0); i >= 0 && !m.exhausted(); {
		after, n := rune(-1), 0
		if i < len(m.text) {
			after, n = rune(m.text[i]), 1
			if after >= utf8.RuneSelf {
				after, n = utf8.DecodeRuneInString(m.text[i:])
			}
		}
		m.next.clear()
		if from.has(i) && n > 0 {
			m.open(after)
		}
		if len(m.now.list) > 0 {
			m.follow(before, after)
			if m.ends(before, after) {
				to.add(i)
			}
			m.read(after)
		}
		if n == 0 {
			return
		}
		if m.types == nil && m.next.has(thread{pc: m.matched}) {
			m.addAfter(i, to) // the rest of any segment is free
			return
		}
		m.now, m.next = m.next, m.now
		i, before = i+n, after
		if len(m.now.list) == 0 {
			i = from.next(i)
		}
	}
}

// open starts a segment and reads its first character.
func (m *simulation) open(first rune) {
	m.ready.clear()
	start := thread{pc: m.matched}
	if m.regex != nil {
		start.pc = int32(m.regex.prog.Start)
	}
	m.branch(start, m.context(-1, first))
	m.read(first)
}

// follow moves the threads of now to all instructions that they reach without
// reading, between the characters before and after (-1: the segment ends).
func (m *simulation) follow(before, after rune) {
	m.ready.clear()
	context := m.context(before, after)
	for _, t := range m.now.list {
		m.branch(t, context)
	}
}

// context says which conditions hold between two characters.
func (m *simulation) context(before, after rune) syntax.EmptyOp {
	if m.regex == nil {
		return 0
	}
	return syntax.EmptyOpContext(before, after)
}

// branch adds t to the ready threads, and all that it reaches without reading.
func (m *simulation) branch(t thread, context syntax.EmptyOp) {
	m.steps++
	if !m.ready.add(t) || t.pc == m.matched {
		return
	}
	inst := &m.regex.prog.Inst[t.pc]
	t.pc = int32(inst.Out)
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		m.branch(t, context)
		t.pc = int32(inst.Arg)
		m.branch(t, context)
	case syntax.InstCapture, syntax.InstNop:
		m.branch(t, context)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(inst.Arg)&^context == 0 {
			m.branch(t, context)
		}
	case syntax.InstMatch:
		t.pc = m.matched
		m.branch(t, context)
	}
}

// ends says whether a segment can end at i. The threads have been followed with
// the character after i in view; where the regex minds what follows, they are
// followed once more as if nothing did.
func (m *simulation) ends(before, after rune) bool {
	if after < 0 || m.regex == nil || !m.regex.looksAhead {
		return m.accepts()
	}
	if !m.mayAccept() {
		return false
	}
	m.follow(before, -1)
	accepts := m.accepts()
	m.follow(before, after)
	return accepts
}

// mayAccept says whether a segment is open that its type would accept here.
func (m *simulation) mayAccept() bool {
	if m.types == nil {
		return true
	}
	for _, t := range m.now.list {
		if m.types.accepting[t.state] {
			return true
		}
	}
	return false
}

// accepts says whether a ready thread may end.
func (m *simulation) accepts() bool {
	if m.types == nil {
		return m.ready.has(thread{pc: m.matched})
	}
	for _, t := range m.ready.list {
		if t.pc == m.matched && m.types.accepting[t.state] {
			return true
		}
	}
	return false
}

// read moves the ready threads that can read the character to next.
func (m *simulation) read(r rune) {
	if r < 0 {
		return
	}
	for _, t := range m.ready.list {
		if t.pc != m.matched {
			inst := &m.regex.prog.Inst[t.pc]
			if !reads(inst, r) {
				continue
			}
			t.pc = int32(inst.Out)
		}
		if m.types != nil {
			if t.state = m.types.after(t.state, r); t.state < 0 {
				continue
			}
		}
		m.next.add(t)
	}
}

// reads says whether the instruction reads r.
func reads(inst *syntax.Inst, r rune) bool {
	switch inst.Op {
	case syntax.InstRune, syntax.InstRune1:
		return inst.MatchRune(r)
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	}
	return false
}

// thread is a state of the type and an instruction of the regex.
type thread struct {
	state, pc int32
}

// threads is a set of threads by state and instruction, in the order of their
// addition; clearing it costs nothing.
type threads struct {
	list     []thread
	index    []uint32 // where in list the thread is, if it is there
	perState int32    // how many instructions there are
}

func (t *threads) clear() { t.list = t.list[:0] }

func (t *threads) has(one thread) bool {
	at := int(t.index[one.state*t.perState+one.pc])
	return at < len(t.list) && t.list[at] == one
}

// add adds a thread and says whether it is new.
func (t *threads) add(one thread) bool {
	if t.has(one) {
		return false
	}
	t.index[one.state*t.perState+one.pc] = uint32(len(t.list))
	t.list = append(t.list, one)
	return true
}
