package set

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/krm-packs/functions/pkg/variant"
)

// syntax says what is wrong with a key and with a value of a map, "" for nothing.
// A nil function takes everything.
type syntax struct {
	key, value func(string) string
	// warning says that a variant can have others all the same.
	warning bool
}

// The maps of a variant. With other labels and annotations it is a PackageVariant
// still, but the API server refuses the PackageRevision that Porch makes of it.
var (
	labelSyntax      = syntax{key: faultOfLabel, value: faultOfLabelValue, warning: true}
	annotationSyntax = syntax{key: faultOfAnnotation, warning: true}
	contextSyntax    = syntax{key: faultOfContextKey}
	configMapSyntax  = syntax{}
)

// check tells what is wrong with a key or a value, as the part says. of names the
// variant in front of the message, and is empty for what all have.
func (s syntax) check(f *faults, part func(string) string, path, of, text string) {
	if part == nil {
		return
	}
	if message := part(text); message != "" {
		f.told(path, of+message)
		(*f)[len(*f)-1].Warning = s.warning
	}
}

const (
	labelName = "up to 63 letters, digits, '-', '_' and '.', that begins and ends with a letter or digit"
	qualified = "a name of " + labelName + ", with or without a prefix such as example.com/"
)

func faultOfLabel(name string) string {
	if len(validation.IsQualifiedName(name)) == 0 {
		return ""
	}
	return fmt.Sprintf("the API server refuses %q as the key of a label; want %s", name, qualified)
}

func faultOfAnnotation(name string) string {
	if len(validation.IsQualifiedName(strings.ToLower(name))) == 0 {
		return ""
	}
	return fmt.Sprintf("the API server refuses %q as the key of an annotation; want %s", name, qualified)
}

func faultOfLabelValue(value string) string {
	if len(validation.IsValidLabelValue(value)) == 0 {
		return ""
	}
	return fmt.Sprintf("the API server refuses %q as the value of a label; want nothing, or a text of %s", value, labelName)
}

func faultOfContextKey(name string) string {
	if !variant.IsReservedKey(name) {
		return ""
	}
	return fmt.Sprintf("the key %q of the package context is reserved: kpt and Porch set it", name)
}

// faultOfRepository says what is wrong with the name of a Repository. Names of
// other objects, which may be the defaults of it, can have more than those of
// Repositories; none can lead elsewhere in a path.
func faultOfRepository(name string) string {
	if name != "." && name != ".." && !strings.ContainsAny(name, `/\`) && isPlain(name) {
		return ""
	}
	return fmt.Sprintf("got %q, want the name of a Repository, without slashes, line breaks and blanks around it", name)
}

// faultOfPackage says what is wrong with the name of a package, which is its path
// in its repository.
func faultOfPackage(name string) string {
	switch {
	case path.IsAbs(name), strings.Contains(name, `\`), !isPlain(name):
		return fmt.Sprintf("got %q, want a path from the root of the repository, with slashes, without line breaks and blanks around it", name)
	case climbs(name):
		return fmt.Sprintf("got %q, which climbs; want a path within the repository, without ..", name)
	case path.Clean(name) == ".":
		return fmt.Sprintf("got %q, want the name of a package", name)
	case path.Clean(name) != name:
		return fmt.Sprintf("got %q, want %q", name, path.Clean(name))
	}
	return ""
}

func isPlain(name string) bool {
	return strings.TrimSpace(name) == name && !strings.ContainsFunc(name, unicode.IsControl)
}
