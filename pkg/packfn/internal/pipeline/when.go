package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"

	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/list"
)

// conditions declares what an expression in the field when can use, as kpt 1.0 does.
var conditions = celenv.New(
	celenv.Variable("resources", cel.ListType(cel.DynType)),
	celenv.Library(
		cel.HomogeneousAggregateLiterals(), cel.DefaultUTCTimeZone(true), cel.CrossTypeNumericComparisons(true), cel.OptionalTypes(),
		ext.Strings(ext.StringsVersion(2)), ext.Sets(), ext.TwoVarComprehensions(), ext.Lists(ext.ListsVersion(3)),
	),
)

// Runs reports whether the field when of the Kptfile lets the function run over the items that
// its selectors choose. It returns an error if this cannot be determined; kpt ends the render
// then.
//
//	when: resources.exists(r, r.kind == "Namespace")
func (s *Step) Runs(items []*list.Item) (bool, error) {
	if s.Entry.When == "" {
		return true, nil
	}
	program, err := conditions.Compile(s.Entry.When, celenv.Bool)
	if failed, ok := errors.AsType[*celenv.CompileError](err); ok {
		f := failed.Issues[0].Explain(s.Entry.When, []string{"resources"})
		return false, fmt.Errorf("when: %s", f.Message())
	}
	if err != nil {
		return false, fmt.Errorf("when: %w", err)
	}
	resources := make([]any, len(items))
	for i, item := range items {
		if resources[i], err = content(item); err != nil {
			return false, fmt.Errorf("when: %s: %w", item.Resource(), err)
		}
	}
	result, err := program.Evaluate(context.Background(), map[string]any{"resources": celenv.Value(resources)})
	if err != nil {
		return false, fmt.Errorf("when: %w", err)
	}
	return result.Value() == true, nil
}

// content returns a resource as an expression sees it: like kpt's, it has annotations for
// its file and its place there. The paths of packages, which differ between machines, are
// left out.
func content(item *list.Item) (map[string]any, error) {
	document, err := item.Document()
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := document.Root().Decode(&all); err != nil {
		return nil, err
	}
	metadata, ok := all["metadata"].(map[string]any)
	if !ok {
		return all, nil
	}
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	resource := item.Resource()
	for _, prefix := range []string{"config.kubernetes.io/", "internal.config.kubernetes.io/"} {
		annotations[prefix+"path"] = resource.File
		annotations[prefix+"index"] = strconv.Itoa(resource.Index)
	}
	return all, nil
}
