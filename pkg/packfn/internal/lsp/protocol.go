package lsp

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
)

// The types of the protocol, with the fields that are used. See the specification of LSP 3.17.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type diagnostic struct {
	Range              span             `json:"range"`
	Severity           int              `json:"severity"`
	Code               string           `json:"code,omitempty"`
	CodeDescription    *codeDescription `json:"codeDescription,omitempty"`
	Source             string           `json:"source"`
	Message            string           `json:"message"`
	Tags               []int            `json:"tags,omitempty"`
	RelatedInformation []related        `json:"relatedInformation,omitempty"`
}

type codeDescription struct {
	Href string `json:"href"`
}

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

type publishDiagnostics struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
	// Command is executed after the edit.
	Command *command `json:"command,omitempty"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

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

type watchedFilesParams struct {
	Changes []struct{ URI string } `json:"changes"`
}

type cancelParams struct {
	// ID is a number or a quoted string.
	ID json.RawMessage `json:"id"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

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
