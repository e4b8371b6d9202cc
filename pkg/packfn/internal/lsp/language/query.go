package language

import (
	"io/fs"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
)

// Workspace is the files as an editor has them.
type Workspace interface {
	// Text returns the current text of a file: of its buffer, or else the text on disk.
	Text(path string) *protocol.Buffer
	// Buffer returns a text with the positions of the client.
	Buffer(text string) *protocol.Buffer
	// Folder returns the folder of the workspace that contains a file, or "" if there is none.
	Folder(path string) string
}

// Language answers queries. It has what is the same for all packages.
type Language struct {
	workspace Workspace
	// functions are the functions of the suite.
	functions []function.Function
	// forms are the schemas of kinds, and charts the state of charts, by path.
	forms  forms
	charts map[string]*chartState
}

// New returns a Language for a workspace, with the functions of the suite, and the JSON Schemas of kinds and
// documents.
func New(workspace Workspace, functions []function.Function, schemas fs.FS) *Language {
	return &Language{workspace: workspace, functions: functions, forms: forms{files: schemas, read: map[string]*form{}}, charts: map[string]*chartState{}}
}

// Query is a question about a position in a file.
type Query struct {
	*Language
	// snapshot is the parsed package, and site the position.
	snapshot *Snapshot
	site     *site
	// pack is the pack that the document belongs to, or nil if there is none.
	pack *pack.Pack
}

// At returns a query about a position in a file of a package, whose values may be layers of releases.
func (l *Language) At(k *Snapshot, releases []*check.Released, path string, at protocol.Position) *Query {
	b := l.workspace.Text(path)
	c := &Query{Language: l, snapshot: k, site: siteOf(path, b, b.Offset(at), layersIn(releases, path))}
	c.pack = c.site.packOf(k)
	return c
}
