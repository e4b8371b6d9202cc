package shown

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/placeholder"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// New reads a file of a name. known may be nil.
func New(name string, text []byte, known *Known) *File {
	f := &File{lines: strings.Split(string(text), "\n"), hidden: map[int][]part{}}
	r := reader{File: f, known: known}
	items := list.FileItems(text, name)
	in, isResource := files[path.Base(name)], len(items) > 0 && items[0].Fault() == ""
	if in != nil && !isResource {
		if known != nil && known.beside != nil {
			r.entries = entriesOf([]*schema.Schema{known.beside})
		}
		r.document(string(text), 0, in)
		items = nil
	}
	r.own = schemasOf(items)
	for _, item := range items {
		schemas := r.schemasFor(item)
		r.entries, r.isUnknown = entriesOf(schemas), known != nil && known.isPartial && len(schemas) == 0 && pack.IsOverride(item)
		r.document(string(item.Text()), item.Line()-1, areaOfPack(item))
	}
	f.sort()
	return f
}

// reader finds the parts of a file that are hidden.
type reader struct {
	*File
	// known are the schemas of packs in other files.
	known *Known
	// own are the schemas of the packs in the file, and entries the entries of the schemas of the
	// current resource.
	own     map[string][]*schema.Schema
	entries entries
	// isUnknown is true for values of a pack whose schema may be in another folder. They are all masked.
	isUnknown bool
}

// document reads a document whose first line has an index in the file.
func (r *reader) document(text string, first int, in area) {
	document, err := values.Parse(text)
	if err != nil || document.Root() == nil || document.Root().Kind == yaml.ScalarNode {
		r.unread(text, first)
		return
	}
	lines := document.Lines()
	r.tree(document, in, func(from, to int, class diag.Class) {
		start, end := lines.Line(from), lines.Line(max(from, to-1))
		for line := start; line <= end; line++ {
			index, at := first+line-1, lines.Start(line)
			if index >= len(r.lines) {
				return
			}
			begin, stop := len(r.lines[index])-len(strings.TrimLeft(r.lines[index], " \t")), to-at
			if line == start {
				begin = max(begin, from-at)
			}
			if line < end {
				stop = len(text)
			}
			r.hide(index, begin, stop, class)
		}
	})
}

// keyLine matches a line of a mapping.
var keyLine = regexp.MustCompile(`^[\s-]*["']?([^\s:#"']+)["']?\s*[:=]`)

// unread hides the lines of a text that cannot be parsed.
func (r *reader) unread(text string, first int) {
	line, start := 0, 0
	unstructured(strings.TrimSuffix(text, "\n"), func(from, to int, class diag.Class) {
		line += strings.Count(text[start:from], "\n")
		start = strings.LastIndexByte(text[:from], '\n') + 1
		r.hide(first+line, from-start, to-start, class)
		start = from
	})
}

// unstructured hides the lines of a text without a structure: all of them, but for their
// indentation.
func unstructured(text string, hide func(from, to int, class diag.Class)) {
	lines := newLines()
	at := 0
	for line := range strings.Lines(text) {
		from := at
		at += len(line)
		line = strings.TrimSuffix(line, "\n")
		if rest := strings.TrimLeft(line, " \t"); rest != "" && rest != "---" {
			class := diag.Owned
			if lines.isSecret(line) {
				class = diag.Secret
			}
			hide(from+len(line)-len(rest), from+len(line), class)
		}
	}
}

// lines finds the lines of a text without a structure that may be secrets: the lines of a key that is named like
// a secret, or whose name is beside it, with those that are indented below it, of a PEM block, and of a secret that
// is wrapped.
//
//	tls:
//	  key: |
//	    abc
//	- name: DB_PASSWORD
//	  value: x
type lines struct {
	indent int // of the key, or -1 if there is none
	named  int // the indentation of an entry that is named like a secret, or -1 if there is none
	// isInBlock is true in a PEM block, and isInRun in lines that continue a long secret.
	isInBlock, isInRun bool
}

func newLines() lines { return lines{indent: -1, named: -1} }

// wholeRun matches a line that is a part of a long text without spaces, such as one in Base64.
var wholeRun = regexp.MustCompile(`^\s*[A-Za-z0-9+/_=-]+\s*$`)

// isSecret reports whether the next line may be a secret. It has at least one character that is no blank.
func (l *lines) isSecret(line string) bool {
	if len(line) > secret.MaxSearched {
		return true
	}
	rest := strings.TrimLeft(line, " \t")
	indentation := len(line) - len(rest)
	isEntry := strings.HasPrefix(rest, "- ")
	if indentation < l.indent || indentation == l.indent && !isEntry {
		l.indent = -1
	}
	if indentation < l.named || indentation == l.named && isEntry {
		l.named = -1
	}
	if at := keyLine.FindStringSubmatchIndex(line); at != nil && l.indent < 0 {
		switch key, text := line[at[2]:at[3]], strings.Trim(line[at[1]:], " \t\"'"); {
		case secret.IsSecretKey(key), l.named >= 0 && secret.IsValueField(key):
			l.indent = len(strings.TrimRight(line[:at[2]], `"'`))
		case secret.NamesSecret(key, text):
			l.named = indentation
		}
	}
	isLike := secret.IsLikeSecret(line) || secret.AssignsSecret(line)
	l.isInRun = wholeRun.MatchString(line) && (l.isInRun || isLike)
	l.isInBlock = l.isInBlock || strings.Contains(line, "-----BEGIN ")
	is := l.indent >= 0 || isLike || l.isInRun || l.isInBlock
	l.isInBlock = l.isInBlock && !strings.Contains(line, "-----END ")
	return is
}

// tree finds the texts of a document that not everybody may see, by their offsets.
func (r *reader) tree(d *values.Document, in area, hide func(from, to int, class diag.Class)) {
	text := d.Text()
	covered := make([]span, 0, 64)
	secrets := map[int]bool{} // the lines on which they end
	asked := map[int]bool{}   // the lines with a placeholder for a fact
	named := secret.NamedBeside(d.Root())
	shown := hide
	hide = func(from, to int, class diag.Class) {
		if class == diag.Secret {
			secrets[d.Lines().Position(to).Line] = true
		}
		shown(from, to, class)
	}
	d.Scalars(func(at []values.Step, n, parent *yaml.Node, from, to int) {
		if to < from {
			to = from + len(n.Value)
		}
		covered = append(covered, span{from, to})
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 { // the line with its indicator says nothing
			if line := strings.IndexByte(text[from:to], '\n'); line >= 0 {
				from += line + 1
			}
		}
		steps := pathOf(at)
		kind, inner := in(steps, at)
		if kind.isFact && placeholder.Is(n.Value) {
			asked[d.Lines().Position(from).Line] = true
		}
		switch {
		case inner != nil && r.embedded(d, n, inner, from, to, hide):
		case kind.isSecret:
			hide(from, to, diag.Secret)
		case isNameOf(steps, parent) && !secret.IsLikeSecret(n.Value):
		case !kind.isField:
			path := strings.TrimPrefix(strings.TrimPrefix(steps, kind.at), ".")
			known := r.context(path, named[n])
			class := known.ClassOf(n)
			if kind.isPublished && class == diag.Owned {
				class = diag.Open
			}
			// A string with several lines, or in brackets, may be a document itself. If it looks
			// like a secret, the secret is somewhere inside.
			isForm := class == diag.Owned || class == diag.Secret && !known.IsNamed()
			switch {
			case isForm && strings.ContainsAny(n.Value, "\n{[") && r.embedded(d, n, ofValues, from, to, hide):
			case isForm && n.Style == yaml.LiteralStyle:
				unstructured(text[from:to], func(a, b int, class diag.Class) { hide(from+a, from+b, class) })
			default:
				hide(from, to, class)
			}
		case secret.IsLikeSecret(n.Value), (named[n] || secret.IsSecretField(steps)) && !isFlag(n):
			hide(from, to, diag.Secret)
		}
	})
	block, last := newLines(), 0 // consecutive comment lines form a text
	for _, c := range comments(text, covered) {
		comment := text[c.from:c.to]
		words := strings.TrimLeft(comment, "# ")
		if between := text[last:c.from]; words == "" || strings.TrimSpace(between) != "" || strings.Count(between, "\n") != 1 {
			block = newLines()
		}
		last = c.to
		class := commentClass(comment)
		switch {
		case words != "" && block.isSecret(strings.TrimLeft(comment, "#")), strings.Contains(comment, hydration.Marker) && secrets[d.Lines().Position(c.from).Line]: // the source of a secret
			class = diag.Secret
		case asked[d.Lines().Position(c.from).Line], isMergeComment(text, c):
			class = diag.Open
		}
		hide(c.to-len(words), c.to, class)
	}
}

// kindName matches the name of a kind.
var kindName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// isNameOf reports whether a text is the name of an entry that has a value beside it, or of an object whose kind
// is beside it.
func isNameOf(path string, parent *yaml.Node) bool {
	if path == "name" || strings.HasSuffix(path, ".name") {
		return kindName.MatchString(values.Text(values.Field(parent, "kind"))) ||
			strings.HasSuffix(path, "].name") && (values.Field(parent, "value") != nil || values.Field(parent, "valueFrom") != nil)
	}
	return false
}

// embedded finds the texts of the documents in a scalar, and reports whether it has some. If the places
// there are not known, the scalar is as strict as the strictest of them.
func (r *reader) embedded(d *values.Document, n *yaml.Node, in area, from, to int, hide func(from, to int, class diag.Class)) bool {
	parts := piecesOf(n.Value)
	if parts == nil {
		return false
	}
	place := d.Embedded(n)
	outer := d.Lines()
	worst, isPlaced := diag.Open, true
	offset := func(p values.Position) (int, bool) {
		p, ok := place(p)
		if !ok || p.Column == 0 {
			return 0, false
		}
		return outer.Offset(p), true
	}
	for _, part := range parts {
		own := values.NewLines(part.Text)
		at := func(offset int) values.Position {
			p := own.Position(offset)
			p.Line += part.Line
			return p
		}
		hideInner := func(start, end int, class diag.Class) {
			for end > start && part.Text[end-1] == '\n' {
				end--
			}
			if class == diag.Open || start >= end {
				return
			}
			worst = max(worst, class)
			a, isStart := offset(at(start))
			b, isEnd := offset(at(end)) // what comes next, because the last character may be an escape
			if isPlaced = isPlaced && isStart && isEnd; isPlaced {
				hide(a, b, class)
			}
		}
		if part.document == nil {
			unstructured(part.Text, hideInner)
			continue
		}
		r.tree(part.document, in, hideInner)
	}
	if !isPlaced {
		hide(from, to, worst)
	}
	return true
}

// piece is a document of a text that may have several. document is nil if it cannot be parsed.
type piece struct {
	documents.Document
	document *values.Document
}

// piecesOf returns the documents of a text with several documents, such as a bundle.yaml, or nil
// if the text is not of that form.
func piecesOf(text string) (parts []piece) {
	isTree := func(d *values.Document) bool { return d.Root() != nil && d.Root().Kind != yaml.ScalarNode }
	add := func(d documents.Document) {
		document, err := values.Parse(d.Text)
		if err != nil || document.Root() != nil && !isTree(document) {
			document = nil
		}
		parts = append(parts, piece{d, document})
	}
	if whole, err := values.Parse(text); err == nil {
		if !isTree(whole) {
			return nil
		}
		return []piece{{documents.Document{Text: text}, whole}}
	}
	if !strings.Contains(text, "\n---") {
		return nil
	}
	line, end := 0, 0 // after the last document
	for _, d := range documents.Of(text) {
		start := int(d.Start)
		if d.Err != nil || start > 0 && text[start-1] != '\n' {
			return nil
		}
		add(documents.Document{Text: text[end:start], Line: line}) // comments and marks
		add(d)
		line, end = d.Line+strings.Count(d.Text, "\n"), start+d.Size
	}
	add(documents.Document{Text: text[end:], Line: line})
	if !slices.ContainsFunc(parts, func(p piece) bool { return p.document != nil && isTree(p.document) }) {
		return nil
	}
	return parts
}

// span is a part of a text.
// from and to are offsets.
type span struct{ from, to int }

// comments returns the comments in a text, which are in none of some parts.
func comments(text string, covered []span) (found []span) {
	at, line := 0, 0
	for i := 0; i < len(text); i++ {
		for at < len(covered) && covered[at].to <= i {
			at++
		}
		if at < len(covered) && i >= covered[at].from {
			i = covered[at].to - 1
			continue
		}
		switch text[i] {
		case '\n':
			line = i + 1
		case '#':
			if i > line && text[i-1] != ' ' && text[i-1] != '\t' {
				continue
			}
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				end = len(text) - i
			}
			found = append(found, span{i, i + end})
			i += end - 1
		}
	}
	return found
}

// isFlag reports whether a scalar is a boolean or null.
func isFlag(n *yaml.Node) bool { return slices.Contains([]string{"!!bool", "!!null"}, n.ShortTag()) }

// markerComment is the prefix of a comment that keeps the macro of a value.
const markerComment = "# " + hydration.Marker

// The comment after the key metadata by which kpt identifies a resource of the upstream package:
//
//	metadata: # kpt-merge: namespace/name
var (
	mergeKey     = regexp.MustCompile(`^[\s-]*metadata:`)
	mergeComment = regexp.MustCompile(`^# kpt-merge: [\w.:-]*/[\w.:-]+\s*$`)
)

// isMergeComment reports whether a comment names the resource of the upstream for a merge, which is no
// secret: `metadata: # kpt-merge: default/vault`.
func isMergeComment(text string, c span) bool {
	line := text[strings.LastIndexByte(text[:c.from], '\n')+1 : c.from]
	return mergeKey.MatchString(line) && mergeComment.MatchString(text[c.from:c.to])
}

// commentClass returns who may see a comment that is no secret. Texts in a macro are values, such as the default of
// a variable.
func commentClass(text string) diag.Class {
	if strings.HasPrefix(text, markerComment) && !strings.ContainsAny(text, "\"`") || !strings.Contains(text, ":") {
		return diag.Open
	}
	return diag.Owned
}

// pathOf prints steps, without quoting the names of keys.
func pathOf(at []values.Step) string {
	var b strings.Builder
	for _, s := range at {
		switch {
		case s.IsIndex:
			b.WriteString("[]")
		case b.Len() > 0:
			b.WriteString("." + s.Key)
		default:
			b.WriteString(s.Key)
		}
	}
	return b.String()
}
