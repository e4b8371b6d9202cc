package lsp

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/folder"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
	"github.com/krm-packs/functions/pkg/packfn/report"
)

// result is what a run has found.
type result struct {
	findings []report.Finding
	// texts are the buffers that it read, by their paths.
	texts map[string]*buffer
	// written is the result without the mutators of pipelines, nil until it is asked for: only
	// what is written can be edited.
	written *result
}

// changed marks what a file belongs to for the next run. The caller has the lock.
func (s *Server) changed(path string) {
	if path != "" {
		s.mark(s.unitOf(path))
	}
}

func (s *Server) mark(units ...string) {
	for _, unit := range units {
		s.dirty[unit] = true
	}
	select {
	case s.wake <- struct{}{}:
	default: // the worker is awake
	}
}

// checkAll marks the folders of the workspace.
func (s *Server) checkAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mark(s.folders...)
}

// unitOf returns the path to check for a change of a file: the outermost package or pack
// directory that holds it, else the folder of the workspace, which says whether the file is
// judged. Outside of the workspace that is the file.
func (s *Server) unitOf(path string) string {
	top, unit := "", path
	for _, folder := range s.folders {
		if within(path, folder) {
			top, unit = folder, folder
		}
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if kptpackage.IsPackage(dir) || packdir.IsFound(dir) {
			unit = dir
		}
		if dir == top || dir == filepath.Dir(dir) {
			return unit
		}
	}
}

func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// work checks what has changed until the server ends. Changes that come meanwhile give one
// run.
func (s *Server) work(ctx context.Context) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended = true
		s.idle.Broadcast()
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		s.mu.Lock()
		units := slices.Sorted(maps.Keys(s.dirty))
		clear(s.dirty)
		s.busy = true
		s.mu.Unlock()
		for _, unit := range units {
			if ctx.Err() == nil {
				s.run(ctx, unit)
			}
		}
		s.mu.Lock()
		s.busy = false
		s.idle.Broadcast()
		s.mu.Unlock()
	}
}

// settled waits until no change is left to be checked. The caller has the lock.
func (s *Server) settled() {
	for !s.ended && (s.busy || len(s.dirty) > 0) {
		s.idle.Wait()
	}
}

// run checks a unit, and publishes what has changed.
func (s *Server) run(ctx context.Context, unit string) {
	s.mu.Lock()
	texts := map[string]*buffer{}
	for path, of := range s.buffers {
		texts[path] = of.buffer
	}
	s.mu.Unlock()
	findings, err := s.check(unit, texts, true)
	if err != nil {
		s.log(ctx, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for other := range s.found { // a run over a folder has what is below it
		if within(other, unit) {
			delete(s.found, other)
		}
	}
	s.found[unit] = &result{findings: findings, texts: texts}
	s.publish(ctx, unit)
}

// check runs the checks over a unit. Whatever the buffers hold, the server goes on.
func (s *Server) check(unit string, texts map[string]*buffer, rendered bool) (findings []report.Finding, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: packfn has failed, which is a fault of packfn: %v\n%s", unit, fault, debug.Stack())
		}
	}()
	options, err := s.checkOptions(unit, texts)
	if err != nil {
		return nil, err
	}
	options.Rendered = options.Rendered && rendered
	r, err := check.Run([]string{unit}, options)
	if err != nil {
		return nil, err
	}
	return r.Findings, nil
}

func (s *Server) checkOptions(unit string, texts map[string]*buffer) (check.Options, error) {
	root := filepath.Dir(unit)
	for _, folder := range s.folders {
		if within(unit, folder) {
			root = folder
		}
	}
	options, err := s.options.Check(root)
	options.Root, options.Note, options.Progress, options.Replace = root, nil, nil, map[string][]byte{}
	for path, of := range texts {
		options.Replace[path] = []byte(of.text)
	}
	return options, err
}

// log shows an error in the log of the client.
func (s *Server) log(ctx context.Context, err error) {
	s.rpc.Notify(ctx, "window/logMessage", map[string]any{"type": severityError, "message": diag.Shown(err.Error())})
}

// publish sends the diagnostics of the files of a unit, and takes back those of files that have
// none any more. The caller has the lock.
func (s *Server) publish(ctx context.Context, unit string) {
	r := s.found[unit]
	by := map[string][]diagnostic{}
	for path, of := range s.published {
		if within(of, unit) {
			by[path] = nil
			delete(s.published, path)
		}
	}
	for path := range r.texts {
		if within(path, unit) {
			by[path] = nil
		}
	}
	for i := range r.findings {
		f := &r.findings[i]
		path := f.Path
		if path == "" {
			path = s.fileOf(unit)
		}
		by[path] = append(by[path], s.diagnostic(r, f))
		s.published[path] = unit
	}
	for _, path := range slices.Sorted(maps.Keys(by)) {
		p := publishDiagnostics{URI: uriOf(path), Diagnostics: by[path]}
		if p.Diagnostics == nil {
			p.Diagnostics = []diagnostic{}
		}
		if of := s.buffers[path]; of != nil && of.buffer == r.texts[path] {
			p.Version = &of.version
		} else if of != nil {
			continue // of an older text; the next run is on its way
		}
		s.rpc.Notify(ctx, "textDocument/publishDiagnostics", p)
	}
}

// fileOf returns the file at which findings are shown that are about no file of a unit.
func (s *Server) fileOf(unit string) string {
	switch {
	case kptpackage.IsPackage(unit):
		return filepath.Join(unit, kptpackage.KptfileName)
	case packdir.Is(unit):
		return filepath.Join(unit, packdir.Metadata)
	}
	return unit
}

// textOf returns the text of a file as a run has read it.
func (s *Server) textOf(r *result, path string) *buffer {
	if r.texts[path] == nil {
		text, err := folder.ReadText(path)
		if err != nil {
			text = nil
		}
		r.texts[path] = newBuffer(string(text), s.encoding)
	}
	return r.texts[path]
}

// diagnostic makes the diagnostic of a finding.
func (s *Server) diagnostic(r *result, f *report.Finding) diagnostic {
	d := diagnostic{Code: f.Rule, Source: "packfn", Message: f.Message, Severity: severityOf(f)}
	if f.Line > 0 {
		d.Range = s.rangeOf(r, f)
	}
	if f.Accepted {
		d.Tags = []int{tagDeprecated}
	}
	if s.options.RulePage != nil {
		d.CodeDescription = &codeDescription{s.options.RulePage(f.Rule)}
	}
	for _, place := range f.Related {
		at := diag.Position{Line: place.Line, Column: place.Column}
		path := filepath.Join(s.rootOf(f), filepath.FromSlash(place.File))
		there := s.textOf(r, path).token(at)
		d.RelatedInformation = append(d.RelatedInformation, related{location{uriOf(path), there}, place.Message})
	}
	return d
}

// rootOf returns the folder that the paths of a finding are relative to.
func (s *Server) rootOf(f *report.Finding) string {
	return strings.TrimSuffix(f.Path, filepath.FromSlash(f.File))
}

// rangeOf returns the range of what a finding is about.
func (s *Server) rangeOf(r *result, f *report.Finding) span {
	b := s.textOf(r, f.Path)
	if len(f.Edits) > 0 && f.Edits[0].At.Line == f.Line && f.Edits[0].Length > 0 {
		e := f.Edits[0]
		end := diag.Position{Line: e.At.Line, Column: e.At.Column + e.Length}
		return span{b.position(e.At), b.position(end)}
	}
	return b.token(diag.Position{Line: f.Line, Column: f.Column})
}

func severityOf(f *report.Finding) int {
	switch {
	case f.Accepted:
		return severityHint
	case f.Severity == diag.Error:
		return severityError
	case f.Severity == diag.Warning:
		return severityWarning
	}
	return severityInformation
}
