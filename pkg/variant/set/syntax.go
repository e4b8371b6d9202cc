package set

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/variant"
)

// syntax returns the fault of a key and of a value of a map, or nil if it has none. A nil function
// accepts everything.
type syntax struct {
	// key returns the fault of a key, and value the fault of a value.
	key, value func(string) *diag.Finding
	// isWarning reports whether a fault is only a warning, because a variant can have other keys
	// and values.
	isWarning bool
}

// The maps of a variant. With other labels and annotations it still is a PackageVariant,
// but the API server rejects the PackageRevision that Porch makes of it.
var (
	labelSyntax      = syntax{key: faultOfLabel, value: faultOfLabelValue, isWarning: true}
	annotationSyntax = syntax{key: faultOfAnnotation, isWarning: true}
	contextSyntax    = syntax{key: variant.KeyFault}
	configMapSyntax  = syntax{}
)

// check adds the faults of a key or a value, as part says. of is the variant that has it, or nil
// for what all variants have.
func (s syntax) check(f *findings, part func(string) *diag.Finding, path string, of *candidate, text string) {
	if part == nil {
		return
	}
	fault := part(text)
	if fault == nil {
		return
	}
	if s.isWarning {
		fault.Severity = diag.Warning
	}
	if of != nil {
		*fault = of.has(*fault)
	}
	f.invalid(path, *fault)
}

// got returns the finding of a text that is not accepted.
func got(text, accepted string) *diag.Finding {
	return new(diag.GotText(text, accepted))
}

const (
	labelName = "up to 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends"
	qualified = labelName + ", with or without a prefix such as example.com/"
)

// faultOfLabel returns the fault of the key of a label, or nil if it has none.
func faultOfLabel(name string) *diag.Finding {
	if len(validation.IsQualifiedName(name)) == 0 {
		return nil
	}
	return got(name, "the key of a label ("+qualified+")")
}

// faultOfAnnotation returns the fault of the key of an annotation, in which upper case counts as lower
// case, as in Kubernetes.
func faultOfAnnotation(name string) *diag.Finding {
	if len(validation.IsQualifiedName(strings.ToLower(name))) == 0 {
		return nil
	}
	return got(name, "the key of an annotation ("+qualified+")")
}

// faultOfLabelValue returns the fault of the value of a label, or nil if it has none.
func faultOfLabelValue(value string) *diag.Finding {
	if len(validation.IsValidLabelValue(value)) == 0 {
		return nil
	}
	return got(value, "the value of a label (empty, or "+labelName+")")
}

// faultOfRemovedKey returns the fault of a key to remove, or nil if it has none. Keys that a
// ConfigMap cannot have can be removed.
func faultOfRemovedKey(name string) *diag.Finding {
	if !variant.IsReservedKey(name) {
		return nil
	}
	return new(variant.ReservedKey(name))
}

// faultOfRepository returns the fault of the name of a Repository, or nil if it has none. Other
// objects, whose names may be its default, accept more names than Repositories do. No name can lead
// elsewhere in a path.
func faultOfRepository(name string) *diag.Finding {
	if name != "." && name != ".." && !strings.ContainsAny(name, `/\`) && isPlain(name) {
		return nil
	}
	return got(name, "the name of a Repository without slashes, line breaks or surrounding whitespace")
}

// faultOfPackage returns the fault of the name of a package, which is its path in its repository,
// or nil if it has none.
func faultOfPackage(name string) *diag.Finding {
	switch clean := path.Clean(name); {
	case path.IsAbs(name), strings.Contains(name, `\`), !isPlain(name):
		return got(name, "a path from the root of the repository with slashes and without line breaks or surrounding whitespace")
	case climbs(name):
		return got(name, "a path in the repository without ..")
	case clean == ".":
		return got(name, "the name of a package")
	case clean != name:
		return new(unclean(name, clean))
	}
	return nil
}

// unclean makes a finding of a path with parts that mean nothing.
func unclean(name, clean string) diag.Finding {
	return got(name, fmt.Sprintf("%q", clean)).Saying("%q is not a clean path", name).Propose(name, clean).Do(fmt.Sprintf("write %q", clean))
}

func isPlain(name string) bool {
	return strings.TrimSpace(name) == name && !strings.ContainsFunc(name, unicode.IsControl)
}
