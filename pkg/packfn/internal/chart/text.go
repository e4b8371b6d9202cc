package chart

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/facts"
)

// readText marks the values that a text names as read, because the text may be run as a template.
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
		case call.Name != "" && w.defines[call.Name] == nil: // a call in another template language
		case call.Name != "" && call.IsContext:
			w.call(&abstract{texts: []string{call.Name}}, &abstract{roots: []*scope{s}})
		default:
			s.values.consume()
		}
	}
}

// readTexts reads the texts in charts that may be run as templates: files, and strings in
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
	// A text that users set may call any named template. `tpl` gets no other values there than in
	// the previous walk.
	known := w.runsUnknown
	for _, name := range slices.Sorted(maps.Keys(w.defines)) {
		top.all(func(s *scope) { w.call(&abstract{texts: []string{name}}, &abstract{roots: []*scope{s}}) })
	}
	w.runsUnknown = known
	// Texts that are added during the loop come from the templates that these texts call.
	for _, text := range texts {
		top.all(func(s *scope) { w.readText(s, text) })
	}
	for i := 0; i < len(w.texts); i++ {
		top.all(func(s *scope) { w.readText(s, w.texts[i]) })
	}
}
