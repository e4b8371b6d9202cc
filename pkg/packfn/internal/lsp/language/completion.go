package language

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/values"
)

// candidate is a text that completion offers.
type candidate struct {
	// text is the key or the value without quotes, and kind one of the completion constants.
	text string
	kind int
	// detail is one line, and documentation Markdown.
	detail, documentation string
	// isCollection is true for a key whose value is a map or a list, which starts on the next
	// line.
	isCollection bool
	// isPlain is true for a value that is written without quotes, because it is not a string.
	isPlain bool
}

// maxCompletions is the maximum number of completions in an answer.
const maxCompletions = 500

// Completion returns the texts that can be typed at the position.
func (c *Query) Completion() *protocol.CompletionList {
	list, t := &protocol.CompletionList{Items: []protocol.CompletionItem{}}, c.site
	if from, words, isIn := c.macro(); isIn {
		for _, one := range words {
			t.offer(list, one, from, t.at, t.encode(one.text))
		}
		return list
	}
	from, to := t.context.From, t.context.To
	if t.context.AtKey {
		present := t.siblings()
		for _, one := range c.keys() {
			if !slices.Contains(present, one.text) {
				t.offer(list, one, from, to, t.encode(t.writtenKey(one)))
			}
		}
	}
	if t.context.AtValue {
		for _, one := range c.values() {
			from, to := from, to
			if one.kind == protocol.CompletionModule { // a word in a string
				from, to = t.wordAt()
			}
			t.offer(list, one, from, to, t.encode(t.writtenValue(one)))
		}
	}
	return list
}

// offer adds a candidate that replaces a range of the innermost text to a list.
func (t *site) offer(l *protocol.CompletionList, one candidate, from, to int, text string) {
	if len(l.Items) == maxCompletions {
		l.IsIncomplete = true
		return
	}
	item := protocol.CompletionItem{Label: one.text, Kind: one.kind, Detail: one.detail, TextEdit: protocol.TextEdit{Range: t.span(from, to), NewText: text}}
	if one.documentation != "" {
		item.Documentation = &protocol.MarkupContent{Kind: "markdown", Value: one.documentation}
	}
	l.Items = append(l.Items, item)
}

// writtenKey returns the text to insert for a key at the position.
func (t *site) writtenKey(one candidate) string {
	c := &t.context
	if c.Quote != 0 {
		return one.text
	}
	text := values.Quote(one.text)
	if t.isJSON() {
		text = jsonText(one.text)
	}
	switch {
	case c.HasColon:
		return text
	case one.isCollection && !c.InFlow:
		return text + ":"
	}
	return text + ": "
}

// writtenValue returns the text to insert for a value at the position.
func (t *site) writtenValue(one candidate) string {
	c := &t.context
	text := one.text
	switch {
	case c.Quote != 0 || one.kind == protocol.CompletionModule:
		return text
	case t.isJSON() && !one.isPlain:
		text = jsonText(text)
	case !one.isPlain:
		text = values.Quote(text)
	}
	if c.From > 0 && t.whole[c.From-1] == ':' {
		text = " " + text
	}
	return text
}

// jsonText returns a text as a string of JSON, in quotes.
func jsonText(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

// wordAt returns the range of the word at the position.
func (t *site) wordAt() (from, to int) {
	const ends = " \t\r\n\"'{}[]|,:"
	from, to = t.context.From, t.context.To
	from += strings.LastIndexAny(t.whole[from:t.at], ends) + 1
	if n := strings.IndexAny(t.whole[t.at:to], ends); n >= 0 {
		to = t.at + n
	}
	return from, to
}

// siblings returns the keys of the mapping at the position, without the key that is being typed.
func (t *site) siblings() []string {
	var keys []string
	t.entries(func(e cursor.Entry) {
		if n := len(e.Path) - 1; e.From != t.context.From && slices.Equal(e.Path[:n], t.context.Path) {
			keys = append(keys, e.Path[n].Key)
		}
	})
	return keys
}

// entries visits the keys of the innermost text.
func (t *site) entries(visit func(cursor.Entry)) { cursor.Entries(t.whole, visit) }

// beside returns the scalar value of another key in the mapping that contains the position.
func (t *site) beside(key string) (text string) {
	path := t.context.Path
	want := values.Below(path[:len(path)-1], values.Key(key))
	t.entries(func(e cursor.Entry) {
		if slices.Equal(e.Path, want) {
			text = e.Scalar(t.whole)
		}
	})
	return text
}
