package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Recorded sessions: testdata/*.txt. A file has requests with their answers, then the files of
// the workspace, each behind a line `-- NAME --`. A line that begins with two spaces is an
// answer, with a point for an empty one; UPDATE=1 writes them. Empty lines and comments stay. The other lines are:
//
//	start JSON              the parameters of initialize; without it a client without abilities
//	open NAME [crlf]        the client opens a file, with other ends of lines
//	close NAME              the client closes it
//	edit NAME "OLD" "NEW"   replaces a text that is in the buffer once
//	write NAME "OLD" "NEW"  does so in the file on disk, of which the client is told
//	diagnostics             shows all diagnostics
//	text NAME               shows the buffer
//	apply NAME "LABEL"      applies an answer of the last request, by its label or title, and shows what it changes
//	METHOD NAME ["PLACE"] [JSON] [only "TEXT"]   a request; shows only the entries with a text
//
// Texts are quoted as in Go. The place of a request is a text that is in the buffer once, with
// ‸ at the position, or two for a range. A request without one has the range of all the text.
// JSON are more parameters.
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
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
	*client
	buffers map[string]*buffer
	version int
	last    json.RawMessage
}

// play returns a session with the answers of this server.
func play(t *testing.T, text string) string {
	head, files := text, map[string]string{}
	if i := strings.Index(text, "\n-- "); i >= 0 {
		head = text[:i+1]
		for _, part := range strings.Split(text[i:], "\n-- ")[1:] {
			name, content, _ := strings.Cut(part, " --\n")
			files[name] = strings.TrimSuffix(content, "\n") + "\n"
		}
	}
	s := &session{client: launch(t, files), buffers: map[string]*buffer{}}
	s.isBroken = true
	var out strings.Builder
	defer func() {
		if t.Failed() {
			t.Logf("up to the failure:\n%s", &out)
		}
	}()
	started := false
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
		if !started {
			started = true
			params := map[string]any{}
			if command == "start" {
				s.parse(rest, &params)
			}
			var result json.RawMessage
			s.initialize(params, &result)
		}
		for line := range strings.Lines(s.do(files, command, rest)) {
			if line = strings.TrimRight(line, " \n"); line == "" {
				line = "."
			}
			out.WriteString("  " + line + "\n")
		}
	}
	return out.String() + text[len(head):]
}

func (s *session) parse(text string, into any) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
}

// do runs a line, and returns what it shows.
func (s *session) do(files map[string]string, command, rest string) string {
	s.t.Helper()
	name, rest, _ := strings.Cut(rest, " ")
	switch command {
	case "start":
		return ""
	case "open":
		text := files[name]
		if rest == "crlf" {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		s.buffers[name] = newBuffer(text, s.server.encoding)
		s.open(name, text)
		return ""
	case "close":
		delete(s.buffers, name)
		s.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": s.uri(name)}})
		return ""
	case "edit":
		args := s.texts(&rest)
		from := s.find(name, args[0])
		b := s.buffers[name]
		s.replace(name, textEdit{span{b.place(from), b.place(from + len(args[0]))}, args[1]})
		return ""
	case "write":
		args := s.texts(&rest)
		path := filepath.Join(s.dir, name)
		text := strings.Replace(read(s.t, path), args[0], args[1], 1)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			s.t.Fatal(err)
		}
		s.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": s.uri(name)}}})
		return ""
	case "diagnostics":
		return strings.Join(s.diagnostics(), "\n")
	case "text":
		return s.buffers[name].text
	case "apply":
		return s.apply(name, s.texts(&rest)[0])
	}
	return s.request(command, name, rest)
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
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return newBuffer(string(text), s.server.encoding)
}

func (s *session) replace(name string, e textEdit) {
	s.t.Helper()
	s.version++
	s.change(name, s.version, map[string]any{"range": e.Range, "text": e.NewText})
	s.buffers[name] = s.buffers[name].change(&e.Range, e.NewText)
}

const mark = "‸"

// request returns the answer to a request, when nothing is left to be checked.
func (s *session) request(method, name, rest string) string {
	s.t.Helper()
	s.settle()
	params := map[string]any{}
	if name != "-" {
		b := s.bufferOf(name)
		params["textDocument"] = map[string]any{"uri": s.uri(name)}
		params["range"] = span{b.place(0), b.place(len(b.text))}
		if place := s.texts(&rest); len(place) > 0 {
			before, after, _ := strings.Cut(place[0], mark)
			between, after, isRange := strings.Cut(after, mark)
			if !isRange {
				between, after = "", between
			}
			from := s.find(name, before+between+after) + len(before)
			params["position"] = b.place(from)
			params["range"] = span{b.place(from), b.place(from + len(between))}
		}
	}
	rest, only, _ := strings.Cut(strings.TrimSpace(rest), "only ")
	if rest = strings.TrimSpace(rest); rest != "" {
		more := map[string]any{}
		s.parse(rest, &more)
		maps.Copy(params, more)
	}
	answer := s.ask(method, params)
	s.last = answer.Result
	if answer.Error != nil {
		return "error: " + answer.Error.Message
	}
	if method == "textDocument/documentSymbol" {
		return s.outline(answer.Result)
	}
	shown := s.shown(answer.Result)
	if text := s.texts(&only); len(text) > 0 {
		lines := slices.DeleteFunc(strings.SplitAfter(shown, "\n"), func(line string) bool { return !strings.Contains(line, text[0]) })
		return strings.Join(lines, "")
	}
	return shown
}

// shown returns an answer: the text of a hover as it is, and each entry of a list in a line.
func (s *session) shown(answer json.RawMessage) string {
	s.t.Helper()
	answer = bytes.ReplaceAll(answer, []byte(uriOf(s.dir)), []byte("file:///DIR"))
	answer = bytes.ReplaceAll(answer, []byte(s.dir), []byte("DIR"))
	var h hover
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

func lineOf(s *span) string {
	if s == nil {
		return "no range"
	}
	return fmt.Sprintf("%d:%d-%d:%d", s.Start.Line, s.Start.Character, s.End.Line, s.End.Character)
}

// apply applies an answer of the last request, and returns the lines that it changes.
func (s *session) apply(name, label string) string {
	s.t.Helper()
	type answer struct {
		Label, Title string
		TextEdit     *textEdit
		Edit         *workspaceEdit
	}
	var all []answer
	var list struct{ Items []answer }
	if json.Unmarshal(s.last, &all) != nil {
		s.parse(string(s.last), &list)
		all = list.Items
	}
	for _, one := range all {
		if one.Label != label && one.Title != label {
			continue
		}
		before := s.buffers[name]
		var edits []textEdit
		if one.TextEdit != nil {
			edits = append(edits, *one.TextEdit)
		}
		if one.Edit != nil {
			edits = append(edits, one.Edit.Changes[s.uri(name)]...)
		}
		for i := len(edits) - 1; i >= 0; i-- {
			s.replace(name, edits[i])
		}
		return changedLines(before, s.buffers[name])
	}
	s.t.Fatalf("the answer has no %q: %s", label, s.last)
	return ""
}

// changedLines shows the lines that an edit removes and adds, ends of lines included.
func changedLines(before, after *buffer) string {
	a, b := strings.SplitAfter(before.text, "\n"), strings.SplitAfter(after.text, "\n")
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
