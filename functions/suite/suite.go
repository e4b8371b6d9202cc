// Package suite lists all functions, for what works on each of them: the program
// that holds them all, and the schemas for editors. The program of one function
// does not import it, so that it links nothing of the others.
package suite

import (
	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/policy"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/set"
)

// All returns the functions.
func All() []function.Function {
	return []function.Function{
		schema.Function(),
		dependency.Function(),
		capacity.Function(),
		preset.Function(),
		macro.Function(),
		variant.Function(),
		set.Function(),
		policy.Function(),
	}
}
