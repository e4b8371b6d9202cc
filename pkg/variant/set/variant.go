package set

import "github.com/krm-packs/functions/pkg/variant"

// Variant is a PackageVariant that a set makes.
type Variant struct {
	// Name and Namespace are those of the metadata.
	Name, Namespace string
	Spec            variant.Spec

	// from is what the variant is made of.
	from *candidate
}

// Entry is an annotation of a printed variant.
type Entry struct{ Key, Value string }
