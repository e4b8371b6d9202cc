package lsp

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/outline"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
)

// Options configure the server.
type Options struct {
	// Functions are the functions of the suite.
	Functions []function.Function
	// Check returns the options of the checks for a workspace folder, including its
	// configuration. The fields Root, Replace, Note and Progress are ignored.
	Check func(folder string) (check.Options, error)
	// Schemas contains the JSON Schemas of kinds and documents.
	Schemas fs.FS
	// Version is the version of packfn.
	Version string
	// RulePage returns the URL of the page about a rule.
	RulePage func(id string) string
}

// Server is a language server for one client.
type Server struct {
	// options are the options of the server.
	options Options
	// rpc calls the methods and sends notifications.
	rpc *jrpc2.Server
	// encoding is the encoding of positions, which initialize agrees with the client.
	encoding string
	// isDown is true after the request shutdown. exit is closed by the notification exit.
	isDown atomic.Bool
	// watches is true if the client can report changes that other programs make to files.
	watches bool
	// ctx is cancelled when the server ends.
	ctx  context.Context
	exit chan struct{}

	// mu guards all that follows, and known and buffers while a method runs.
	mu sync.Mutex
	// folders are the folders of the workspace, and buffers the open files by path.
	folders []string
	buffers map[string]*open
	// published are the files with diagnostics.
	published map[string]bool
	// found are the results of the last runs, by the path of the unit.
	found map[string]*result
	// released are the releases that the last runs have checked, by the path of the unit, and charts the
	// state of their charts, by path. facts keeps what charts read from one run to the next.
	released map[string][]*check.Released
	charts   map[string]*knownChart
	facts    chart.Store
	// known caches the parsed state of packages by folder. forms are the schemas of kinds.
	known map[string]*known
	forms forms
	// disk counts the changes of files on disk that the client has reported.
	disk int
	// dirty are the units to check; the value is true to check everything in the folder. wake
	// wakes the worker.
	dirty map[string]bool
	wake  chan struct{}
	// idle is signalled when busy, which is true during a run, becomes false.
	idle *sync.Cond
	busy bool
	// saved are the units with saved files, whose charts are rendered. This has a worker of its
	// own, because it takes long.
	saved     map[string]bool
	wakeSaved chan struct{}
	// inlay are the hints that the client asked for.
	inlay inlayOptions
	// showsDocuments is true if the client supports window/showDocument, which selects a text.
	showsDocuments bool
	// ended is true once no more runs will happen.
	ended bool
}

// open is an open file.
type open struct {
	*protocol.Buffer
	// version is the number that the client gave the text.
	version int
}

// New returns a server.
func New(options Options) *Server {
	s := &Server{
		options: options, encoding: protocol.UTF16, buffers: map[string]*open{}, published: map[string]bool{},
		found: map[string]*result{}, released: map[string][]*check.Released{}, forms: forms{files: options.Schemas, read: map[string]*form{}}, dirty: map[string]bool{}, saved: map[string]bool{},
		exit: make(chan struct{}), wake: make(chan struct{}, 1), wakeSaved: make(chan struct{}, 1),
	}
	s.idle = sync.NewCond(&s.mu)
	return s
}

// Serve answers a client until the client closes the connection. It does not wait for running
// checks, because they only read files.
func (s *Server) Serve(in io.Reader, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.ctx = ctx
	// jrpc2 completes a notification before it starts the next message, so an edit is visible to
	// all messages after it, and a waiting request can be cancelled. The concurrency is
	// unlimited, because jrpc2 would answer cancelled requests in its own queue with its own
	// error code. Here all requests wait for the lock.
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{AllowPush: true, Concurrency: math.MaxInt32, DisableBuiltin: true, NewContext: func() context.Context { return ctx }})
	client := protocol.NewFrames(in, out)
	s.rpc.Start(client)
	go s.work()
	rendered := make(chan struct{})
	go func() {
		defer close(rendered)
		s.workSaved()
	}()
	err := io.EOF
	select {
	case err = <-client.Ended:
	case <-s.exit: // a client may keep its end open
	}
	cancel()
	<-rendered // wait for the process that renders charts
	switch {
	case err != io.EOF:
		return err
	case s.isDown.Load():
		return nil
	}
	return protocol.ErrNoShutdown
}

// about returns the handler of a request about a file. It answers none for a file that the server
// does not read.
func about[A any](s *Server, none A, answer func(context.Context, *protocol.DocumentParams) (A, error)) jrpc2.Handler {
	return handler.New(func(ctx context.Context, p *protocol.DocumentParams) (A, error) {
		if !s.serves(protocol.PathOf(p.TextDocument.URI)) {
			return none, nil
		}
		return answer(ctx, p)
	})
}

// methods returns the handlers by the names of the methods. Requests about files that the server does
// not read get an empty answer.
func (s *Server) methods() handler.Map {
	// The parameters are ignored, whatever they are.
	do := func(f func()) jrpc2.Handler {
		return func(context.Context, *jrpc2.Request) (any, error) {
			f()
			return nil, nil
		}
	}
	ignored := do(func() {})
	methods := handler.Map{
		"initialize":                       handler.New(s.initialize),
		"initialized":                      do(s.initialized),
		"textDocument/didOpen":             handler.New(s.didOpen),
		"textDocument/didChange":           handler.New(s.didChange),
		"textDocument/didSave":             handler.New(s.didSave),
		"textDocument/didClose":            handler.New(s.didClose),
		"textDocument/documentSymbol":      about(s, []*outline.Symbol{}, s.symbols),
		"textDocument/foldingRange":        about(s, []protocol.FoldingRange{}, s.folding),
		"workspace/didChangeWatchedFiles":  handler.New(s.didChangeWatchedFiles),
		"textDocument/documentLink":        about(s, []protocol.DocumentLink{}, s.links),
		"textDocument/inlayHint":           about(s, []protocol.InlayHint{}, s.inlayHints),
		"workspace/executeCommand":         handler.New(s.execute),
		"textDocument/codeAction":          about(s, []protocol.CodeAction{}, s.codeActions),
		"textDocument/hover":               about(s, nil, s.hover),
		"textDocument/completion":          about(s, &protocol.CompletionList{Items: []protocol.CompletionItem{}}, s.completion),
		"textDocument/definition":          about(s, []protocol.Location{}, s.definition),
		"textDocument/references":          about(s, []protocol.Location{}, s.references),
		"workspace/didChangeConfiguration": ignored,
		"$/setTrace":                       ignored,
	}
	for name, f := range methods {
		methods[name] = s.safely(name, f)
	}
	// These methods do not wait for the lock.
	methods["shutdown"] = do(func() { s.isDown.Store(true) })
	methods["exit"] = do(sync.OnceFunc(func() { close(s.exit) }))
	methods["$/cancelRequest"] = handler.New(s.cancel)
	return methods
}

// safely calls a method with the lock held, unless the request is cancelled. It turns a panic
// into an error, so the server survives any content of the buffers.
func (s *Server) safely(name string, f jrpc2.Handler) jrpc2.Handler {
	return func(ctx context.Context, request *jrpc2.Request) (answer any, err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer func() {
			switch fault := recover(); {
			case ctx.Err() != nil:
				answer, err = nil, protocol.ErrCancelled
			case fault != nil:
				err = fmt.Errorf("%s: packfn has failed, which is a fault of packfn: %v\n%s", name, fault, debug.Stack())
			}
		}()
		if ctx.Err() != nil {
			return nil, nil
		}
		return f(ctx, request)
	}
}

// unlocked releases the lock, which the caller holds, during a call of f, so that other requests
// do not wait for it.
func (s *Server) unlocked(f func()) {
	s.mu.Unlock()
	defer s.mu.Lock()
	f()
}

// initialize reads what the client can do, and returns what the server can do.
func (s *Server) initialize(_ context.Context, p *protocol.InitializeParams) (any, error) {
	if slices.Contains(p.Capabilities.General.PositionEncodings, protocol.UTF8) {
		s.encoding = protocol.UTF8
	}
	s.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.showsDocuments = p.Capabilities.Window.ShowDocument.Support
	s.inlay = inlayOptionsOf(p.InitializationOptions)
	for _, folder := range p.WorkspaceFolders {
		s.folders = append(s.folders, protocol.PathOf(folder.URI))
	}
	if len(s.folders) == 0 {
		s.folders = []string{cmp.Or(protocol.PathOf(p.RootURI), p.RootPath)}
	}
	// The root of the file system is not used as a workspace. Its files are checked while they
	// are open.
	s.folders = slices.DeleteFunc(s.folders, func(folder string) bool { return !filepath.IsAbs(folder) || folder == filepath.Dir(folder) })
	return map[string]any{
		"serverInfo": map[string]any{"name": "packfn", "version": s.options.Version},
		"capabilities": map[string]any{
			"documentSymbolProvider": true,
			"foldingRangeProvider":   true,
			"documentLinkProvider":   map[string]any{},
			"inlayHintProvider":      s.inlay != inlayOptions{},
			"executeCommandProvider": map[string]any{"commands": []string{commandSelect}},

			"positionEncoding":   s.encoding,
			"textDocumentSync":   map[string]any{"openClose": true, "change": 2, "save": true},
			"codeActionProvider": map[string]any{"codeActionKinds": []string{kindFix, kindPreset, kindFixAll}},
			"hoverProvider":      true,
			"definitionProvider": true,
			"referencesProvider": true,
			"completionProvider": map[string]any{"triggerCharacters": []string{".", " ", "\"", "/"}},
		},
	}, nil
}

// initialized starts the first run, and asks the client to report changes of files by other
// programs.
func (s *Server) initialized() {
	s.mark(true, s.folders...)
	if s.watches {
		go s.rpc.Callback(s.ctx, "client/registerCapability", map[string]any{"registrations": []any{map[string]any{
			"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": "**/*"}}},
		}}})
	}
}

// didChangeWatchedFiles handles changes of files by other programs. The text of a buffer still
// takes precedence over its file.
func (s *Server) didChangeWatchedFiles(_ context.Context, p *protocol.WatchedFilesParams) error {
	s.disk++
	for _, change := range p.Changes {
		s.changed(protocol.PathOf(change.URI))
	}
	return nil
}

// cancel cancels a waiting request.
func (s *Server) cancel(_ context.Context, p *protocol.CancelParams) error {
	s.rpc.CancelRequest(string(p.ID))
	return nil
}

// didOpen stores the text of a buffer, which takes precedence over the file from now on.
func (s *Server) didOpen(_ context.Context, p *protocol.DocumentParams) error {
	path := protocol.PathOf(p.TextDocument.URI)
	if path == "" {
		return nil
	}
	s.buffers[path] = &open{protocol.NewBuffer(p.TextDocument.Text, s.encoding), p.TextDocument.Version}
	s.changed(path)
	return nil
}

// didChange applies the changes of a buffer in their order. A change without a range replaces the
// whole text.
func (s *Server) didChange(_ context.Context, p *protocol.DocumentParams) error {
	path := protocol.PathOf(p.TextDocument.URI)
	of := s.buffers[path]
	if of == nil {
		return fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	text := of.Buffer
	for _, change := range p.ContentChanges {
		text = text.Change(change.Range, change.Text)
	}
	s.buffers[path] = &open{text, p.TextDocument.Version}
	s.changed(path)
	return nil
}

// didSave marks the unit of a saved file, so that its charts are rendered, too.
func (s *Server) didSave(_ context.Context, p *protocol.DocumentParams) error {
	s.disk++
	path := protocol.PathOf(p.TextDocument.URI)
	if path == "" {
		return nil
	}
	s.saved[s.unitOf(path)] = true
	s.changed(path)
	wake(s.wakeSaved)
	return nil
}

// didClose drops a buffer: the file on disk is read again.
func (s *Server) didClose(_ context.Context, p *protocol.DocumentParams) error {
	path := protocol.PathOf(p.TextDocument.URI)
	s.disk++
	delete(s.buffers, path)
	s.changed(path)
	return nil
}
