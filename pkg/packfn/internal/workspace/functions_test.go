package workspace

import (
	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/policy"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/variant"
)

// functions are those that the packages of the tests name.
var functions = []function.Function{
	schema.Function(), dependency.Function(), capacity.Function(), preset.Function(), macro.Function(), variant.Function(), policy.Function(),
}
