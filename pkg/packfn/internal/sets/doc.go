// Package sets divides the files outside of packages into sets that are deployed together: by kustomizations, by
// environments, or else by directories:
//
//	clusters/dev/cluster.yaml    a set: clusters/dev and packs, because it is an environment
//	clusters/prod/cluster.yaml   a set: clusters/prod and packs
//	packs/web.yaml
//	overlays/a/kustomization.yaml    a set: the files that it names
package sets
