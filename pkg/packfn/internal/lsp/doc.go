// Package lsp is a language server. It shows the findings of packfn check while the user types,
// and offers the edits of packfn fix.
//
// It speaks LSP 3.17. When a buffer changes, the server runs the checks again over the package or
// pack directory that contains the file, with the current text of all buffers, saved or not. The
// server does not write files.
//
// Below it are package protocol with the messages and the positions of a client, package language, which
// answers queries about a position, package outline with the symbols and links of a text, and package
// rewrite, which makes the texts that code actions write.
//
// # The way of a change
//
//	didChange ─→ workspace, schedule ─→ work ─→ check ─→ results ─→ publish
//
// A notification stores the text and marks the unit of the file (changed). One worker takes all marked
// units (work), checks them with the texts of the buffers in place of the files, stores the result by
// the path of the unit, and sends the diagnostics that differ. All changes during a run lead to a
// single next run. A second worker renders the charts of units that were saved, which takes long
// (workSaved).
//
// # The way of a request
//
//	hover ─→ queryAt ─→ language.Query ─→ Explain
//
// A request about a position makes a [language.Query] from the parsed state of the package
// (snapshotOf). It does not wait for a run, but uses the resources that the last run could read. Code
// actions work on the result of the last run, because a finding knows its edits. They wait until the run
// over the last change has ended (settled).
//
// Requests are answered with the lock of the [Server] held. Long work releases it (unlocked).
package lsp
