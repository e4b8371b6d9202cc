// Package lsp is a language server. It shows the findings of packfn check while the user types,
// and offers the edits of packfn fix.
//
// It speaks LSP 3.17. When a buffer changes, the server runs the checks again over the package or
// pack directory that contains the file, with the current text of all buffers, saved or not. The
// server does not write files.
//
// Completion, hover, definition and references use the resources that the last run could read
// (type known), and the lines of the buffer around the position (package cursor), so they do not
// wait for a run.
package lsp
