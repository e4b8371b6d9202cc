package lsp

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/creachadair/jrpc2"
)

func TestSafely(t *testing.T) {
	method := New(Options{}).safely("x", func(context.Context, *jrpc2.Request) (any, error) { panic("y") })
	if _, err := method(t.Context(), nil); err == nil || !strings.HasPrefix(err.Error(), "x: packfn has failed, which is a fault of packfn: y\n") {
		t.Errorf("got %v", err)
	}
}

// Whatever a buffer holds, methods have an answer, and ranges in the buffer.
func TestHostileBuffers(t *testing.T) {
	pieces := []string{"\n", "  ", "- ", "a: ", "&a ", "*a", "<<: *a\n", "{", "}", "[", "|\n", "\"", "'", "---\n", "? ", "\t", "\x00", "é😀", "#", "!!map ", "presets.yaml: |\n", "\ufeff", "\r"}
	pack, override := faultyForms["block"]()
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 3))
		c := launch(t, map[string]string{packPath: pack, sitePath: override})
		var result json.RawMessage
		c.initialize(map[string]any{"initializationOptions": map[string]any{"inlayHints": map[string]any{"default": true, "effective": true}}}, &result)
		name, text := packPath, pack
		if seed%2 == 1 {
			name, text = sitePath, override
		}
		c.open(name, text)
		for version := range 8 {
			for range 1 + random.IntN(3) {
				at := random.IntN(len(text) + 1)
				end := min(len(text), at+random.IntN(2)*random.IntN(30))
				text = strings.ToValidUTF8(text[:at]+pieces[random.IntN(len(pieces))]+text[end:], "?")
			}
			b := newBuffer(text, utf16Encoding)
			c.change(name, version+2, map[string]any{"text": text})
			last := b.place(len(b.text))
			line := random.IntN(len(b.lines))
			for _, method := range []string{"codeAction", "documentSymbol", "foldingRange", "documentLink", "inlayHint", "hover", "completion", "definition", "references"} {
				at := position{Line: line, Character: random.IntN(20)}
				params := map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "range": span{at, last}, "position": at}
				answer := c.ask("textDocument/"+method, params)
				if answer.Error != nil {
					t.Fatalf("seed %d: %s: %s\n%q", seed, method, answer.Error.Message, text)
				}
				var all []*symbol
				if method == "documentSymbol" && json.Unmarshal(answer.Result, &all) == nil {
					each(all, func(of *symbol) {
						if isBefore(of.Range.End, of.Range.Start) || isBefore(last, of.Range.End) || isBefore(of.SelectionRange.Start, of.Range.Start) || isBefore(of.Range.End, of.SelectionRange.End) {
							t.Errorf("seed %d: %+v is not in\n%q", seed, *of, text)
						}
					})
				}
			}
		}
	}
}
