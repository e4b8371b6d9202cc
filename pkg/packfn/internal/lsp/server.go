package lsp

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/language"
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
	// client is the connection to the client.
	client client
	// isDown is true after the request shutdown. exit is closed by the notification exit.
	isDown atomic.Bool
	exit   chan struct{}

	// mu guards all that follows, while a method runs.
	mu sync.Mutex
	// workspace has the texts, schedule the work that waits, and results what the last runs have found.
	workspace *workspace
	schedule  *schedule
	results   *results
	// language answers queries about positions, and snapshots are the parsed packages by folder.
	language  *language.Language
	snapshots map[string]*snapshot
	// facts keeps what charts read from one run to the next.
	facts chart.Store
}

// New returns a server.
func New(options Options) *Server {
	w := &workspace{encoding: protocol.UTF16, buffers: map[string]*open{}}
	s := &Server{
		options: options, exit: make(chan struct{}),
		workspace: w, results: newResults(w), language: language.New(w, options.Functions, options.Schemas),
	}
	s.schedule = newSchedule(&s.mu)
	return s
}

// Serve answers a client until the client closes the connection. It does not wait for running
// checks, because they only read files.
func (s *Server) Serve(in io.Reader, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.client.ctx = ctx
	// jrpc2 completes a notification before it starts the next message, so an edit is visible to
	// all messages after it, and a waiting request can be cancelled. The concurrency is
	// unlimited, because jrpc2 would answer cancelled requests in its own queue with its own
	// error code. Here all requests wait for the lock.
	s.client.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{AllowPush: true, Concurrency: math.MaxInt32, DisableBuiltin: true, NewContext: func() context.Context { return ctx }})
	frames := protocol.NewFrames(in, out)
	s.client.rpc.Start(frames)
	go s.work()
	rendered := make(chan struct{})
	go func() {
		defer close(rendered)
		s.workSaved()
	}()
	err := io.EOF
	select {
	case err = <-frames.Ended:
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
		if !s.workspace.serves(protocol.PathOf(p.TextDocument.URI)) {
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
		s.workspace.encoding = protocol.UTF8
	}
	s.client.learn(p)
	s.workspace.enter(p)
	return map[string]any{
		"serverInfo": map[string]any{"name": "packfn", "version": s.options.Version},
		"capabilities": map[string]any{
			"documentSymbolProvider": true,
			"foldingRangeProvider":   true,
			"documentLinkProvider":   map[string]any{},
			"inlayHintProvider":      s.client.hints != protocol.HintOptions{},
			"executeCommandProvider": map[string]any{"commands": []string{commandSelect}},

			"positionEncoding":   s.workspace.encoding,
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
	s.schedule.dirty.add(true, s.workspace.folders...)
	s.client.watch()
}

// didChangeWatchedFiles handles changes of files by other programs. The text of a buffer still
// takes precedence over its file.
func (s *Server) didChangeWatchedFiles(_ context.Context, p *protocol.WatchedFilesParams) error {
	s.workspace.disk++
	for _, change := range p.Changes {
		s.changed(protocol.PathOf(change.URI))
	}
	return nil
}

// cancel cancels a waiting request.
func (s *Server) cancel(_ context.Context, p *protocol.CancelParams) error {
	s.client.rpc.CancelRequest(string(p.ID))
	return nil
}

// didOpen stores the text of a buffer, which takes precedence over the file from now on.
func (s *Server) didOpen(_ context.Context, p *protocol.DocumentParams) error {
	path := protocol.PathOf(p.TextDocument.URI)
	if path == "" {
		return nil
	}
	s.workspace.buffers[path] = &open{s.workspace.Buffer(p.TextDocument.Text), p.TextDocument.Version}
	s.changed(path)
	return nil
}

// didChange applies the changes of a buffer in their order. A change without a range replaces the
// whole text.
func (s *Server) didChange(_ context.Context, p *protocol.DocumentParams) error {
	path := protocol.PathOf(p.TextDocument.URI)
	of := s.workspace.buffers[path]
	if of == nil {
		return fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	text := of.Buffer
	for _, change := range p.ContentChanges {
		text = text.Change(change.Range, change.Text)
	}
	s.workspace.buffers[path] = &open{text, p.TextDocument.Version}
	s.changed(path)
	return nil
}

// didSave marks the unit of a saved file, so that its charts are rendered, too.
func (s *Server) didSave(_ context.Context, p *protocol.DocumentParams) error {
	s.workspace.disk++
	path := protocol.PathOf(p.TextDocument.URI)
	if path == "" {
		return nil
	}
	s.changed(path)
	s.schedule.saved.add(false, s.workspace.unitOf(path))
	return nil
}

// didClose drops a buffer: the file on disk is read again.
func (s *Server) didClose(_ context.Context, p *protocol.DocumentParams) error {
	path := protocol.PathOf(p.TextDocument.URI)
	s.workspace.disk++
	delete(s.workspace.buffers, path)
	s.changed(path)
	return nil
}
