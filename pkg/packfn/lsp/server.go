package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/check"
)

// mostRequests is how many requests are answered at the same time.
const mostRequests = 8

// codeCancelled is the code of the error of a cancelled request.
const codeCancelled jrpc2.Code = -32800

// ErrNoShutdown is the error of a client that ends the server without asking it to shut down.
var ErrNoShutdown = errors.New("the client has left without a shutdown")

// Options say what the server checks.
type Options struct {
	// Functions are those of the suite.
	Functions []function.Function
	// Check returns the options of the checks for a workspace folder, with what its
	// configuration says. Its fields Root, Replace, Note and Progress are not used.
	Check func(folder string) (check.Options, error)
	// Schemas are the JSON Schemas of kinds and documents, by the names of their files.
	Schemas fs.FS
	// Version is that of the program.
	Version string
	// RulePage returns the address of what a rule means.
	RulePage func(id string) string
}

// Server is a language server for one client.
type Server struct {
	options  Options
	rpc      *jrpc2.Server
	encoding string
	isDown   bool
	// watches says that the client can tell of files that others change.
	watches bool
	// ctx ends with the server.
	ctx  context.Context
	exit chan struct{}

	mu sync.Mutex
	// folders are those of the workspace, and buffers the open files by their paths.
	folders []string
	buffers map[string]*open
	// published are the files with diagnostics.
	published map[string]bool
	// found are the findings of units, by their paths, from the buffers as they were.
	found map[string]*result
	// known is what completion and hover know of packages, by their folders, and forms of the
	// kinds.
	known map[string]*known
	forms forms
	// disk counts the changes of files that the client has told of.
	disk int
	// dirty are the units to check, true for all that is in a folder, and wake tells the worker.
	dirty map[string]bool
	// saved are the units with files that were saved since the last run: their charts are rendered.
	saved map[string]bool
	wake  chan struct{}
	idle  *sync.Cond
	busy  bool
	inlay inlayOptions
	// showsDocuments says that the client selects a text when it is asked to.
	showsDocuments bool
	// ended says that no run comes any more.
	ended bool
}

// open is an open file.
type open struct {
	*buffer
	version int
}

// New makes a server.
func New(options Options) *Server {
	s := &Server{
		options: options, encoding: utf16Encoding, buffers: map[string]*open{}, published: map[string]bool{},
		found: map[string]*result{}, forms: forms{files: options.Schemas, read: map[string]*form{}}, dirty: map[string]bool{}, saved: map[string]bool{}, exit: make(chan struct{}), wake: make(chan struct{}, 1),
	}
	s.idle = sync.NewCond(&s.mu)
	return s
}

// Serve speaks with a client until it leaves.
func (s *Server) Serve(in io.Reader, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.ctx = ctx
	done := make(chan struct{})
	// jrpc2 ends a notification before it begins what comes after it: an edit counts for all that
	// follows, and a request that waits can be cancelled.
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{AllowPush: true, Concurrency: mostRequests, DisableBuiltin: true, NewContext: func() context.Context { return ctx }})
	s.rpc.Start(channel.LSP(in, out))
	go func() {
		defer close(done)
		s.work()
	}()
	left := make(chan error, 1)
	go func() { left <- s.rpc.Wait() }()
	var err error
	select {
	case err = <-left:
	case <-s.exit: // the client may not close its end
	}
	cancel()
	<-done
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isDown {
		return nil
	}
	return cmp.Or(err, ErrNoShutdown)
}

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
		"shutdown":                         do(s.shutdown),
		"exit":                             do(sync.OnceFunc(func() { close(s.exit) })),
		"textDocument/didOpen":             handler.New(s.didOpen),
		"textDocument/didChange":           handler.New(s.didChange),
		"textDocument/didSave":             handler.New(s.didSave),
		"textDocument/didClose":            handler.New(s.didClose),
		"textDocument/documentSymbol":      handler.New(s.symbols),
		"textDocument/foldingRange":        handler.New(s.folding),
		"workspace/didChangeWatchedFiles":  handler.New(s.didChangeWatchedFiles),
		"textDocument/documentLink":        handler.New(s.links),
		"textDocument/inlayHint":           handler.New(s.inlayHints),
		"workspace/executeCommand":         handler.New(s.execute),
		"textDocument/codeAction":          handler.New(s.codeActions),
		"textDocument/hover":               handler.New(s.hover),
		"textDocument/completion":          handler.New(s.completion),
		"textDocument/definition":          handler.New(s.definition),
		"textDocument/references":          handler.New(s.references),
		"workspace/didChangeConfiguration": ignored,
		"$/cancelRequest":                  handler.New(s.cancel),
		"$/setTrace":                       ignored,
	}
	for name, f := range methods {
		methods[name] = s.safely(name, f)
	}
	return methods
}

// safely calls a method with the lock, and makes an error of a panic: whatever the buffers hold,
// the server goes on.
func (s *Server) safely(name string, f jrpc2.Handler) jrpc2.Handler {
	return func(ctx context.Context, request *jrpc2.Request) (answer any, err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer func() {
			if fault := recover(); fault != nil {
				err = fmt.Errorf("%s: packfn has failed, which is a fault of packfn: %v\n%s", name, fault, debug.Stack())
			}
		}()
		return f(ctx, request)
	}
}

func (s *Server) initialize(_ context.Context, p *initializeParams) (any, error) {
	if slices.Contains(p.Capabilities.General.PositionEncodings, utf8Encoding) {
		s.encoding = utf8Encoding
	}
	s.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.showsDocuments = p.Capabilities.Window.ShowDocument.Support
	s.inlay = inlayOptionsOf(p.InitializationOptions)
	for _, folder := range p.WorkspaceFolders {
		s.folders = append(s.folders, pathOf(folder.URI))
	}
	if len(s.folders) == 0 {
		s.folders = []string{cmp.Or(pathOf(p.RootURI), p.RootPath)}
	}
	s.folders = slices.DeleteFunc(s.folders, func(folder string) bool { return folder == "" })
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

// initialized begins the first run, and asks the client to tell of files that others change.
func (s *Server) initialized() {
	s.mark(true, s.folders...)
	if s.watches {
		go s.rpc.Callback(s.ctx, "client/registerCapability", map[string]any{"registrations": []any{map[string]any{
			"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": "**/*"}}},
		}}})
	}
}

// didChangeWatchedFiles takes files that others have changed. What is in a buffer counts as it is
// there.
func (s *Server) didChangeWatchedFiles(_ context.Context, p *watchedFilesParams) error {
	s.disk++
	for _, change := range p.Changes {
		s.changed(pathOf(change.URI))
	}
	return nil
}

func (s *Server) shutdown() {
	s.isDown = true
}

// cancel ends a request that waits.
func (s *Server) cancel(_ context.Context, p *cancelParams) error {
	s.rpc.CancelRequest(string(p.ID))
	return nil
}

func (s *Server) didOpen(_ context.Context, p *documentParams) error {
	path := pathOf(p.TextDocument.URI)
	if path == "" {
		return nil
	}
	s.buffers[path] = &open{newBuffer(p.TextDocument.Text, s.encoding), p.TextDocument.Version}
	s.changed(path)
	return nil
}

func (s *Server) didChange(_ context.Context, p *documentParams) error {
	path := pathOf(p.TextDocument.URI)
	of := s.buffers[path]
	if of == nil {
		return fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	text := of.buffer
	for _, change := range p.ContentChanges {
		text = text.change(change.Range, change.Text)
	}
	s.buffers[path] = &open{text, p.TextDocument.Version}
	s.changed(path)
	return nil
}

func (s *Server) didSave(_ context.Context, p *documentParams) error {
	s.disk++
	path := pathOf(p.TextDocument.URI)
	s.saved[s.unitOf(path)] = true
	s.changed(path)
	return nil
}

func (s *Server) didClose(_ context.Context, p *documentParams) error {
	path := pathOf(p.TextDocument.URI)
	s.disk++
	delete(s.buffers, path)
	s.changed(path)
	return nil
}
