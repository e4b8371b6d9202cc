package cli

import (
	"strings"
	"testing"
	"time"
)

// The bar appears after a second, and goes away at the end.
func TestProgress(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	p := &progress{out: &out, now: func() time.Time { return now }, start: now}
	p.set(1, 4)
	p.end()
	if out.Len() > 0 {
		t.Errorf("printed %q at once", out.String())
	}
	now = now.Add(time.Second)
	p.set(2, 4)
	p.end()
	if got, want := out.String(), "\r["+strings.Repeat("#", 15)+strings.Repeat(" ", 15)+"] 2 of 4\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var none *progress
	none.set(1, 2)
	none.end()
	if (&commands{notes: &out}).progress() != nil {
		t.Error("a bar without a terminal")
	}
}

// A meaning begins with a capital letter, and ends without a full stop.
func TestSentence(t *testing.T) {
	for text, want := range map[string]string{"a value.": "A value", "a value": "A value", "A.": "A"} {
		if got := sentence(text); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}
