package values

import (
	"fmt"
	"strings"
)

// conflict returns the lines of the first conflict that git has left in a text, or 0 if there is
// none:
//
//	<<<<<<< HEAD
//	replicas: 3
//	=======
//	replicas: 5
//	>>>>>>> main
func conflict(text string) (first, last int) {
	if !strings.Contains(text, "<<<<<<<") {
		return 0, 0
	}
	line, middle := 0, 0
	for text := range strings.Lines(text) {
		line++
		text = strings.TrimRight(text, "\r\n")
		switch {
		case isMarkerOf(text, "<<<<<<<"):
			first, middle = line, 0
		case text == "=======" && first > 0:
			middle = line
		case isMarkerOf(text, ">>>>>>>") && middle > 0:
			return first, line
		}
	}
	return 0, 0
}

// isMarkerOf reports whether a line is a marker, which the name of a branch may follow.
func isMarkerOf(line, marker string) bool {
	return line == marker || strings.HasPrefix(line, marker+" ")
}

// HasConflict reports whether a text has the markers of a conflict that git could not merge.
func HasConflict(text string) bool {
	first, _ := conflict(text)
	return first > 0
}

// ofConflict returns the error about a text with a conflict, and other errors as they are.
func ofConflict(text string, err error) error {
	first, last := conflict(text)
	if first == 0 || err == nil {
		return err
	}
	return &SyntaxError{Position{Line: first, Column: 1}, fmt.Sprintf("git could not merge this line and the %d below it: choose a side, and remove the lines with <<<<<<<, ======= and >>>>>>>", last-first)}
}
