package terminal

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The line appears after a second without output, and goes away before the next output.
func TestProgress(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	p := &Progress{out: &out, now: func() time.Time { return now }, silent: now, start: now, stop: func() {}}
	output := p.Over(&out)
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { p.Set(1, 4) }, ""},
		{func() { now = now.Add(time.Second); p.Set(2, 4) }, "\r[" + strings.Repeat("#", 15) + strings.Repeat(" ", 15) + "] 2 of 4"},
		{func() { fmt.Fprintln(output, "a note") }, "\r\x1b[Ka note\n"},
		{func() { p.Set(3, 4) }, ""},
		{func() { now = now.Add(time.Second); p.Set(0, 0) }, "\rworking for 2s"},
		{func() { fmt.Fprint(output, "a part ") }, "\r\x1b[Ka part "},
		{func() { now = now.Add(time.Minute); p.tick() }, ""},
		{func() { fmt.Fprintln(output, "of a line") }, "of a line\n"},
		{func() { now = now.Add(time.Minute); p.tick() }, "\rworking for 2m2s"},
		{p.End, "\r\x1b[K"},
		{func() { now = now.Add(time.Minute); p.tick() }, ""},
	} {
		out.Reset()
		if step.do(); out.String() != step.want {
			t.Errorf("got %q, want %q", out.String(), step.want)
		}
	}
	var none *Progress
	none.Set(1, 2)
	none.End()
	if NewProgress(&out) != nil || none.Over(&out) != &out {
		t.Error("a line without a terminal")
	}
}
