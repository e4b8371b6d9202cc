package schema

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf16"
)

// maxPortable is the length in bytes of patterns that a JSON Schema has. A class of
// characters such as \pL has hundreds of ranges.
const maxPortable = 2000

// portable returns a pattern that means in ECMA-262, which JSON Schema has, what a regex
// means in RE2: it has neither flags nor names of classes. It is false for what ECMA-262 does
// not have (^ and $ at each line), and for a pattern that gets too long.
func portable(tree *syntax.Regexp) (string, bool) {
	w := portableWriter{ok: true}
	w.write(tree)
	return w.String(), w.ok && w.Len() <= maxPortable
}

// portableWriter writes a regex for ECMA-262. ok becomes false if that is not possible.
type portableWriter struct {
	strings.Builder
	ok bool
}

// write writes an expression and those in it. It stops when the text is too long.
func (w *portableWriter) write(tree *syntax.Regexp) {
	if !w.ok || w.Len() > maxPortable {
		return
	}
	switch tree.Op {
	case syntax.OpEmptyMatch:
		w.WriteString(`(?:)`)
	case syntax.OpLiteral:
		for _, r := range tree.Rune {
			if tree.Flags&syntax.FoldCase != 0 && unicode.SimpleFold(r) != r {
				w.fold(r)
			} else {
				w.rune(r)
			}
		}
	case syntax.OpCharClass:
		w.class(tree.Rune)
	case syntax.OpAnyCharNotNL:
		w.WriteString(`[^\n]`)
	case syntax.OpAnyChar:
		w.WriteString(`[\s\S]`)
	case syntax.OpBeginText:
		w.WriteString(`^`)
	case syntax.OpEndText:
		w.WriteString(`$`)
	case syntax.OpWordBoundary:
		w.WriteString(`\b`)
	case syntax.OpNoWordBoundary:
		w.WriteString(`\B`)
	case syntax.OpCapture:
		w.group(tree.Sub, "")
	case syntax.OpConcat:
		for _, sub := range tree.Sub {
			w.write(sub)
		}
	case syntax.OpAlternate:
		w.group(tree.Sub, "|")
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		w.group(tree.Sub, "")
		w.WriteString(repetition(tree))
	default:
		w.ok = false
	}
}

// repetition returns the quantifier of an expression: `*`, `+`, `?` or `{2,5}`.
func repetition(tree *syntax.Regexp) string {
	switch {
	case tree.Op == syntax.OpStar:
		return "*"
	case tree.Op == syntax.OpPlus:
		return "+"
	case tree.Op == syntax.OpQuest:
		return "?"
	case tree.Max < 0:
		return fmt.Sprintf("{%d,}", tree.Min)
	}
	return fmt.Sprintf("{%d,%d}", tree.Min, tree.Max)
}

// group writes expressions as one. Some are one already.
func (w *portableWriter) group(all []*syntax.Regexp, between string) {
	if len(all) == 1 {
		switch one := all[0]; {
		case one.Op == syntax.OpEmptyMatch, one.Op == syntax.OpCharClass, one.Op == syntax.OpCapture, one.Op == syntax.OpAlternate, one.Op == syntax.OpLiteral && len(one.Rune) == 1:
			w.write(one)
			return
		}
	}
	w.WriteString("(?:")
	for i, sub := range all {
		if i > 0 {
			w.WriteString(between)
		}
		w.write(sub)
	}
	w.WriteString(")")
}

// fold writes a character in all its cases.
func (w *portableWriter) fold(r rune) {
	w.WriteString("[")
	w.rune(r)
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		w.rune(other)
	}
	w.WriteString("]")
}

// class writes a class of ranges: those that it has, or those that it has not.
func (w *portableWriter) class(ranges []rune) {
	switch last := len(ranges) - 1; {
	case last < 0:
		w.WriteString(`[^\s\S]`)
		return
	case ranges[0] == 0 && ranges[last] == unicode.MaxRune && last == 1:
		w.WriteString(`[\s\S]`)
		return
	case ranges[0] == 0 && ranges[last] == unicode.MaxRune:
		w.WriteString("[^")
		for i := 1; i < last; i += 2 {
			w.span(ranges[i]+1, ranges[i+1]-1)
		}
	default:
		w.WriteString("[")
		for i := 0; i < last; i += 2 {
			w.span(ranges[i], ranges[i+1])
		}
	}
	w.WriteString("]")
}

// span writes a range of characters of a class.
func (w *portableWriter) span(low, high rune) {
	w.rune(low)
	if high > low {
		w.WriteString("-")
		w.rune(high)
	}
}

// rune writes a character, in a class or outside.
func (w *portableWriter) rune(r rune) {
	switch {
	case utf16.IsSurrogate(r): // no text has it
		w.ok = false
	case r < ' ' || r == 0x7f:
		fmt.Fprintf(w, `\x%02x`, r)
	case strings.ContainsRune(`^$\.*+?()[]{}|/`, r):
		w.WriteString(`\` + string(r))
	case r == '-':
		w.WriteString(`\x2d`) // outside of a class ECMA-262 does not escape it
	default:
		w.WriteRune(r)
	}
}
