package workspace

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/values"
)

// step runs a function over the items of its package, and returns them as they are after
// it. Its functionConfig is the resource in the package as mutated so far. One that
// configPath names is not among its items.
func (r *renderer) step(s *pipeline.Step, items []*list.Item) ([]*list.Item, error) {
	l := &list.List{}
	if s.Config != nil {
		l.SetConfig(s.Config)
	}
	config, err := r.config(s, items)
	if err != nil {
		return nil, s.Fault(err)
	}
	if config != nil {
		if err := l.SetConfigItem(config); err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(r.tree.Dir, PathOf(config)), err)
		}
	}
	input, at := make([]*list.Item, 0, len(items)), make([]int, 0, len(items)) // of the input among the items
	for i, item := range items {
		count, err := s.Count(item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(r.tree.Dir, PathOf(item)), err)
		}
		if count > 1 {
			return nil, s.Repeated(count, item, PathOf(item))
		}
		if isConfig := item == config && s.Entry.ConfigRef == nil && s.Program == nil; count == 1 && !isConfig {
			input, at = append(input, item), append(at, i)
		}
	}
	r.result.Hidden = append(r.result.Hidden, s.Hides(items)...)
	runs, err := s.Runs(input)
	if err != nil {
		return nil, s.Fault(err)
	}
	if !runs {
		r.result.Skipped = append(r.result.Skipped, *s)
		return items, nil
	}
	if err := r.tree.checkResources(input); err != nil {
		return nil, err
	}
	l.Items = make([]*list.Item, 0, len(input))
	for _, item := range input {
		l.Items = append(l.Items, item.Next())
	}
	places := make(map[*list.Item]int, len(l.Items))
	for i, item := range l.Items {
		places[item] = at[i]
	}
	var outcome function.Outcome
	if s.Program == nil {
		outcome = r.options.Evaluate(s.Function, l)
	} else {
		outcome = r.runProgram(s, l, input, config)
	}
	run := Run{Step: *s, Outcome: outcome, input: input, changed: map[ID]string{}, moved: r.tree.moved}
	for _, f := range outcome.All() {
		id := IDOf(f.Resource())
		if name, ok := r.result.changed[id]; ok {
			run.changed[id] = name
		}
	}
	r.result.Runs = append(r.result.Runs, run)
	if outcome.Failed {
		return nil, errFailed
	}
	if !s.Mutator {
		return items, nil
	}
	return r.merge(s, items, places, l.Items)
}

// config returns the item that is the functionConfig of a function. It returns nil if the
// functionConfig is in the Kptfile, or if the Kptfile spells the path of its file differently
// from kpt.
func (r *renderer) config(s *pipeline.Step, items []*list.Item) (*list.Item, error) {
	if s.Entry.ConfigRef != nil {
		return s.Referred(slices.DeleteFunc(slices.Clone(items), func(item *list.Item) bool { return PackageOf(item) != s.Package }))
	}
	if s.Entry.ConfigPath == "" {
		return nil, nil
	}
	// kpt compares the path as it is written.
	at := slices.IndexFunc(items, func(item *list.Item) bool {
		return item.Resource().File == s.Entry.ConfigPath && PackageOf(item) == s.Package
	})
	if at < 0 {
		return nil, nil
	}
	return items[at], nil
}

// runProgram runs a program for a step.
func (r *renderer) runProgram(s *pipeline.Step, l *list.List, input []*list.Item, config *list.Item) function.Outcome {
	call := program.Call{List: l, Config: s.Config, IsSelected: isSelected(s), Mutates: s.Mutator}
	for i, item := range input {
		if item == config && s.Mutator {
			call.ConfigItem = l.Items[i]
		}
	}
	if config != nil {
		if document, err := config.Document(); err == nil {
			call.Config = document.Root()
		}
	}
	for _, item := range r.tree.items {
		if PathOf(item) == s.Kptfile() {
			call.Entry = diag.Say("").About(item.Resource(), s.Field).Where
		}
	}
	return r.options.Programs.Run(s.Program, call)
}

// isSelected reports whether the Kptfile selects or excludes resources.
func isSelected(s *pipeline.Step) bool { return len(s.Entry.Selectors)+len(s.Entry.Exclude) > 0 }

// merge puts the items that a function returned in the places of those that it got. New
// ones come last. A program that gets all items also gives them their order.
func (r *renderer) merge(s *pipeline.Step, items []*list.Item, places map[*list.Item]int, output []*list.Item) ([]*list.Item, error) {
	after := slices.Clone(items)
	var added []*list.Item
	var order []int
	for _, item := range output {
		switch {
		case item.Added():
			added = append(added, item)
			continue
		case item.Text() == nil:
			after[places[item]] = nil
		default:
			if _, changed := item.Edited(); changed {
				r.result.changed[IDOf(item.Resource())] = s.Function.Name
				after[places[item]] = item.Next()
			}
		}
		order = append(order, places[item])
	}
	if s.Program != nil && !isSelected(s) {
		ordered := make([]*list.Item, len(order))
		for i, at := range order {
			ordered[i] = after[at]
		}
		after = ordered
	}
	after = slices.DeleteFunc(after, func(item *list.Item) bool { return item == nil })
	for _, item := range added {
		stored, err := r.store(s, after, item)
		if err != nil {
			return nil, err
		}
		r.result.changed[IDOf(stored.Resource())] = s.Function.Name
		after = append(after, stored)
	}
	return after, nil
}

// store gives a new item its place: the file that its annotations name, after what that
// has.
func (r *renderer) store(s *pipeline.Step, items []*list.Item, item *list.Item) (*list.Item, error) {
	document, err := item.Document()
	if err != nil {
		return nil, fmt.Errorf("%s: the new %s: %w", s.Function.Name, item.Resource(), err)
	}
	annotations := list.Texts(values.Field(document.Root(), "metadata", "annotations"))
	pkg, file := annotations[list.PackagePathAnnotation], cmp.Or(annotations[list.PathAnnotation], annotations[list.OlderPathAnnotation])
	if pkg == "" {
		pkg = packagePath(s.Package)
	}
	if file == "" {
		file = strings.ToLower(path.Join(item.Namespace(), item.Kind()+"_"+item.Name()+".yaml"))
	}
	if file = strings.TrimPrefix(path.Clean(file), "/"); !filepath.IsLocal(file) { // kpt takes /a.yaml for a.yaml
		return nil, fmt.Errorf("%s: the new %s has the path %s, which is not in the package", s.Function.Name, item.Resource(), file)
	}
	var ofClients []string
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		if strings.HasPrefix(name, "internal.config.kubernetes.io/") || name == list.OlderPathAnnotation || name == list.OlderIndexAnnotation {
			ofClients = append(ofClients, name)
		}
	}
	if document, err = list.WithoutAnnotations(document, ofClients...); err != nil {
		return nil, err
	}
	index := 0
	for _, other := range slices.Concat(r.tree.read, r.tree.items, items) { // also of items that are gone
		if resource := other.Resource(); resource.PackagePath == pkg && resource.File == file {
			index = max(index, resource.Index+1)
		}
	}
	asked, err := strconv.Atoi(cmp.Or(annotations[list.IndexAnnotation], annotations[list.OlderIndexAnnotation]))
	hasIndex := err == nil && asked >= 0
	if hasIndex {
		index = asked
	}
	for _, other := range items {
		resource := other.Resource()
		switch {
		case resource.PackagePath != pkg || resource.File != file:
		case hasIndex && resource.Index == index:
			return nil, fmt.Errorf("%s: the new %s has the path %s and the index %d, which %s has; kpt rejects it", s.Function.Name, item.Resource(), file, index, resource)
		case !hasIndex && r.unindexed[IDOf(resource)]:
			return nil, fmt.Errorf("%s: the new %s has the path %s and no index, as the new %s has; kpt rejects it", s.Function.Name, item.Resource(), file, resource)
		}
	}
	if !hasIndex {
		r.unindexed[ID{pkg, file, index}] = true
	}
	return list.FileItem([]byte(document.Text()), file, index).InPackage(pkg), nil
}
