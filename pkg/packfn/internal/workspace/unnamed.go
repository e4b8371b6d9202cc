package workspace

import (
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
)

// Scope is a package with the items that a check reads which no pipeline names.
type Scope struct {
	// Package is the path of the package, and Items are its items.
	Package string
	Items   []*list.Item
}

// Unnamed returns what a check reads in packages whose pipelines do not name it, as if a pipeline
// there would: a package and its subpackages, without the subpackages that have a pipeline of the
// suite or a ClusterContext of their own. Each of these is a scope, too. A step that names the check
// reads its package with all subpackages, so these have no scope.
//
//	platform/            one scope: platform and platform/web
//	  web/Kptfile
//	  dev/cluster.yaml   a scope of its own
//	  dev/Kptfile
func Unnamed(check string, steps []pipeline.Step, items []*list.Item) []Scope {
	isOwn, isNamed := map[string]bool{".": true}, map[string]bool{}
	for i := range steps {
		isOwn[steps[i].Package] = isOwn[steps[i].Package] || steps[i].Function.New != nil
		isNamed[steps[i].Package] = isNamed[steps[i].Package] || steps[i].Function.Name == check
	}
	for _, item := range items {
		if pack.IsCluster(item) {
			isOwn[PackageOf(item)] = true
		}
	}
	in := map[string][]*list.Item{}
	for _, item := range items {
		scope := ""
		for dir := range parents.OfSlash(PackageOf(item)) {
			if isNamed[dir] {
				scope = ""
				break
			}
			if scope == "" && isOwn[dir] {
				scope = dir
			}
		}
		if scope != "" {
			in[scope] = append(in[scope], item)
		}
	}
	var scopes []Scope
	for _, dir := range slices.Sorted(maps.Keys(in)) { // the root is first
		scopes = append(scopes, Scope{dir, in[dir]})
	}
	return scopes
}
