// Package lsp is a language server: the findings of packfn check while they are typed, and
// the edits of packfn fix.
//
// It speaks LSP 3.17. A change of a buffer runs the checks again over the package or the pack
// directory that holds the file, from the buffers as they are, saved or not. The server
// writes no file.
//
// Completion, hover, definition and references go by what the last run could read, see known,
// and by the lines of the buffer around the place, see package cursor: they wait for no run.
package lsp
