package breaking

import (
	"bytes"
	"slices"
	"strings"
)

// Lines finds the lines of objects in the text that they are written in, a manifest or a template. A template is no YAML,
// so its lines are compared by their keys:
//
//	kind: StatefulSet                 # line 2 of the template
//	spec:
//	  {{- with .Values.selector }}
//	  selector:                       # spec.selector is on line 5
type Lines struct {
	// byKind are the documents by the kinds of their objects, and byName by kind and name, as it is written.
	byKind map[string][][]keyLine
	byName map[[2]string][][]keyLine
}

// NewLines reads a text.
func NewLines(text []byte) *Lines {
	l := &Lines{map[string][][]keyLine{}, map[[2]string][][]keyLine{}}
	for _, document := range documentsIn(text) {
		at := slices.IndexFunc(document, func(line keyLine) bool { return line.indent == 0 && line.key == "kind" })
		if at < 0 {
			continue
		}
		kind, name := document[at].value, nameIn(document)
		l.byKind[kind] = append(l.byKind[kind], document)
		l.byName[[2]string{kind, name}] = append(l.byName[[2]string{kind, name}], document)
	}
	return l
}

// Of returns the line of a field of an object, or of the nearest field above it that has a line. It returns 0 if the text has no
// such object, or several of the kind, and not one that has its name.
func (l *Lines) Of(o *Object, path []string) int {
	found := l.byKind[o.Kind]
	if len(found) > 1 {
		found = l.byName[[2]string{o.Kind, o.Name}]
	}
	if len(found) != 1 {
		return 0
	}
	document := found[0]
	at := slices.IndexFunc(document, func(line keyLine) bool { return line.indent == 0 && line.key == "kind" })
	line, below := document[at].line, document
	indent := 0 // of the keys of the mapping
	for _, key := range path {
		next := slices.IndexFunc(below, func(l keyLine) bool { return l.indent == indent && l.key == key })
		end := slices.IndexFunc(below, func(l keyLine) bool { return l.indent < indent })
		if next < 0 || end >= 0 && end < next {
			break
		}
		line = below[next].line
		if below = below[next+1:]; len(below) == 0 || below[0].indent <= indent {
			break
		}
		indent = below[0].indent
	}
	return line
}

// nameIn returns the name in the metadata of a document, as it is written.
func nameIn(document []keyLine) string {
	at := slices.IndexFunc(document, func(l keyLine) bool { return l.indent == 0 && l.key == "metadata" })
	for _, l := range document[at+1:] {
		if at < 0 || l.indent == 0 {
			break
		}
		if l.key == "name" && l.indent == document[at+1].indent {
			return l.value
		}
	}
	return ""
}

// keyLine is a line with a key: `  replicas: 3`.
type keyLine struct {
	line, indent int
	key, value   string
}

// documentsIn returns the lines with keys of the documents of a text.
func documentsIn(text []byte) (all [][]keyLine) {
	var document []keyLine
	number := 0
	for line := range bytes.Lines(text) {
		number++
		trimmed := strings.TrimRight(string(line), " \t\r\n")
		if strings.HasPrefix(trimmed, "---") {
			all, document = append(all, document), nil
			continue
		}
		content := strings.TrimLeft(trimmed, " ")
		if key, value, ok := strings.Cut(strings.TrimPrefix(content, "- "), ":"); ok && key != "" && !strings.ContainsAny(key, "{}#") {
			value, _, _ = strings.Cut(value, " #")
			document = append(document, keyLine{number, len(trimmed) - len(content), strings.Trim(key, `"'`), strings.Trim(strings.TrimSpace(value), `"'`)})
		}
	}
	return append(all, document)
}
