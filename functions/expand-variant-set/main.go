// Command expand-variant-set makes one PackageVariant for each target of a
// PackageVariantSet. See README.md.
package main

import (
	"os"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/variant/set"
)

func main() {
	os.Exit(function.Main(set.Function(), functions.Docs("expand-variant-set")))
}
