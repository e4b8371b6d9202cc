package lsp

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// publish sends the diagnostics of the files of a unit, or of everything in a folder, and clears
// the diagnostics of files that no longer have findings. The caller holds the lock.
func (s *Server) publish(unit string, all bool) {
	isChecked := func(path string) bool { return within(path, unit) && (all || s.workspace.unitOf(path) == unit) }
	by := map[string][]protocol.Diagnostic{}
	for path := range s.results.published {
		if isChecked(path) {
			by[path] = nil
			delete(s.results.published, path)
		}
	}
	texts := s.results.found[unit].texts
	for path := range texts {
		if isChecked(path) {
			by[path] = nil
		}
	}
	for _, of := range slices.Sorted(maps.Keys(s.results.found)) {
		r := s.results.found[of]
		if of != unit && !(all && within(of, unit)) {
			continue
		}
		for i := range r.findings {
			f := &r.findings[i]
			path := cmp.Or(f.Path, fileOf(of))
			by[path] = append(by[path], s.diagnostic(r, f))
			s.results.published[path] = true
		}
	}
	for path, of := range s.workspace.buffers {
		if of.isLarge() && isChecked(path) {
			by[path] = []protocol.Diagnostic{of.tooLarge()}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(by)) {
		p := protocol.PublishDiagnostics{URI: protocol.URIOf(path), Diagnostics: by[path]}
		if p.Diagnostics == nil {
			p.Diagnostics = []protocol.Diagnostic{}
		}
		if of := s.workspace.buffers[path]; of != nil && (of.isLarge() || of.Buffer == texts[path]) {
			p.Version = &of.version
		} else if of != nil {
			continue // the diagnostics are for an older text; the next run will follow
		}
		s.client.publish(p)
	}
}

// fileOf returns the file that shows the findings of a unit that have no file.
func fileOf(unit string) string {
	switch {
	case kptpackage.IsPackage(unit):
		return filepath.Join(unit, kptpackage.KptfileName)
	case packdir.Is(unit):
		return filepath.Join(unit, packdir.Metadata)
	}
	return unit
}

// diagnostic returns the diagnostic for a finding.
func (s *Server) diagnostic(r *result, f *report.Finding) protocol.Diagnostic {
	d := protocol.Diagnostic{Code: f.Rule, Source: "packfn", Message: f.For(diag.Terminal).Message, Severity: severityOf(f)}
	if f.Line > 0 {
		d.Range = s.results.rangeOf(r, f)
	}
	if f.Accepted {
		d.Tags = []int{protocol.TagDeprecated}
	}
	if rule.Of(f.Rule).ID != "" {
		d.CodeDescription = &protocol.CodeDescription{Href: s.options.RulePage(f.Rule)}
	}
	root := strings.TrimSuffix(f.Path, filepath.FromSlash(f.File))
	for _, place := range f.Related {
		path := filepath.Join(root, filepath.FromSlash(place.File))
		there := s.results.textOf(r, path).Token(diag.Position{Line: place.Line, Column: place.Column})
		d.RelatedInformation = append(d.RelatedInformation, protocol.RelatedInformation{Location: protocol.Location{URI: protocol.URIOf(path), Range: there}, Message: place.Message})
	}
	return d
}

// severityOf returns the severity of the protocol. An accepted finding is a hint, which editors show
// least.
func severityOf(f *report.Finding) int {
	switch {
	case f.Accepted:
		return protocol.SeverityHint
	case f.Severity == diag.Error:
		return protocol.SeverityError
	case f.Severity == diag.Warning:
		return protocol.SeverityWarning
	}
	return protocol.SeverityInformation
}
