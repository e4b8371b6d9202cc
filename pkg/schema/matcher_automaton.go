package schema

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode/utf8"
)

// automaton is a deterministic automaton for a type of unbounded length: inside
// a composite many segments are tried at once, and each is in one state. State
// 0 is the start. For whole values the types have their own parsers
// (numberReader, the semver package); the tests hold the two against each
// other.
type automaton struct {
	next      [][utf8.RuneSelf]int16 // -1: no text that goes on like this
	accepting []bool
}

// after is the state after r, -1 when r can not stand there.
func (a *automaton) after(state int32, r rune) int32 {
	if r >= utf8.RuneSelf {
		return -1
	}
	return int32(a.next[state][r])
}

var numberAutomaton = sync.OnceValue(func() *automaton {
	a := &automaton{}
	for state := range numberStates {
		var next [utf8.RuneSelf]int16
		for c := range next {
			next[c] = -1
			if after := state.after(byte(c)); after != notANumber {
				next[c] = int16(after)
			}
		}
		a.next = append(a.next, next)
		a.accepting = append(a.accepting, state.isComplete())
	}
	return a
})

// versionAutomaton accepts the grammar of semver.org.
var versionAutomaton = sync.OnceValue(func() *automaton {
	const number = "(?:0|[1-9][0-9]*)"
	const identifier = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
	return determinize(number+`\.`+number+`\.`+number+
		`(?:-`+identifier+`(?:\.`+identifier+`)*)?`+
		`(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?`,
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-.")
})

// determinize makes the automaton of a pattern without conditions (^, \b), for
// texts of the alphabet's ASCII characters.
func determinize(pattern, alphabet string) *automaton {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic("pkg/schema: its own pattern: " + err.Error())
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		panic("pkg/schema: its own pattern: " + err.Error())
	}
	a := &automaton{}
	var sets [][]uint32 // of each state, the instructions it stands for
	known := map[string]int16{}
	state := func(set []uint32) int16 {
		slices.Sort(set)
		var key []byte
		for _, pc := range set {
			key = binary.LittleEndian.AppendUint32(key, pc)
		}
		at, ok := known[string(key)]
		if !ok {
			at = int16(len(sets))
			known[string(key)] = at
			sets = append(sets, set)
		}
		return at
	}
	state(reach(prog, nil, uint32(prog.Start)))
	for at := 0; at < len(sets); at++ {
		var next [utf8.RuneSelf]int16
		for c := range next {
			next[c] = -1
		}
		for _, c := range alphabet {
			var set []uint32
			for _, pc := range sets[at] {
				if inst := &prog.Inst[pc]; inst.Op != syntax.InstMatch && inst.MatchRune(c) {
					set = reach(prog, set, inst.Out)
				}
			}
			if len(set) > 0 {
				next[c] = state(set)
			}
		}
		a.next = append(a.next, next)
		a.accepting = append(a.accepting, slices.ContainsFunc(sets[at], func(pc uint32) bool {
			return prog.Inst[pc].Op == syntax.InstMatch
		}))
	}
	return a
}

// reach adds to set the instructions that read a character or match and that
// follow from pc without reading.
func reach(prog *syntax.Prog, set []uint32, pc uint32) []uint32 {
	inst := &prog.Inst[pc]
	switch inst.Op {
	case syntax.InstFail:
	case syntax.InstAlt, syntax.InstAltMatch:
		set = reach(prog, reach(prog, set, inst.Out), inst.Arg)
	case syntax.InstCapture, syntax.InstNop:
		set = reach(prog, set, inst.Out)
	default:
		if !slices.Contains(set, pc) {
			set = append(set, pc)
		}
	}
	return set
}
