// Package documents splits texts and files into their YAML documents and JSON values, one
// after the other, so that a file of any size needs the memory of one of them.
//
//	kind: Pack         # a document with Line 0 and Start 0
//	---                # the next one, with Line 1 and Start 11
//	kind: PackValues
package documents

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// Document is a YAML document, or one of several JSON values that follow each other.
type Document struct {
	// Text is the text of the document.
	Text string
	// Line is the number of lines before the document, and Start the number of bytes. Size is the
	// length of the text, to read it again.
	Line  int
	Start int64
	Size  int
	// Err is the reason why the document cannot be read. After an error of the reader no document
	// follows.
	Err error
}

// Of returns the documents of a text.
func Of(text string) (all []Document) {
	for d := range each(strings.NewReader(text), min(len(text), usualBuffer)) {
		all = append(all, d)
	}
	return all
}

// Each yields the documents of a reader that are not empty. A line `---` always begins one,
// also within a block of text, so that a fault in one does not affect the others. An object in
// JSON ends where its brace is closed.
func Each(in io.Reader) iter.Seq[Document] { return each(in, usualBuffer) }

// usualBuffer is the number of bytes that are read at once. Of a small text no more than its
// bytes are needed, and many are read.
const usualBuffer = 64 << 10

// each yields the documents of a reader, which it reads in parts of a size.
func each(in io.Reader, buffer int) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		s := splitter{in: bufio.NewReaderSize(in, buffer), yield: yield}
		if mark, _ := s.in.Peek(3); string(mark) == "\ufeff" {
			s.in.Discard(3)
			s.offset = 3
		}
		s.start()
		for !s.isDone && s.next() {
		}
	}
}

// splitter finds where documents begin.
type splitter struct {
	// in is the input, and yield gets the documents.
	in    *bufio.Reader
	yield func(Document) bool
	// offset and line are the position of the next read.
	offset int64
	line   int
	// text is the text of the document whose place is in current, cut at its largest size. isBlank
	// reports whether it has only comments, marks and directives, and isTooLarge whether it was
	// cut.
	text                []byte
	current             Document
	isBlank, isTooLarge bool
	// isDone is true when no more documents are wanted, or after an error.
	isDone bool
}

// start begins a document.
func (s *splitter) start() {
	s.text, s.isBlank, s.isTooLarge = s.text[:0], true, false
	s.current = Document{Line: s.line, Start: s.offset}
}

// end ends a document.
func (s *splitter) end(err error) {
	s.current.Err = err
	if s.isTooLarge && err == nil {
		s.current.Err = fmt.Errorf("it has more than %d MiB", values.MaxBytes>>20)
	} else {
		s.current.Text, s.current.Size = string(s.text), len(s.text)
	}
	if s.current.Err != nil || !s.isBlank {
		s.isDone = !s.yield(s.current) || err != nil
	}
	if cap(s.text) > 1<<20 {
		s.text = nil
	}
	s.start()
}

// take adds what was read to the document.
func (s *splitter) take(part []byte) {
	if s.isTooLarge = s.isTooLarge || len(s.text)+len(part) > values.MaxBytes; !s.isTooLarge {
		s.text = append(s.text, part...)
	}
	s.offset += int64(len(part))
	s.line += bytes.Count(part, []byte("\n"))
}

// next reads a line, or an object in JSON. It returns false at the end.
func (s *splitter) next() bool {
	head, err := s.in.Peek(4)
	if len(head) == 0 {
		if err == io.EOF {
			err = nil
		}
		s.end(err)
		return false
	}
	mark := ""
	if len(head) == 3 || len(head) == 4 && strings.ContainsRune(" \t\r\n", rune(head[3])) {
		mark = string(head[:3])
	}
	if mark != "---" && mark != "..." {
		if mark = ""; s.isBlank && s.isObject() {
			return s.object()
		}
	} else {
		s.end(nil)
	}
	for isFirst := true; !s.isDone; isFirst = false {
		part, err := s.in.ReadSlice('\n')
		if content := bytes.TrimSpace(bytes.TrimPrefix(part, []byte(mark))); isFirst && len(content) > 0 && content[0] != '#' && content[0] != '%' {
			s.isBlank = false // a directive changes no document
		}
		s.take(part)
		if err != bufio.ErrBufferFull {
			break // an error comes again
		}
	}
	if mark == "..." {
		s.start()
	}
	return true
}

// isObject reports whether an object in JSON comes next: in YAML keys are seldom in quotes.
func (s *splitter) isObject() bool {
	for size := 64; ; size *= 4 {
		head, err := s.in.Peek(min(size, s.in.Size()))
		content := bytes.TrimLeft(head, " \t")
		if len(content) > 0 && content[0] != '{' {
			return false
		}
		if len(content) > 0 {
			if content = bytes.TrimLeft(content[1:], " \t\r\n"); len(content) > 0 {
				return content[0] == '"' || content[0] == '}'
			}
		}
		if err != nil || size >= s.in.Size() {
			return false
		}
	}
}

// object reads an object in JSON as a document.
func (s *splitter) object() bool {
	if bytes.IndexByte(s.text, '\n') >= 0 {
		s.start()
	}
	s.isBlank = false
	depth, inText, isEscaped := 0, false, false
	for {
		part, err := s.in.Peek(max(1, s.in.Buffered()))
		if len(part) == 0 {
			if err == io.EOF {
				err = nil
			}
			s.end(err)
			return false
		}
		for i, c := range part {
			switch {
			case isEscaped:
				isEscaped = false
			case inText && c == '\\':
				isEscaped = true
			case c == '"':
				inText = !inText
			case inText:
			case c == '{':
				depth++
			case c == '}':
				if depth--; depth == 0 {
					s.take(part[:i+1])
					s.in.Discard(i + 1)
					s.end(nil)
					return true
				}
			}
		}
		s.take(part)
		s.in.Discard(len(part))
	}
}

// First returns the line at which the content of the document begins.
func (d Document) First() int {
	line := d.Line + 1
	for part := range strings.Lines(d.Text) {
		if text := strings.TrimSpace(part); text != "" && text != "---" && text[0] != '#' {
			break
		}
		line++
	}
	return line
}

// Parse reads the document. It reads a JSON document as JSON, and records the
// written sizes of the members with the keys sized.
func (d Document) Parse(sized ...string) (*values.Document, error) {
	if d.Err != nil {
		return nil, d.Err
	}
	text := d.Text
	if rest, ok := strings.CutPrefix(text, "---"); ok {
		text = "   " + rest
	}
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		if document, err := values.ParseJSON(text, sized...); err == nil {
			return document, nil
		}
	}
	return values.Parse(d.Text)
}
