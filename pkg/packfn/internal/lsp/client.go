package lsp

import (
	"context"

	"github.com/creachadair/jrpc2"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
)

// client is the connection to the client, and what the client can do.
type client struct {
	// rpc calls the methods and sends notifications. ctx is cancelled when the server ends.
	rpc *jrpc2.Server
	ctx context.Context
	// watches is true if the client can report changes that other programs make to files.
	watches bool
	// showsDocuments is true if the client supports window/showDocument, which selects a text.
	showsDocuments bool
	// hints are the hints that the client asked for.
	hints protocol.HintOptions
}

// learn notes what the client can do.
func (c *client) learn(p *protocol.InitializeParams) {
	c.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	c.showsDocuments = p.Capabilities.Window.ShowDocument.Support
	c.hints = p.Hints()
}

// watch asks the client to report changes of files by other programs.
func (c *client) watch() {
	if c.watches {
		go c.rpc.Callback(c.ctx, "client/registerCapability", map[string]any{"registrations": []any{map[string]any{
			"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": "**/*"}}},
		}}})
	}
}

// selection contains the parameters of window/showDocument.
type selection struct {
	// URI is the file to show.
	URI string `json:"uri"`
	// Selection is the range to select, and TakeFocus moves the cursor there.
	Selection protocol.Range `json:"selection"`
	TakeFocus bool           `json:"takeFocus"`
}

// show asks the client to select a text. The client answers after the request that calls show has
// returned, or never.
func (c *client) show(at selection) {
	go func() { _, _ = c.rpc.Callback(c.ctx, "window/showDocument", at) }()
}

// publish sends the diagnostics of a file.
func (c *client) publish(p protocol.PublishDiagnostics) {
	c.rpc.Notify(c.ctx, "textDocument/publishDiagnostics", p)
}

// log writes an error to the log of the client.
func (c *client) log(err error) {
	if c.ctx.Err() != nil {
		return
	}
	c.rpc.Notify(c.ctx, "window/logMessage", map[string]any{"type": protocol.SeverityError, "message": diag.Shown(err.Error())})
}
