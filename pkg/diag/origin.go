package diag

import (
	"cmp"
	"fmt"
)

// Position is a place in a text. Both numbers start at 1; Column counts code points,
// not bytes, and not a byte order mark. The zero Position is not a place.
// Line is the line, and Column the column or 0 if only the line is known.
type Position struct{ Line, Column int }

// String returns "line 3, column 5", or only the line when the column is unknown.
func (p Position) String() string {
	if p.Column == 0 {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("line %d, column %d", p.Line, p.Column)
}

// Resource identifies a resource and the file it came from.
type Resource struct {
	// APIVersion, Kind, Namespace and Name are as in the resource. Namespace is "" if there is none.
	APIVersion, Kind, Namespace, Name string
	// File is the path of the file, relative to its package, or "" if unknown.
	File string
	// Index is the index of the resource in its file, from 0.
	Index int
	// PackagePath distinguishes files of one path in different packages. It may be
	// absolute, so it is never printed.
	PackagePath string
}

// String names the resource for a message: `ConfigMap vault`.
func (r Resource) String() string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	switch {
	case r.Kind == "":
		return name
	case name == "":
		return r.Kind
	}
	return r.Kind + " " + name
}

// InFile is the kind and the name, and the file if it is known: `Pack vault (vault.yaml)`.
func (r Resource) InFile() string {
	if r.File == "" {
		return r.String()
	}
	return fmt.Sprintf("%s (%s)", r, r.File)
}

// IsZero reports whether r names no resource.
func (r Resource) IsZero() bool { return r == Resource{} }

// Compare orders resources by package, file and place in it.
func (r Resource) Compare(other Resource) int {
	return cmp.Or(
		cmp.Compare(r.PackagePath, other.PackagePath),
		cmp.Compare(r.File, other.File),
		cmp.Compare(r.Index, other.Index),
		cmp.Compare(r.APIVersion, other.APIVersion),
		cmp.Compare(r.Kind, other.Kind),
		cmp.Compare(r.Namespace, other.Namespace),
		cmp.Compare(r.Name, other.Name),
	)
}

// Origin is the place of a document. All findings of a document share it.
type Origin struct {
	// Resource holds the document.
	Resource Resource
	// Field is the document's path in the resource: `data[values.yaml]`, `spec.values`, or "" if
	// the resource itself is the document.
	Field string
	// Name is the name of the document in messages: `values.yaml`, `spec.values`.
	Name string
	// Embedded reports whether the document is a text with lines of its own, and not a part of the
	// resource. Clients reprint resources, so their lines mislead.
	Embedded bool
	// Authored reports whether the document was written by the author of a pack, or by anyone else
	// but the user. Tools do not change it.
	Authored bool
}

// Whole returns the origin of findings about a resource itself.
func Whole(r Resource) *Origin { return &Origin{Resource: r} }

// Place names a position for a message: `values.yaml line 14`, or only the name
// when the document has no lines of its own.
func (o *Origin) Place(at Position) string {
	if o == nil {
		return ""
	}
	if !o.Embedded || at.Line == 0 {
		return o.Name
	}
	return fmt.Sprintf("%s line %d", o.Name, at.Line)
}

// Path returns the path in the resource of a key of the document. A key of an embedded document has
// no path in the resource, so its path is the path of the document.
func (o *Origin) Path(key string) string {
	switch {
	case o == nil:
		return key
	case o.Embedded || key == "":
		return o.Field
	}
	return Join(o.Field, key)
}

// Join appends a key, or an index in brackets, to a path.
func Join(path, key string) string {
	if path == "" || key == "" || key[0] == '[' {
		return path + key
	}
	return path + "." + key
}
