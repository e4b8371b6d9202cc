package lsp

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// RecentBytes is the argument of [values.KeepRecent] for programs that run a server, because
// after a change in one file the other files of its package are read again.
const RecentBytes = 8 << 20

// changed marks the unit of a file for the next run. The caller holds the lock.
func (s *Server) changed(path string) {
	switch {
	case path == "":
	case filepath.Base(path) == config.Name:
		s.schedule.dirty.add(true, s.workspace.folders...)
	default:
		s.schedule.dirty.add(false, s.workspace.unitOf(path))
	}
}

// work checks changed units until the server ends. All changes during a run lead to a single next
// run.
func (s *Server) work() {
	defer s.schedule.end()
	for {
		select {
		case <-s.client.ctx.Done():
			return
		case <-s.schedule.dirty.wake:
		}
		units := s.schedule.begin()
		for _, unit := range slices.Sorted(maps.Keys(units)) {
			if s.client.ctx.Err() == nil {
				s.run(unit, scope{all: units[unit], rendered: true})
			}
		}
		s.schedule.pause()
	}
}

// workSaved renders the charts of units with saved files until the server ends. Its findings are
// published together with the other findings, and are kept until the next rendering.
func (s *Server) workSaved() {
	for {
		select {
		case <-s.client.ctx.Done():
			return
		case <-s.schedule.saved.wake:
		}
		s.mu.Lock()
		units := s.schedule.saved.take()
		s.mu.Unlock()
		for _, unit := range slices.Sorted(maps.Keys(units)) {
			if s.client.ctx.Err() == nil {
				s.renderCharts(unit)
			}
		}
	}
}

// renderCharts renders the charts of a unit, if the configuration enables it.
func (s *Server) renderCharts(unit string) {
	s.mu.Lock()
	texts, isWanted := s.workspace.texts(), s.workspace.isWanted(unit)
	s.mu.Unlock()
	if !isWanted {
		return
	}
	found, err := s.check(unit, texts, scope{rendered: true, charts: true})
	if err != nil && s.client.ctx.Err() == nil {
		s.client.log(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.results.found[unit]; r != nil && err == nil && found != nil {
		r.findings = slices.Concat(r.ofCharts(false), (&result{findings: found.Findings}).ofCharts(true))
		s.publish(unit, false)
	}
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
	texts, isWanted := s.workspace.texts(), s.workspace.isWanted(unit)
	s.mu.Unlock()
	found := &report.Report{}
	var released []*check.Released
	if isWanted {
		var err error
		of.released = func(r *check.Released) { released = append(released, r) }
		if found, err = s.check(unit, texts, of); err != nil {
			s.client.log(err)
			found = &report.Report{Findings: failed(unit, err)}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if before := s.results.found[unit]; before != nil && !of.all && isWanted {
		found.Findings = append(found.Findings, before.ofCharts(true)...)
	}
	s.results.store(unit, of.all, &result{texts: texts, mutated: found.Mutated}, released)
	for _, f := range slices.Concat(found.Findings, s.skippedIn(unit, found)) {
		in := unit
		if of.all && f.Path != "" {
			in = s.results.runOf(f.Path)
		}
		s.results.found[in].findings = append(s.results.found[in].findings, f)
	}
	s.publish(unit, of.all)
	if !isWanted {
		delete(s.results.found, unit)
	}
}

// skippedIn returns what was not checked as informations: at their places, or else at the file of the unit.
func (s *Server) skippedIn(unit string, found *report.Report) (all []report.Finding) {
	for i := range found.Skipped {
		one := &found.Skipped[i]
		path := filepath.Join(s.workspace.rootOf(unit), filepath.FromSlash(one.File))
		if isFolder(path) {
			path = fileOf(unit)
		}
		if isFolder(path) {
			continue // files outside of packages together
		}
		all = append(all, report.Finding{Rule: "skipped/" + string(one.Reason), Severity: diag.Info, Location: report.Location{Path: path, File: one.File, Line: one.Line}, Target: report.Target{Resource: one.Resource}, Message: "not checked: " + one.Message})
	}
	return all
}

// isFolder reports whether a path is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
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
	return []report.Finding{{Location: report.Location{Path: file, File: filepath.Base(file)}, Severity: diag.Error, Message: diag.Shown(diag.OneLine(err.Error()))}}
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
		options.Template.Renderer.Context = s.client.ctx
		defer options.Template.Renderer.Close()
	}
	return check.Run([]string{unit}, options)
}

// checkOptions returns the options for a run: the options of the folder, with the texts of buffers in
// place of their files.
func (s *Server) checkOptions(unit string, texts map[string]*protocol.Buffer, of scope) (check.Options, error) {
	root := s.workspace.rootOf(unit)
	options, err := s.options.Check(root)
	options.Root, options.Progress, options.Replace = root, nil, map[string][]byte{}
	options.Released, options.Facts = of.released, &s.facts
	options.Rendered = options.Rendered && of.rendered
	if !of.charts {
		options.Template = nil
	}
	if options.Evaluator != nil {
		options.Evaluator.Context = s.client.ctx
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
