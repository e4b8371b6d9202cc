package lsp

import (
	"encoding/json"
	"strings"
	"testing"
)

// A client that can do so selects the reason, for the user to write it.
func TestReasonIsSelected(t *testing.T) {
	pack, _ := faultyForms["block"]()
	pack = strings.ReplaceAll(pack, "\n", "\r\n")
	c := launch(t, map[string]string{packPath: pack})
	var result json.RawMessage
	c.initialize(map[string]any{"capabilities": map[string]any{"window": map[string]any{"showDocument": map[string]any{"support": true}}}}, &result)
	c.open(packPath, pack)
	for _, action := range c.actions(packPath, whole, kindFix) {
		if !strings.HasPrefix(action.Title, "Accept") {
			continue
		}
		if action.Command == nil {
			t.Fatalf("%s has no command", action.Title)
		}
		c.call("workspace/executeCommand", map[string]any{"command": action.Command.Command, "arguments": action.Command.Arguments}, &result)
		got := <-c.selected
		b := newBuffer(c.applied(packPath, pack, action), utf16Encoding)
		if text := b.text[b.offset(got.Selection.Start):b.offset(got.Selection.End)]; text != reason || got.URI != c.uri(packPath) || !got.TakeFocus {
			t.Errorf("got %+v, %q", got, text)
		}
	}
	if answer := c.ask("workspace/executeCommand", map[string]any{"command": "rm"}); answer.Error == nil {
		t.Error("an unknown command is executed")
	}
}
