package pipeline

import (
	"iter"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/rule"
)

// misspelt returns the finding about a function whose name is probably a misspelling of a
// function of the suite, and the field with the name. The field is "" if there is no such
// finding.
func (s *Step) misspelt(functions []function.Function) (f diag.Finding, field string) {
	meant := s.Meant(functions)
	if meant == "" {
		return f, ""
	}
	program, text := s.Entry.Program(), s.Entry.Image
	if field = ".image"; text == "" {
		field, text = ".exec", s.Entry.Exec
	}
	f = diag.Unknown("function", program, Names(functions))
	if f.Nearest = meant; strings.Count(text, program) == 1 {
		f = f.Correct(text, strings.Replace(text, program, meant, 1))
	}
	return f.Of(rule.PipelineFunction), field
}

// catalog is where kpt looks for an image whose name has no registry.
const catalog = "ghcr.io/kptdev/krm-functions-catalog/"

// misused yields findings about an entry that names a function of the suite as kpt cannot use it, by the
// fields of the entry:
//
//	validators:
//	- image: check-resources:v1.0.0       # an image of kpt's own catalog
//	- exec: ./bin/check-resources         # depends on where kpt runs
//	- exec: check-resources --help        # reads no resources
//	- exec: resolve-macros                # its changes are lost
func (s *Step) misused() iter.Seq2[string, diag.Finding] {
	return func(yield func(string, diag.Finding) bool) {
		name := s.Function.Name
		if name == "" || s.Program != nil {
			return
		}
		if !s.Mutator && s.Function.Mutates && !s.Function.Checks {
			f := diag.Say("%s changes resources, but kpt discards what validators change", name).Do("move it to pipeline.mutators")
			if !yield("", f.Of(rule.PipelineMisplaced)) {
				return
			}
		}
		if image := s.Entry.Image; image != "" && !strings.Contains(image, "/") {
			f := diag.Say("kpt reads %q as %s, which does not exist", image, catalog+image).Do("write the registry, as in " + function.Image(s.Entry.Program()))
			if !yield(".image", f.Of(rule.PipelineImage)) {
				return
			}
		}
		words, _ := s.Entry.Command()
		switch {
		case len(s.Arguments()) > 0:
			f := diag.Say("%s takes no arguments in a pipeline, because with them it does not read the resources", name).Do("remove them")
			f.Severity = diag.Error
			yield(".exec", f.Of(rule.PipelineExec))
		case len(words) > 0 && strings.Contains(words[0], "/") && !filepath.IsAbs(words[0]):
			f := diag.Say("kpt looks for %q in the directory in which you run it, and not in the package", words[0]).
				Do("write " + s.Entry.Program() + " and add its directory to PATH, or write an absolute path")
			yield(".exec", f.Of(rule.PipelineExec))
		}
	}
}
