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
//
// # The way of a change
//
//	didChange ─→ buffers, dirty ─→ work ─→ check ─→ found ─→ publish
//
// A notification stores the text and marks the unit of the file (changed). One worker takes all marked
// units (work), checks them with the texts of the buffers in place of the files, stores the result by
// the path of the unit, and sends the diagnostics that differ. All changes during a run lead to a
// single next run. A second worker renders the charts of units that were saved, which takes long
// (workSaved).
//
// # The way of a request
//
// A request about a position makes a [completer]: it has the parsed package (known), and the site,
// which is the document around the position with the path in it. For example, at the number in
//
//	kind: ConfigMap
//	data:
//	  values.yaml: |
//	    server:
//	      replicas: 3
//
// the document is values.yaml and the path server.replicas. Code actions work on the result of the
// last run, because a finding knows its edits. They wait until the run over the last change has ended
// (settled).
//
// Requests are answered with the lock of the [Server] held. Long work releases it (unlocked).
package lsp
