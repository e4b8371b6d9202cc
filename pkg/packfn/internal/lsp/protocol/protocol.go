package protocol

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
)

// Position is a position in a document. Line and Character start at 0, and Character counts units of
// the encoding that was agreed with the client: UTF-16 code units, or bytes of UTF-8.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is a range in a document. End is the position after the last character.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// IsBefore reports whether a position is before another one.
func (p Position) IsBefore(other Position) bool {
	return p.Line < other.Line || p.Line == other.Line && p.Character < other.Character
}

// Location is a range in a file.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// Diagnostic is a finding as an editor shows it:
//
//	{"range": {"start": {"line": 11, "character": 6}, "end": …}, "severity": 1,
//	 "code": "values/format", "source": "packfn", "message": "registry.port must be …"}
type Diagnostic struct {
	Range    Range `json:"range"`
	Severity int   `json:"severity"`
	// Code is the id of the rule, and CodeDescription the link to its page.
	Code            string           `json:"code,omitempty"`
	CodeDescription *CodeDescription `json:"codeDescription,omitempty"`
	Source          string           `json:"source"`
	Message         string           `json:"message"`
	// Tags has [TagDeprecated] for what has no effect.
	Tags []int `json:"tags,omitempty"`
	// RelatedInformation are the other places of the finding.
	RelatedInformation []RelatedInformation `json:"relatedInformation,omitempty"`
}

// CodeDescription is the link that editors open from the code of a diagnostic.
type CodeDescription struct {
	Href string `json:"href"`
}

// RelatedInformation is another place of a diagnostic, with a text about it.
type RelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// The severities and tags of diagnostics.
const (
	SeverityError       = 1
	SeverityWarning     = 2
	SeverityInformation = 3
	SeverityHint        = 4
	TagDeprecated       = 2 // shown struck through
)

// PublishDiagnostics are the parameters of textDocument/publishDiagnostics, which replace all
// diagnostics of a file.
type PublishDiagnostics struct {
	URI string `json:"uri"`
	// Version is the version of the buffer that was checked, or nil if the file is not open.
	Version     *int         `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// TextEdit replaces a range by a text.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// WorkspaceEdit has the edits of several files, by their URIs.
type WorkspaceEdit struct {
	Changes map[string][]TextEdit `json:"changes"`
}

// CodeAction is an edit that an editor offers, such as a quick fix.
type CodeAction struct {
	// Title is what the menu shows, and Kind the kind of the action, such as `quickfix`.
	Title string `json:"title"`
	Kind  string `json:"kind"`
	// Diagnostics are the diagnostics that the action resolves.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	// IsPreferred is true if the edit is certain. Editors apply such an action with one key.
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        WorkspaceEdit `json:"edit"`
	// Command is executed after the edit.
	Command *Command `json:"command,omitempty"`
}

// Command is a command that the client sends back to the server.
type Command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

// InitializeParams are the parameters of initialize that the server reads. Older clients send RootPath
// or RootURI in place of WorkspaceFolders.
type InitializeParams struct {
	RootPath              string
	RootURI               string
	WorkspaceFolders      []struct{ URI string }
	InitializationOptions json.RawMessage
	Capabilities          struct {
		General   struct{ PositionEncodings []string }
		Window    struct{ ShowDocument struct{ Support bool } }
		Workspace struct {
			DidChangeWatchedFiles struct{ DynamicRegistration bool }
		}
	}
}

// HintOptions are the options of the client for inlay hints. By default there are no hints:
//
//	"inlayHints": {"default": true, "effective": true}
type HintOptions struct {
	// Default shows the pack's own value next to an override. Effective shows the value in use
	// next to a value that is overridden.
	Default   bool `json:"default"`
	Effective bool `json:"effective"`
}

// Hints returns the options for inlay hints. Clients without options send null or [].
func (p *InitializeParams) Hints() HintOptions {
	var options struct {
		InlayHints HintOptions `json:"inlayHints"`
	}
	if json.Unmarshal(p.InitializationOptions, &options) != nil {
		return HintOptions{}
	}
	return options.InlayHints
}

// DocumentParams is the union of the parameters of all requests and notifications about a
// document.
type DocumentParams struct {
	TextDocument struct {
		URI     string
		Version int
		Text    string
	}
	Position       Position
	Range          Range
	ContentChanges []struct {
		Range *Range
		Text  string
	}
	Context struct {
		// Only lists the kinds of code actions that the client requests. Empty means all kinds.
		Only               []string
		IncludeDeclaration bool
	}
}

// WatchedFilesParams are the parameters of workspace/didChangeWatchedFiles.
type WatchedFilesParams struct {
	Changes []struct{ URI string } `json:"changes"`
}

// CancelParams are the parameters of $/cancelRequest.
type CancelParams struct {
	// ID is a number or a quoted string.
	ID json.RawMessage `json:"id"`
}

// Hover is the answer to textDocument/hover: a text, and the range that it explains.
type Hover struct {
	Contents MarkupContent `json:"contents"`
	Range    *Range        `json:"range,omitempty"`
}

// MarkupContent is a text with its format: Kind is `markdown`.
type MarkupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// The kinds of completions.
const (
	CompletionFunction = 3
	CompletionField    = 5
	CompletionVariable = 6
	CompletionModule   = 9
	CompletionValue    = 12
	CompletionEnum     = 20
)

// CompletionItem is an entry of a completion list.
type CompletionItem struct {
	// Label is the text that the list shows, and Kind one of the completion constants.
	Label string `json:"label"`
	Kind  int    `json:"kind"`
	// Detail is shown beside the label, such as `integer, required`.
	Detail string `json:"detail,omitempty"`
	// Documentation is shown for the selected entry.
	Documentation *MarkupContent `json:"documentation,omitempty"`
	// TextEdit replaces the word at the position.
	TextEdit TextEdit `json:"textEdit"`
}

// CompletionList is the answer to textDocument/completion.
type CompletionList struct {
	// IsIncomplete is true if there are more entries: the client asks again when more is typed.
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// DocumentLink is a range of a text that a client opens as a link.
type DocumentLink struct {
	Range Range `json:"range"`
	// Target is a URI: of a file, or of the page of a rule.
	Target string `json:"target"`
}

// FoldingRange is a range of lines that an editor can fold.
type FoldingRange struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

// InlayHint is a text that an editor shows in a line without being part of it.
type InlayHint struct {
	// Position is where the text is shown.
	Position Position `json:"position"`
	// Label is the text, such as `→ 3 (PackValues site)`.
	Label       string `json:"label"`
	PaddingLeft bool   `json:"paddingLeft"`
}

// PathOf returns the path of a file: URI, or "" for other URIs and for the root directory.
func PathOf(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil || parsed.Scheme != "file" || !strings.HasPrefix(parsed.Path, "/") {
		return ""
	}
	path := filepath.FromSlash(parsed.Path)
	if len(path) > 2 && path[0] == '\\' && path[2] == ':' { // \C:\dir
		path = path[1:]
	}
	if path = filepath.Clean(path); path == filepath.Dir(path) {
		return "" // the root is not a file
	}
	return path
}

// URIOf returns the URI of a file.
func URIOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
