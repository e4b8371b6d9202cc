package packfn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/tests/editor"
)

// Recorded sessions: testdata/session/*.txt. A file has requests with their answers, then the files of
// the workspace, each behind a line `-- NAME --`, or for a link `-- NAME -> TARGET --`. A line that begins with two spaces is an
// answer, with a point for an empty one; UPDATE=1 writes them. Empty lines and comments stay. The other lines are:
//
//	start JSON              the parameters of initialize; without it a client without abilities. Another one starts another server
//	open NAME [crlf]        the client opens a file, with other ends of lines
//	close NAME              the client closes it
//	save NAME               the client says that it has saved it
//	edit NAME "OLD" "NEW"   replaces a text that is in the buffer once
//	write NAME "OLD" "NEW"  does so in the file on disk, and the client tells the server
//	diagnostics             shows all diagnostics
//	text NAME               shows the buffer
//	apply NAME "LABEL"      applies an answer of the last request, by its label or title, and shows what it changes
//	told METHOD             shows what the server sends next with a method
//	notify METHOD JSON      the client sends what has no answer
//	METHOD NAME ["PLACE"] [JSON] [only "TEXT"]   a request; shows only the entries with a text
//	about NAME ["PLACE"]    all requests about a file; shows the answers that are not empty
//
// Texts are quoted as in Go. The place of a request is a text that is in the buffer once, with
// ‸ at the position, or two for a range. A request without one has the range of all the text.
// JSON are more parameters, in which DIR is the folder. A name can be a URI, and - stands for none.
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/session/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no sessions", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			if os.Getenv("UPDATE") != "" && !t.Failed() {
				if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got, UPDATE=1 writes it:\n%s", diff)
			}
		})
	}
}

// session is a client with the texts of its buffers, which is what it would show.
type session struct {
	*editor.Client
	t       *testing.T
	dir     string
	files   map[string]string
	buffers map[string]*buffer
	isUTF8  bool
	version int
	last    json.RawMessage
}

// play returns a session with the answers of this server.
func play(t *testing.T, text string) string {
	head, files := text, ""
	if i := strings.Index(text, "\n-- "); i >= 0 {
		head, files = text[:i+1], text[i:]
	}
	s := newSession(t, map[string]string{})
	for _, part := range strings.Split(files, "\n-- ")[1:] {
		name, content, _ := strings.Cut(part, " --")
		if name, target, isLink := strings.Cut(name, " -> "); isLink {
			if err := os.Symlink(target, filepath.Join(s.dir, name)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		s.files[name] = strings.Trim(content, "\n") + "\n"
		write(t, filepath.Join(s.dir, name), s.files[name])
	}
	var out strings.Builder
	defer func() {
		if t.Failed() {
			t.Logf("up to the failure:\n%s", &out)
		}
	}()
	for line := range strings.Lines(head) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		out.WriteString(line)
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		command, rest, _ := strings.Cut(line, " ")
		if s.Client == nil && command != "start" {
			s.start("{}")
		}
		for line := range strings.Lines(s.do(command, rest)) {
			if line = strings.TrimRight(line, " \n"); line == "" {
				line = "."
			}
			out.WriteString("  " + line + "\n")
		}
	}
	return out.String() + text[len(head):]
}

// newSession makes a folder with files, for a server that is not started.
func newSession(t *testing.T, files map[string]string) *session {
	t.Helper()
	s := &session{t: t, dir: t.TempDir(), files: files, buffers: map[string]*buffer{}}
	for name, text := range files {
		write(t, filepath.Join(s.dir, name), text)
	}
	return s
}

// start starts a server with parameters.
func (s *session) start(params string) {
	s.t.Helper()
	s.Client, s.buffers = serveLSP(s.t, suiteProgram()), map[string]*buffer{}
	var result struct {
		Capabilities struct{ PositionEncoding string }
	}
	s.must(s.Introduce(s.dir, s.parameters(params), &result))
	s.isUTF8 = result.Capabilities.PositionEncoding == "utf-8"
}

func (s *session) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// parameters are those of a text.
func (s *session) parameters(text string) (params map[string]any) {
	s.t.Helper()
	s.must(json.Unmarshal([]byte(strings.ReplaceAll(text, "DIR", s.dir)), &params))
	return params
}

// uri is that of a file, or of a name that is one.
func (s *session) uri(name string) string {
	if strings.Contains(name, ":") {
		return strings.ReplaceAll(name, "DIR", s.dir)
	}
	return s.URI(name)
}

// document are the parameters of what is about a file.
func (s *session) document(name string, more map[string]any) map[string]any {
	document := map[string]any{"uri": s.uri(name)}
	maps.Copy(document, more)
	return map[string]any{"textDocument": document}
}

// do runs a line, and returns what it shows.
func (s *session) do(command, rest string) string {
	s.t.Helper()
	name, rest, _ := strings.Cut(rest, " ")
	switch command {
	case "start":
		s.start(name + " " + rest)
	case "open":
		text := s.files[name]
		if rest == "crlf" {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		s.open(name, text)
	case "close":
		delete(s.buffers, name)
		s.must(s.Notify("textDocument/didClose", s.document(name, nil)))
	case "save":
		s.must(s.Notify("textDocument/didSave", s.document(name, nil)))
	case "notify":
		s.must(s.Notify(name, s.parameters(rest)))
	case "edit":
		args := s.texts(&rest)
		from := s.find(name, args[0])
		b := s.buffers[name]
		s.replace(name, textEdit{editor.Span{Start: b.place(from), End: b.place(from + len(args[0]))}, args[1]})
	case "write":
		args := s.texts(&rest)
		path := filepath.Join(s.dir, name)
		text, err := os.ReadFile(path)
		s.must(err)
		write(s.t, path, strings.Replace(string(text), args[0], args[1], 1))
		s.must(s.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": s.uri(name)}}}))
	case "diagnostics":
		return strings.Join(s.diagnostics(), "\n")
	case "text":
		return s.buffers[name].text
	case "apply":
		return s.apply(name, s.texts(&rest)[0])
	case "told":
		s.must(s.Until(func() bool { return len(s.Told[name]) > 0 }))
		told := s.Told[name][0]
		s.Told[name] = s.Told[name][1:]
		return s.shown(told)
	case "about":
		return s.about(name, rest)
	default:
		return s.request(command, name, rest)
	}
	return ""
}

// open opens a file with a text.
func (s *session) open(name, text string) {
	s.t.Helper()
	s.buffers[name] = &buffer{text, s.isUTF8}
	s.must(s.Notify("textDocument/didOpen", s.document(name, map[string]any{"version": 1, "text": text})))
}

// settle waits until nothing is left to be checked, which requests for actions in the workspace do.
func (s *session) settle() {
	s.t.Helper()
	folders := map[string]bool{".": true}
	for name := range s.files {
		folder, _, _ := strings.Cut(name, "/")
		folders[folder] = true
	}
	for folder := range folders {
		s.must(s.Call("textDocument/codeAction", s.document(path.Join(folder, "none"), nil), nil))
	}
}

// diagnostics are those of all files, when nothing is left to be checked: `platform/a.yaml
// 2:4-2:9 1 rule`.
func (s *session) diagnostics() []string {
	s.t.Helper()
	s.settle()
	lines := []string{}
	for name, all := range s.Diagnostics {
		for _, d := range all {
			lines = append(lines, fmt.Sprintf("%s %s %d %s", name, lineOf(&d.Range), d.Severity, d.Code)+strings.Repeat(" deprecated", len(d.Tags)))
		}
	}
	slices.Sort(lines)
	return lines
}

// texts reads quoted texts.
func (s *session) texts(from *string) (all []string) {
	s.t.Helper()
	for {
		quoted, err := strconv.QuotedPrefix(strings.TrimSpace(*from))
		if err != nil {
			return all
		}
		*from = strings.TrimSpace(*from)[len(quoted):]
		text, _ := strconv.Unquote(quoted)
		all = append(all, text)
	}
}

// find returns the offset of a text that is in a buffer once.
func (s *session) find(name, text string) int {
	s.t.Helper()
	of := s.bufferOf(name).text
	if strings.Count(of, text) != 1 {
		s.t.Fatalf("%s has %q %d times", name, text, strings.Count(of, text))
	}
	return strings.Index(of, text)
}

// bufferOf returns a buffer, or the text of a file that is not open.
func (s *session) bufferOf(name string) *buffer {
	s.t.Helper()
	if s.buffers[name] != nil {
		return s.buffers[name]
	}
	if strings.Contains(name, ":") { // a URI that is no file of the session
		return &buffer{}
	}
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	s.must(err)
	return &buffer{string(text), s.isUTF8}
}

type textEdit struct {
	Range   editor.Span `json:"range"`
	NewText string      `json:"text"`
}

func (s *session) replace(name string, e textEdit) {
	s.t.Helper()
	s.version++
	s.must(s.Notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": s.uri(name), "version": s.version}, "contentChanges": []textEdit{e},
	}))
	s.buffers[name] = s.buffers[name].change(e)
}

const mark = "‸"

// request returns the answer to a request, when nothing is left to be checked.
func (s *session) request(method, name, rest string) string {
	s.t.Helper()
	s.settle()
	params := map[string]any{}
	if name != "-" {
		b := s.bufferOf(name)
		params = s.document(name, nil)
		params["range"], params["position"] = editor.Span{End: b.place(len(b.text))}, editor.Position{}
		if place := s.texts(&rest); len(place) > 0 {
			before, after, _ := strings.Cut(place[0], mark)
			between, after, isRange := strings.Cut(after, mark)
			if !isRange {
				between, after = "", between
			}
			from := s.find(name, before+between+after) + len(before)
			params["position"] = b.place(from)
			params["range"] = editor.Span{Start: b.place(from), End: b.place(from + len(between))}
		}
	}
	rest, only, _ := strings.Cut(strings.TrimSpace(rest), "only ")
	if rest = strings.TrimSpace(rest); rest != "" {
		maps.Copy(params, s.parameters(rest))
	}
	s.last = nil
	err := s.Call(method, params, &s.last)
	var answer *editor.Error
	if errors.As(err, &answer) {
		return "error: " + answer.Message
	}
	s.must(err)
	if method == "textDocument/documentSymbol" {
		var all []symbol
		s.must(json.Unmarshal(s.last, &all))
		return outline(all, "")
	}
	shown := s.shown(s.last)
	if text := s.texts(&only); len(text) > 0 {
		lines := slices.DeleteFunc(strings.SplitAfter(shown, "\n"), func(line string) bool { return !strings.Contains(line, text[0]) })
		return strings.Join(lines, "")
	}
	return shown
}

// aboutFiles are the requests about a file.
var aboutFiles = []string{"documentSymbol", "foldingRange", "documentLink", "inlayHint", "codeAction", "hover", "completion", "definition", "references"}

// about shows the answers to all requests about a file that are not empty.
func (s *session) about(name, rest string) string {
	s.t.Helper()
	var out strings.Builder
	for _, method := range aboutFiles {
		answer := s.request("textDocument/"+method, name, rest)
		if !slices.Contains([]string{"", "[]", "null", `{"isIncomplete":false,"items":[]}`}, answer) {
			fmt.Fprintf(&out, "%s:\n%s\n", method, strings.TrimSuffix(answer, "\n"))
		}
	}
	return out.String()
}

// shown returns an answer: the text of a hover as it is, and each entry of a list in a line.
func (s *session) shown(answer json.RawMessage) string {
	s.t.Helper()
	answer = bytes.ReplaceAll(answer, []byte(s.dir), []byte("/DIR"))
	answer = bytes.ReplaceAll(answer, []byte("file:////DIR"), []byte("file:///DIR"))
	var h struct {
		Range    *editor.Span
		Contents struct{ Value string }
	}
	if json.Unmarshal(answer, &h) == nil && h.Contents.Value != "" {
		return fmt.Sprintf("%s\n%s", lineOf(h.Range), h.Contents.Value)
	}
	var all []json.RawMessage
	var list struct{ Items []json.RawMessage }
	if json.Unmarshal(answer, &all) != nil && json.Unmarshal(answer, &list) == nil {
		all = list.Items
	}
	if len(all) == 0 {
		return string(answer)
	}
	var out strings.Builder
	for _, one := range all {
		fmt.Fprintf(&out, "%s\n", one)
	}
	return out.String()
}

type symbol struct {
	Name                  string
	Kind                  int
	Range, SelectionRange editor.Span
	Children              []symbol
}

// outline shows symbols as lines: name, kind, their range and that of the name.
func outline(all []symbol, indent string) (lines string) {
	for _, of := range all {
		lines += fmt.Sprintf("%s%s %d %s %s\n", indent, of.Name, of.Kind, lineOf(&of.Range), lineOf(&of.SelectionRange)) + outline(of.Children, indent+"  ")
	}
	return lines
}

func lineOf(s *editor.Span) string {
	if s == nil {
		return "no range"
	}
	return fmt.Sprintf("%d:%d-%d:%d", s.Start.Line, s.Start.Character, s.End.Line, s.End.Character)
}

// answer is a completion or an action.
type answer struct {
	Label, Title string
	TextEdit     *newText
	Edit         struct{ Changes map[string][]newText }
}

type newText struct {
	Range   editor.Span
	NewText string
}

// apply applies an answer of the last request, and returns the lines that it changes.
func (s *session) apply(name, label string) string {
	s.t.Helper()
	var all []answer
	var list struct{ Items []answer }
	if json.Unmarshal(s.last, &all) != nil {
		s.must(json.Unmarshal(s.last, &list))
		all = list.Items
	}
	for _, one := range all {
		if one.Label != label && one.Title != label {
			continue
		}
		before := s.buffers[name]
		edits := one.Edit.Changes[s.uri(name)]
		if one.TextEdit != nil {
			edits = append(edits, *one.TextEdit)
		}
		for _, e := range slices.Backward(edits) {
			s.replace(name, textEdit(e))
		}
		return changedLines(before.text, s.buffers[name].text)
	}
	s.t.Fatalf("the answer has no %q: %s", label, s.last)
	return ""
}

// changedLines shows the lines that an edit removes and adds, ends of lines included.
func changedLines(before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	end := 0
	for end < min(len(a), len(b))-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var out strings.Builder
	for _, line := range a[from : len(a)-end] {
		fmt.Fprintf(&out, "- %q\n", line)
	}
	for _, line := range b[from : len(b)-end] {
		fmt.Fprintf(&out, "+ %q\n", line)
	}
	return out.String()
}

// buffer is a text with the places of an encoding. Its lines end with \n or \r\n.
type buffer struct {
	text   string
	isUTF8 bool
}

// width is that of a character in the encoding.
func (b *buffer) width(c rune) int {
	switch {
	case b.isUTF8:
		return utf8.RuneLen(c)
	case c > 0xffff:
		return 2
	}
	return 1
}

// place returns the place of an offset.
func (b *buffer) place(offset int) (at editor.Position) {
	for _, c := range b.text[:offset] {
		if at.Character += b.width(c); c == '\n' {
			at = editor.Position{Line: at.Line + 1}
		}
	}
	return at
}

// offset returns the offset of a place.
func (b *buffer) offset(at editor.Position) int {
	var here editor.Position
	for i, c := range b.text {
		if here == at {
			return i
		}
		if here.Character += b.width(c); c == '\n' {
			here = editor.Position{Line: here.Line + 1}
		}
	}
	return len(b.text)
}

func (b *buffer) change(e textEdit) *buffer {
	return &buffer{b.text[:b.offset(e.Range.Start)] + e.NewText + b.text[b.offset(e.Range.End):], b.isUTF8}
}
