// Package protocol has what a language server and an editor exchange: the messages of LSP 3.17 with the
// fields that packfn uses, their frames, and positions in the text of a buffer.
//
// A position of a client counts UTF-16 code units or bytes, and a position in YAML counts characters, in
// lines that may end elsewhere. [Buffer] converts both:
//
//	{"line": 11, "character": 6} ←→ offset 210 ←→ line 12, column 7
//
// Types and fields have the names that the specification gives them.
package protocol
