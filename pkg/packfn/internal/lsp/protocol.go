package lsp

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
)

// The types of the protocol, with the fields that are used. See the specification of LSP 3.17.

// position is a position in a document. Line and Character start at 0, and Character counts units of
// the encoding that was agreed with the client: UTF-16 code units, or bytes of UTF-8.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is a range in a document, called Range in the protocol. End is the position after the last
// character.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// location is a range in a file.
type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

// diagnostic is a finding as an editor shows it:
//
//	{"range": {"start": {"line": 11, "character": 6}, "end": …}, "severity": 1,
//	 "code": "values/format", "source": "packfn", "message": "registry.port must be …"}
type diagnostic struct {
	Range    span `json:"range"`
	Severity int  `json:"severity"`
	// Code is the id of the rule, and CodeDescription the link to its page.
	Code            string           `json:"code,omitempty"`
	CodeDescription *codeDescription `json:"codeDescription,omitempty"`
	Source          string           `json:"source"`
	Message         string           `json:"message"`
	// Tags has tagDeprecated for what has no effect.
	Tags []int `json:"tags,omitempty"`
	// RelatedInformation are the other places of the finding.
	RelatedInformation []related `json:"relatedInformation,omitempty"`
}

// codeDescription is the link that editors open from the code of a diagnostic.
type codeDescription struct {
	Href string `json:"href"`
}

// related is another place of a diagnostic, with a text about it.
type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

// The severities and tags of diagnostics.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
	severityHint        = 4
	tagDeprecated       = 2 // shown struck through
)

// publishDiagnostics are the parameters of textDocument/publishDiagnostics, which replace all
// diagnostics of a file.
type publishDiagnostics struct {
	URI string `json:"uri"`
	// Version is the version of the buffer that was checked, or nil if the file is not open.
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// textEdit replaces a range by a text.
type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// workspaceEdit has the edits of several files, by their URIs.
type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

// codeAction is an edit that an editor offers, such as a quick fix.
type codeAction struct {
	// Title is what the menu shows, and Kind one of the constants in action.go.
	Title string `json:"title"`
	Kind  string `json:"kind"`
	// Diagnostics are the diagnostics that the action resolves.
	Diagnostics []diagnostic `json:"diagnostics,omitempty"`
	// IsPreferred is true if the edit is certain. Editors apply such an action with one key.
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
	// Command is executed after the edit.
	Command *command `json:"command,omitempty"`
}

// command is a command that the client sends back to the server.
type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

// initializeParams are the parameters of initialize that the server reads. Older clients send RootPath
// or RootURI in place of WorkspaceFolders.
type initializeParams struct {
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

// documentParams is the union of the parameters of all requests and notifications about a
// document.
type documentParams struct {
	TextDocument struct {
		URI     string
		Version int
		Text    string
	}
	Position       position
	Range          span
	ContentChanges []struct {
		Range *span
		Text  string
	}
	Context struct {
		// Only lists the kinds of code actions that the client requests. Empty means all kinds.
		Only               []string
		IncludeDeclaration bool
	}
}

// watchedFilesParams are the parameters of workspace/didChangeWatchedFiles.
type watchedFilesParams struct {
	Changes []struct{ URI string } `json:"changes"`
}

// cancelParams are the parameters of $/cancelRequest.
type cancelParams struct {
	// ID is a number or a quoted string.
	ID json.RawMessage `json:"id"`
}

// hover is the answer to textDocument/hover: a text, and the range that it explains.
type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

// markup is a text with its format: Kind is `markdown`.
type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// pathOf returns the path of a file: URI, or "" for other URIs and for the root directory.
func pathOf(uri string) string {
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

// uriOf returns the URI of a file.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
