package values

import (
	"fmt"
	"testing"
)

// Recent documents are kept up to the bytes that were asked for; texts with errors are
// read again.
func TestKeepRecent(t *testing.T) {
	defer KeepRecent(0, 0)
	parse := func(text string) *Document {
		d, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if first, again := parse("a: 1"), parse("a: 1"); first == again {
		t.Error("a document was kept, although nothing asked for it")
	}
	KeepRecent(100, 0)
	d := parse("a: 1")
	for n := range 20 {
		if parse("a: 1") != d {
			t.Fatalf("after %d other texts, a document that is asked for often was forgotten", n)
		}
		parse(fmt.Sprintf("number: %d", n))
	}
	other := parse("number: 0")
	for n := range 20 {
		parse(fmt.Sprintf("number: %d", n))
	}
	if parse("number: 0") == other {
		t.Error("more documents were kept than asked for")
	}
	long := "text: " + fmt.Sprintf("%060d", 1)
	if first, again := parse(long), parse(long); first == again {
		t.Error("a document above half of the bytes was kept")
	}
	if _, err := Parse("a: ["); err == nil {
		t.Error("a text that is not YAML was read")
	}
	if _, err := Parse("a: ["); err == nil {
		t.Error("a text that is not YAML was read when it came again")
	}
	KeepRecent(0, 0)
	if parse("a: 1") == d {
		t.Error("a document was kept after KeepRecent(0)")
	}
}
