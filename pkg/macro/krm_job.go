package macro

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/selector"
	"github.com/krm-packs/functions/pkg/values"
)

// job is a document with values to resolve: the values of a pack or an override, or a resource.
type job struct {
	// origin is the place of the document.
	origin *diag.Origin
	pack   string // its name, or "" for a resource
	// sources are the values as they were before macros were resolved.
	sources *hydration.Sources
	// isFirst reports whether no other step has resolved the values before, and isChosen whether
	// the configuration chooses them.
	isFirst, isChosen bool
	// edit writes an edited form of the document that the sources were read from.
	edit func(edit func() (*values.Document, error)) error
	// mode determines the comments that are written.
	mode hydration.Mode
}

// source returns the job of the values of a pack or an override.
func (p *processor) source(s *pack.Source, packName string) (*job, error) {
	if j := p.bySource[s.Origin]; j != nil {
		return j, nil
	}
	isFirst := p.position.IsFirst(injection.Place{Package: s.Resource.PackagePath, File: s.Resource.File})
	sources, err := s.Sources(p.reading(isFirst))
	if err != nil {
		return nil, err
	}
	j := &job{origin: s.Origin, pack: packName, sources: sources, isFirst: isFirst, mode: mode(s.Resource.File, isFirst)}
	j.edit = func(edit func() (*values.Document, error)) error {
		return s.Edit(func(*values.Document, []values.Step) (*values.Document, error) { return edit() })
	}
	p.jobs, p.bySource[s.Origin] = append(p.jobs, j), j
	return j, nil
}

// resources makes a job of each resource that the configuration chooses, and returns their
// number. In a first step also those that have sources are jobs, which a later step may choose.
// Packs and ClusterContexts are not among them.
func (p *processor) resources(packs map[*list.Item]bool) int {
	chosen := 0
	for _, item := range p.run.Items() {
		p.run.Guard(item.Resource(), func() {
			if packs[item] || pack.IsCluster(item) || !p.mayChoose(item) && !hasSources(item) && !mayStay(item) {
				return
			}
			if p.resource(item) {
				chosen++
			}
		})
	}
	return chosen
}

// resource makes the job of a resource, and reports whether the configuration chooses it.
func (p *processor) resource(item *list.Item) bool {
	origin := diag.Whole(item.Resource())
	document, err := item.Document()
	mayChoose := p.mayChoose(item)
	if err != nil {
		if mayChoose {
			p.emit(diag.Unreadable(err).From(origin).Of(rule.InputInvalid))
		}
		return false
	}
	if pack.Holds(item, document) {
		return false
	}
	matches := func(s selector.Selector) bool { return s.MatchesHead(item) && s.MatchesLabels(document.Root()) }
	isFirst := p.position.IsFirst(injection.PlaceOf(item))
	j := &job{origin: origin, isFirst: isFirst, mode: mode(origin.Resource.File, isFirst), isChosen: mayChoose && slices.ContainsFunc(p.config.Resources, matches)}
	j.sources = hydration.Read(document.From(origin), nil, p.reading(isFirst))
	j.edit = func(edit func() (*values.Document, error)) error {
		edited, err := edit()
		if err == nil && edited.Text() != document.Text() {
			item.Replace(edited)
		}
		return err
	}
	if !j.isChosen && mayStay(item) {
		p.stays(j)
	}
	if j.isChosen {
		p.points = append(p.points, p.injection.Of(item))
	}
	if j.isChosen || hasSources(item) {
		p.jobs = append(p.jobs, j)
	}
	return j.isChosen
}

// restores reports whether the sources of a job are put back before anything is resolved: it
// is one of a first step, which puts back all of its input.
func (p *processor) restores(j *job) bool { return j.isFirst && (j.isChosen || p.position.IsKnown) }

// report reports findings about a job.
func (p *processor) report(j *job) func(diag.Finding) {
	return func(f diag.Finding) {
		if f = f.For(j.pack); f.Rule == rule.MacroKept {
			p.kept = append(p.kept, f)
			return
		}
		p.run.Report(f)
	}
}

// resolve resolves the values of a job. Those that are not chosen become their sources, for a
// later step.
func (p *processor) resolve(j *job) {
	if !j.isChosen {
		if p.restores(j) {
			p.write(j, j.sources.Restored)
		}
		return
	}
	results := p.resolver.resolveDocument(j.sources, p.report(j))
	edits := j.sources.Edits(results, j.mode)
	p.unrecorded(j, edits)
	p.write(j, func() (*values.Document, error) { return j.sources.Whole().Rewrite(edits.Scalars, edits.Comments) })
}

// unrecorded reports the macros that no comment can keep: each collection by its key, and the
// others, for which nothing but the whole document can be written in another way, together.
func (p *processor) unrecorded(j *job, edits hydration.Edits) {
	said := func(count int, why, action string) diag.Finding {
		what, are := "macros", "are"
		if count == 1 {
			what, are = "macro", "is"
		}
		return diag.Say("%d %s %s resolved once, because %s", count, what, are, why).Do(action).Of(rule.MacroUnrecorded)
	}
	rest := edits.Unrecorded
	for _, c := range edits.Collections {
		path, isIn := pathTo(j.sources.Part().Root(), c.Node)
		if !isIn {
			continue
		}
		rest -= c.Count
		what := "map"
		if c.Node.Kind == yaml.SequenceNode {
			what = "list"
		}
		f := said(c.Count, "no comment can keep what is in brackets with an anchor, an alias or a tag", "write this "+what+" in block form, with each entry on a line of its own")
		p.run.Report(f.In(j.sources.Part().Origin(), path, values.At(c.Node)).For(j.pack))
	}
	if rest > 0 {
		why := "no comment can keep them here"
		if rest == 1 {
			why = "no comment can keep it here"
		}
		f := said(rest, why, "write the values in block form")
		p.run.Report(f.From(j.origin).For(j.pack))
	}
}

// wait puts back the sources of a job while something waits, and returns the number of its
// macros.
func (p *processor) wait(j *job) int {
	if !j.isChosen && !p.restores(j) {
		return 0
	}
	if p.restores(j) {
		p.write(j, j.sources.Restored)
	}
	return p.resolver.waitDocument(j.sources, p.report(j))
}

// write writes an edit of a document, and reports the error if it cannot be made.
func (p *processor) write(j *job, edit func() (*values.Document, error)) {
	if err := j.edit(edit); err != nil {
		p.run.Report(diag.Say("%v", err).From(j.origin).For(j.pack).Of(rule.MacroInvalid))
	}
}

// mayStay reports whether an item is a resource for the cluster with the text of a macro,
// which stays as it is if the item is not chosen.
func mayStay(item *list.Item) bool {
	const name = ".spectro."
	return item.Name() != "" && bytes.Contains(item.Text(), []byte(name)) && item.Annotation(list.LocalConfigAnnotation) != "true" &&
		!pack.Wants(item) && !pack.InCluster(item) && !slices.Contains([]string{pack.Group, "fn.kpt.dev", "kpt.dev", "config.porch.kpt.dev"}, item.Group())
}

// stays reports the macros of a resource that is not chosen.
func (p *processor) stays(j *job) {
	w := walker{key: func(*walker, *yaml.Node) {}}
	w.scalar = func(n *yaml.Node) {
		if template.HasMacro(n.Value) {
			f := diag.Say("the macro is not resolved, because this resource is neither a pack nor an override").
				Do("to resolve the macro, select the resource in spec.resources of ResolveMacros")
			p.emit(f.In(j.origin, w.at(""), values.At(n)).Of(rule.MacroSuspicious))
		}
	}
	w.walk(j.sources.Document().Root())
}
