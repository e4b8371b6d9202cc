package breaking

import (
	"bytes"
	"slices"
	"strings"
)

// LineIn returns the line of a field of an object in the text that it is written in, a manifest or a template, or of
// the nearest field above it that has a line. A template is no YAML, so its lines are compared by their keys:
//
//	kind: StatefulSet                 # line 2 of the template
//	spec:
//	  {{- with .Values.selector }}
//	  selector:                       # spec.selector is on line 5
//
// It returns 0 if the text has no such object, or several of the kind, none of which has its name.
func LineIn(text []byte, o *Object, path []string) int {
	var found [][]keyLine
	for _, document := range documentsIn(text) {
		if slices.ContainsFunc(document, func(l keyLine) bool { return l.indent == 0 && l.key == "kind" && l.value == o.Kind }) {
			found = append(found, document)
		}
	}
	if named := slices.DeleteFunc(slices.Clone(found), func(document []keyLine) bool { return !isNamed(document, o.Name) }); len(found) > 1 {
		found = named
	}
	if len(found) != 1 {
		return 0
	}
	document := found[0]
	at := slices.IndexFunc(document, func(l keyLine) bool { return l.indent == 0 && l.key == "kind" })
	line, from, indent := document[at].line, 0, -1
	for _, key := range path {
		next := slices.IndexFunc(document[from:], func(l keyLine) bool { return l.key == key && l.indent > indent })
		end := slices.IndexFunc(document[from:], func(l keyLine) bool { return l.indent <= indent })
		if next < 0 || end >= 0 && end < next {
			break
		}
		line, indent, from = document[from+next].line, document[from+next].indent, from+next+1
	}
	return line
}

// isNamed reports whether the metadata of a document have a name, as it is written.
func isNamed(document []keyLine, name string) bool {
	return slices.ContainsFunc(document, func(l keyLine) bool { return l.key == "name" && l.indent > 0 && l.value == name })
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
