package function

import (
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// Faults are the places of resources that cannot be read.
type Faults struct {
	// at are the paths with a fault, and above the paths that have one below them.
	at, above map[faultKey]bool
}

func newFaults() Faults { return Faults{map[faultKey]bool{}, map[faultKey]bool{}} }

// faultKey is a path of a resource.
type faultKey struct {
	resource diag.Resource
	path     string
}

// Faults returns the faults of the functionConfig and of other inputs that were reported
// so far, and later ones when they are reported. A misspelt field is a fault of the
// nearest field.
func (r *Run) Faults() Faults { return r.collector.faults }

// add notes a fault, and all paths above it.
func (f Faults) add(fault *diag.Finding) {
	path := fault.Path()
	if fault.Kind == diag.KindUnknown && fault.Nearest != "" {
		path = beside(path, fault.Nearest)
	}
	f.at[faultKey{fault.Resource(), path}] = true
	for path != "" {
		path = parent(path)
		f.above[faultKey{fault.Resource(), path}] = true
	}
}

// IsHidden reports whether a fault is at a path of a resource, `spec.machinePools[0].size`,
// above it or below it. Then the content at the path is unknown. A finding that it
// is missing only follows from the fault, and must not be reported.
func (f Faults) IsHidden(resource diag.Resource, path string) bool {
	if f.above[faultKey{resource, path}] {
		return true
	}
	for path != "" && !f.at[faultKey{resource, path}] {
		path = parent(path)
	}
	return f.at[faultKey{resource, path}]
}

// parent returns the path above another one, or "" for one of a single step. A key in brackets may
// have dots.
func parent(path string) string {
	end := ".["
	if strings.HasSuffix(path, "]") {
		end = "["
	}
	return path[:max(0, strings.LastIndexAny(path, end))]
}

// beside returns the path of another name at the place of the last one of a path.
func beside(path, name string) string {
	if strings.HasSuffix(path, "]") {
		return parent(path) + "[" + name + "]"
	}
	return diag.Join(parent(path), name)
}
