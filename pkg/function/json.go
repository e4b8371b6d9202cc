package function

import (
	"bytes"
	"encoding/json"
	"slices"
)

// readJSON reads a list that is JSON as a whole, by its text: the items are cut
// out as they are, and only what stands around them is parsed. It reports false
// when the parser has to decide.
//
// JSON is a form of YAML with few exceptions, which respell and isPlainJSON
// mend or refuse, so that a parser of YAML reads the same in an item as in the
// list.
func readJSON(input []byte) (*List, bool) {
	text := bytes.Trim(input, " \n\r\t")
	if len(text) == 0 || text[0] != '{' || !json.Valid(text) {
		return nil, false
	}
	text, ok := respell(respace(text))
	if !ok || !plainText(text) || !isPlainJSON(text) {
		return nil, false
	}
	var list span
	if !jsonMembers(text, func(key []byte, value span) bool {
		if string(key) == "items" {
			if list.end > 0 || text[value.start] != '[' {
				return false
			}
			list = value
		}
		return bytes.IndexByte(key, '\\') < 0
	}) {
		return nil, false
	}
	outside, count := text, 0
	if list.end > 0 {
		outside = slices.Concat(text[:list.start], []byte("[]"), text[list.end:])
		if !jsonElements(list.of(text), func(item span) bool {
			count++
			return text[list.start+item.start] == '{'
		}) {
			return nil, false
		}
	}
	if len(outside) > maxParsedList {
		return nil, false
	}
	root, err := onlyDocument(outside)
	if err != nil {
		return nil, false
	}
	l, err := listOf(root, &cutter{})
	if err != nil {
		return nil, false
	}
	if count > 0 {
		l.Items = jsonItems(list.of(text), count)
		// As on the text path.
		if !l.Items[count-1].parses() {
			return nil, false
		}
	}
	return l, true
}

// jsonItems makes the items of a JSON list, all in one piece of memory.
func jsonItems(list []byte, count int) []*Item {
	block := make([]byte, 0, len(list)+2*count)
	items := make([]*Item, 0, count)
	jsonElements(list, func(item span) bool {
		start := len(block)
		block = appendFlowItem(block, item.of(list))
		text := block[start:len(block):len(block)]
		items = append(items, itemWithHead(text, headOfJSON(flowText(text))))
		return true
	})
	return items
}

// appendFlowItem appends a flow collection as an item of a list in block style.
// Its lines stay as they are where they are indented; those in column 0 need a
// blank, which never is content inside a flow collection.
func appendFlowItem(out, item []byte) []byte {
	out = append(out, "- "...)
	for first := true; len(item) > 0; first = false {
		end := bytes.IndexByte(item, '\n') + 1
		if end == 0 {
			end = len(item)
		}
		if !first && item[0] != ' ' && item[0] != '\n' {
			out = append(out, ' ')
		}
		out = append(out, item[:end]...)
		item = item[end:]
	}
	return append(out, '\n')
}
