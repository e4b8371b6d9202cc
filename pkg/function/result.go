package function

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/kptdev/krm-functions-sdk/go/fn"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// result makes the SDK's result of a finding.
func result(f *diag.Finding) *fn.Result {
	out := &fn.Result{
		Message:  f.Message() + " [" + f.Rule.ID + "]",
		Severity: fn.Severity(f.Severity),
		Tags:     map[string]string{"rule": f.Rule.ID},
	}
	resource := f.Resource()
	if ref := (fn.ResourceRef{APIVersion: resource.APIVersion, Kind: resource.Kind, Namespace: resource.Namespace, Name: resource.Name}); ref != (fn.ResourceRef{}) {
		out.ResourceRef = &ref
	}
	if resource.File != "" {
		out.File = &fn.File{Path: resource.File, Index: resource.Index}
	}
	if path := f.Path(); path != "" {
		out.Field = &fn.Field{Path: path, CurrentValue: asText(f.Current), ProposedValue: asText(f.Proposed)}
	}
	tag := func(name, value string) {
		if value != "" {
			out.Tags[name] = value
		}
	}
	for name, value := range f.Tags {
		tag(name, value)
	}
	tag("pack", f.Pack)
	if f.Origin != nil && f.Origin.Field != "" {
		tag("key", f.Key)
	}
	if f.Origin != nil && f.Origin.Embedded && f.Position.Line > 0 {
		tag("line", strconv.Itoa(f.Position.Line))
		if f.Position.Column > 0 {
			tag("column", strconv.Itoa(f.Position.Column))
		}
	}
	return out
}

// resultsAtOnce is the number of results that are printed at once: each printing takes
// a buffer of 128 KiB, and the tree of one result some kilobytes.
const resultsAtOnce = 64

// printResults prints results as a YAML list. It returns nil if there are none.
func printResults(results fn.Results) ([]byte, error) {
	var all []byte
	for some := range slices.Chunk(results, resultsAtOnce) {
		text, err := values.Print([]*fn.Result(some))
		if err != nil {
			return nil, err
		}
		all = append(all, text...)
	}
	return all, nil
}

// asText returns a number or a bool as text. Porch reads the values of results as text, and
// fails to render a package if a result has a number there.
func asText(value any) any {
	switch value.(type) {
	case bool, int, int64, uint64, float64:
		return fmt.Sprint(value)
	}
	return value
}
