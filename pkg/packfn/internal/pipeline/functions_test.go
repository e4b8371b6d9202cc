package pipeline

import (
	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/variant"
)

// functions are those that the tests of this package name; expand-variant-set does not run in them. It stands for one
// that checks and changes resources.
var functions = []function.Function{
	schema.Function(), capacity.Function(), preset.Function(), macro.Function(), variant.Function(),
	{Name: "expand-variant-set", Mutates: true, Checks: true, Accepts: []function.TypeMeta{{APIVersion: "config.porch.kpt.dev/v1alpha2", Kind: "PackageVariantSet"}}},
}
