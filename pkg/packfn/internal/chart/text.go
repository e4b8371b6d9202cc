package chart

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/facts"
)

// readText reads a text that may be run as a template: what it names is read.
func (w *walker) readText(s *scope, text string) {
	if w.steps += len(text) / bytesOfStep; w.steps > maxSteps {
		w.failed = true
	}
	if w.failed {
		return
	}
	read := facts.ReadText(text)
	for _, name := range read.Values {
		s.values.follow(name).consume()
	}
	if read.Whole {
		s.values.consume()
	}
	w.runsUnknown = w.runsUnknown || read.RunsTexts
	for _, call := range read.Calls {
		switch {
		case call.Name != "" && w.defines[call.Name] == nil: // of another language
		case call.Name != "" && call.IsContext:
			w.call(&abstract{texts: []string{call.Name}}, &abstract{roots: []*scope{s}})
		default:
			s.values.consume()
		}
	}
}

// readTexts reads the texts of charts that may be run as templates: files, and texts in
// templates.
func (w *walker) readTexts(top *scope) {
	var texts []string
	top.all(func(s *scope) {
		for name, content := range s.chart.files {
			if !strings.HasPrefix(name, templates) && !strings.HasPrefix(path.Base(name), "README") {
				texts = append(texts, string(content))
			}
		}
	})
	slices.Sort(texts)
	// A text that users set may call any named template.
	// There `tpl` gets nothing that was not walked over before.
	known := w.runsUnknown
	for _, name := range slices.Sorted(maps.Keys(w.defines)) {
		top.all(func(s *scope) { w.call(&abstract{texts: []string{name}}, &abstract{roots: []*scope{s}}) })
	}
	w.runsUnknown = known
	// What is added while they are read is in the templates that they call.
	for _, text := range texts {
		top.all(func(s *scope) { w.readText(s, text) })
	}
	for i := 0; i < len(w.texts); i++ {
		top.all(func(s *scope) { w.readText(s, w.texts[i]) })
	}
}
