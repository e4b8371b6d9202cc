package fleet

import (
	"fmt"
	"path"
	"strings"
)

// findOverlaps faults the variants that make the same package, or one package in another:
// each would overwrite the files of the other.
func (in *input) findOverlaps() {
	first := map[string]*packageVariant{}
	folder := func(v *packageVariant) string { return path.Join(v.Spec.Downstream.Repo, v.Spec.Downstream.Package) }
	clash := func(v, other *packageVariant) {
		for _, pair := range [][2]*packageVariant{{v, other}, {other, v}} {
			it, its := pair[0], pair[1]
			switch {
			case it.fault != "":
			case folder(it) == folder(its):
				it.fault = fmt.Sprintf("the PackageVariant %s also makes the package %s; remove one", its.Name, folder(its))
			default:
				it.fault = fmt.Sprintf("the package %s overlaps with %s of the PackageVariant %s; give it another package", folder(it), folder(its), its.Name)
			}
		}
	}
	for _, v := range in.variants {
		if v.fault != "" {
			continue
		}
		name := folder(v)
		if other := first[name]; other != nil {
			clash(v, other)
			continue
		}
		first[name] = v
	}
	for _, v := range in.variants {
		name := folder(v)
		if first[name] == nil {
			continue // faulty in itself
		}
		for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
			if other := first[name[:at]]; other != nil {
				clash(v, other)
			}
		}
	}
}
