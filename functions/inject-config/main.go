// Command inject-config does to a package what a PackageVariant asks for: package context,
// pipeline, and configuration injection. See README.md.
package main

import (
	"os"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/variant"
)

func main() {
	os.Exit(function.Main(variant.Function(), functions.Docs("inject-config")))
}
