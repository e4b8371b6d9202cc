package lsp

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// RecentBytes is the argument of [values.KeepRecent] for programs that run a server, because
// after a change in one file the other files of its package are read again.
const RecentBytes = 8 << 20

// result is the result of a run.
type result struct {
	// findings are the findings of the unit.
	findings []report.Finding
	// texts are the buffers that the run has read, by path.
	texts map[string]*protocol.Buffer
	// mutated is true if mutators ran. written is the result without mutators, or nil until it is
	// needed: edits are possible only in the files as written.
	mutated bool
	written *result
}

// changed marks the unit of a file for the next run. The caller holds the lock.
func (s *Server) changed(path string) {
	switch {
	case path == "":
	case filepath.Base(path) == config.Name:
		s.mark(true, s.folders...)
	default:
		s.mark(false, s.unitOf(path))
	}
}

// mark marks units for the next run. If all is true, the units are folders, and everything in
// them is checked.
func (s *Server) mark(all bool, units ...string) {
	for _, unit := range units {
		s.dirty[unit] = s.dirty[unit] || all
	}
	wake(s.wake)
}

// wake wakes a worker that waits for its channel.
func wake(worker chan struct{}) {
	select {
	case worker <- struct{}{}:
	default: // it is awake already
	}
}

// unitOf returns the path to check after a change of a file: the outermost package or pack
// directory that contains the file, or else its workspace folder. For a file outside of the
// workspace and of packages, it is the file itself.
func (s *Server) unitOf(path string) string {
	top := s.folderOf(path)
	unit := cmp.Or(top, path)
	for dir := range parents.Of(filepath.Dir(path)) {
		if isUnit(dir) {
			unit = dir
		}
		if dir == top {
			break
		}
	}
	return unit
}

// folderOf returns the workspace folder that contains a path, or "" if there is none.
func (s *Server) folderOf(path string) (found string) {
	for _, folder := range s.folders {
		if within(path, folder) {
			found = folder
		}
	}
	return found
}

func isUnit(dir string) bool { return kptpackage.IsPackage(dir) || packdir.IsFound(dir) }

// within reports whether a path on disk is a folder, or below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// work checks changed units until the server ends. All changes during a run lead to a single next
// run.
func (s *Server) work() {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended = true
		s.idle.Broadcast()
	}()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.wake:
		}
		s.mu.Lock()
		units := s.dirty
		s.dirty, s.busy = map[string]bool{}, true
		s.mu.Unlock()
		for _, unit := range slices.Sorted(maps.Keys(units)) {
			if s.ctx.Err() == nil {
				s.run(unit, scope{all: units[unit], rendered: true})
			}
		}
		s.mu.Lock()
		s.busy = false
		s.idle.Broadcast()
		s.mu.Unlock()
	}
}

// workSaved renders the charts of units with saved files until the server ends. Its findings are
// published together with the other findings, and are kept until the next rendering.
func (s *Server) workSaved() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.wakeSaved:
		}
		s.mu.Lock()
		units := s.saved
		s.saved = map[string]bool{}
		s.mu.Unlock()
		for _, unit := range slices.Sorted(maps.Keys(units)) {
			if s.ctx.Err() == nil {
				s.renderCharts(unit)
			}
		}
	}
}

// renderCharts renders the charts of a unit, if the configuration enables it.
func (s *Server) renderCharts(unit string) {
	s.mu.Lock()
	texts, isWanted := s.texts(), s.isWanted(unit)
	s.mu.Unlock()
	if !isWanted {
		return
	}
	found, err := s.check(unit, texts, scope{rendered: true, charts: true})
	if err != nil && s.ctx.Err() == nil {
		s.log(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.found[unit]; r != nil && err == nil && found != nil {
		r.findings = slices.Concat(r.ofCharts(false), (&result{findings: found.Findings}).ofCharts(true))
		s.publish(unit, false)
	}
}

// settled waits until all changes have been checked, or the request is cancelled. The caller
// holds the lock.
func (s *Server) settled(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.idle.Broadcast()
	})()
	for !s.ended && (s.busy || len(s.dirty) > 0) {
		if ctx.Err() != nil {
			return protocol.ErrCancelled
		}
		s.idle.Wait()
	}
	return nil
}

// scope selects the steps of a run.
type scope struct {
	// all checks everything in a folder, including units below it.
	all bool
	// rendered runs the mutators of pipelines first.
	rendered bool
	// charts renders the charts of packs, if the configuration enables it. That takes time.
	charts bool
	// released, if set, is called with the releases.
	released func(*check.Released)
}

// run checks a unit, or everything in a folder, and publishes the changes.
func (s *Server) run(unit string, of scope) {
	s.mu.Lock()
	texts, isWanted := s.texts(), s.isWanted(unit)
	s.mu.Unlock()
	found := &report.Report{}
	var released []*check.Released
	if isWanted {
		var err error
		of.released = func(r *check.Released) { released = append(released, r) }
		if found, err = s.check(unit, texts, of); err != nil {
			s.log(err)
			found = &report.Report{Findings: failed(unit, err)}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if before := s.found[unit]; before != nil && !of.all && isWanted {
		found.Findings = append(found.Findings, before.ofCharts(true)...)
	}
	maps.DeleteFunc(s.found, func(other string, _ *result) bool { return other == unit || of.all && within(other, unit) })
	s.found[unit] = &result{texts: texts, mutated: found.Mutated}
	maps.DeleteFunc(s.released, func(other string, _ []*check.Released) bool { return of.all && other != unit && within(other, unit) })
	s.released[unit] = kept(s.released[unit], released, texts)
	for _, f := range slices.Concat(found.Findings, s.skippedIn(unit, found)) {
		in := unit
		if of.all && f.Path != "" {
			in = s.runOf(f.Path)
		}
		s.found[in].findings = append(s.found[in].findings, f)
	}
	s.publish(unit, of.all)
	if !isWanted {
		delete(s.found, unit)
	}
}

// skippedIn returns what was not checked as informations: at their places, or else at the file of the unit.
func (s *Server) skippedIn(unit string, found *report.Report) (all []report.Finding) {
	for i := range found.Skipped {
		one := &found.Skipped[i]
		path := filepath.Join(s.rootOf(unit), filepath.FromSlash(one.File))
		if isFolder(path) {
			path = fileOf(unit)
		}
		if isFolder(path) {
			continue // files outside of packages together
		}
		all = append(all, report.Finding{Rule: "skipped/" + string(one.Reason), Severity: diag.Info, Path: path, File: one.File, Line: one.Line, Resource: one.Resource, Message: "not checked: " + one.Message})
	}
	return all
}

// isFolder reports whether a path is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// rootOf returns the folder that the paths in the report about a unit are relative to.
func (s *Server) rootOf(unit string) string { return cmp.Or(s.folderOf(unit), filepath.Dir(unit)) }

// texts returns the buffers that are checked. The caller holds the lock.
func (s *Server) texts() map[string]*protocol.Buffer {
	texts := map[string]*protocol.Buffer{}
	for path, of := range s.buffers {
		if !of.isLarge() {
			texts[path] = of.Buffer
		}
	}
	return texts
}

// ofCharts returns the findings about rendered charts if is is true, and all other findings
// otherwise.
func (r *result) ofCharts(is bool) []report.Finding {
	return slices.DeleteFunc(slices.Clone(r.findings), func(f report.Finding) bool { return (f.Function == check.TemplateName) != is })
}

// runOf returns the unit of a file. If the file was checked in a run over a larger folder, it
// also adds an entry for the unit to found.
func (s *Server) runOf(path string) string {
	unit, of := s.unitOf(path), ""
	if s.found[unit] != nil {
		return unit
	}
	for other := range s.found { // a run over a folder includes everything below it
		if within(path, other) && len(other) > len(of) {
			of = other
		}
	}
	if r := s.found[of]; r != nil {
		s.found[unit] = &result{texts: r.texts, mutated: r.mutated}
	}
	return unit
}

// failed returns the finding that a client sees for a unit that cannot be checked, where packfn
// check would exit with an error.
func failed(unit string, err error) []report.Finding {
	file := fileOf(unit)
	if file == unit {
		file = filepath.Join(unit, config.Name)
		if _, err := os.Stat(file); err != nil {
			return nil
		}
	}
	return []report.Finding{{Path: file, File: filepath.Base(file), Severity: diag.Error, Message: diag.Shown(diag.OneLine(err.Error()))}}
}

// check runs the checks over a unit. It recovers from panics, so the server survives any content
// of the buffers.
func (s *Server) check(unit string, texts map[string]*protocol.Buffer, of scope) (found *report.Report, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: packfn has failed, which is a fault of packfn: %v\n%s", unit, fault, debug.Stack())
		}
	}()
	options, err := s.checkOptions(unit, texts, of)
	if err != nil {
		return nil, err
	}
	if options.Template != nil {
		options.Template.Renderer.Context = s.ctx
		defer options.Template.Renderer.Close()
	}
	return check.Run([]string{unit}, options)
}

// checkOptions returns the options for a run: the options of the folder, with the texts of buffers in
// place of their files.
func (s *Server) checkOptions(unit string, texts map[string]*protocol.Buffer, of scope) (check.Options, error) {
	root := s.rootOf(unit)
	options, err := s.options.Check(root)
	options.Root, options.Progress, options.Replace = root, nil, map[string][]byte{}
	options.Released, options.Facts = of.released, &s.facts
	options.Rendered = options.Rendered && of.rendered
	if !of.charts {
		options.Template = nil
	}
	if options.Evaluator != nil {
		options.Evaluator.Context = s.ctx
	}
	for path, b := range texts {
		options.Replace[path] = []byte(b.Text)
	}
	if excluded := options.Excluded; !of.all {
		options.Excluded = func(name string, isDir bool) bool {
			return excluded != nil && excluded(name, isDir) || isDir && name != unit && isUnit(name)
		}
	}
	return options, err
}

// log writes an error to the log of the client.
func (s *Server) log(err error) {
	if s.ctx.Err() != nil {
		return
	}
	s.rpc.Notify(s.ctx, "window/logMessage", map[string]any{"type": protocol.SeverityError, "message": diag.Shown(err.Error())})
}
