package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// fieldLine matches a line with one key or element and one scalar, without a comment.
var fieldLine = regexp.MustCompile(`^\s*(?:- +)*(?:["']?([\w./-]+)["']?\s*:)?\s*(?:"[^"\\]*"|'[^']*'|[^\s"'{\[|>&*!%@#,][^#{}\[\],"':]*)?\s*,?\s*$`)

// oneDocument matches what follows the key of a document that is alone on its line.
var oneDocument = regexp.MustCompile(`^\s*(?:"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|[|>][-+0-9]*)?\s*,?\s*$`)

// isAlone reports whether a line has nothing but what a public finding is about. A line in
// flow style, or with a quoted text, has other fields and their values.
func isAlone(f *diag.Finding, line string) bool {
	origin := f.Origin
	if origin.Embedded && origin.Public && (f.Position.Line > 0 || f.Key != "") {
		return isDocumentLine(line, lastStep(origin.Field))
	}
	match := fieldLine.FindStringSubmatch(line)
	if match == nil {
		return false
	}
	path := f.Path()
	if origin.Embedded {
		path = f.Key
	}
	if strings.HasSuffix(path, "]") && strings.HasPrefix(strings.TrimSpace(line), "-") {
		return true // the first field of the element that the finding is about
	}
	return slices.Contains([]string{"", "apiVersion", "kind", lastStep(path)}, match[1])
}

// isDocumentLine reports whether a line is one of a document, or only has it as the value
// of its key.
func isDocumentLine(line, name string) bool {
	key := regexp.MustCompile(`["']?` + regexp.QuoteMeta(name) + `["']?\s*:`).FindStringIndex(line)
	if key == nil {
		return true
	}
	return strings.Trim(line[:key[0]], " -\t") == "" && oneDocument.MatchString(line[key[1]:])
}

// lastStep is the last key of a path: `name` of `presets[1].name`, `pack.json` of
// `data[pack.json]`.
func lastStep(path string) string {
	for {
		open := strings.LastIndexByte(path, '[')
		if open < 0 || !strings.HasSuffix(path, "]") {
			return path[strings.LastIndexByte(path, '.')+1:]
		}
		if inside := path[open+1 : len(path)-1]; strings.Trim(inside, "0123456789") != "" {
			return inside
		}
		path = path[:open]
	}
}
