// Command resolve-macros replaces the macros in values of packs by their values.
// See README.md.
package main

import (
	"os"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/macro"
)

func main() {
	os.Exit(function.Main(macro.Function(), functions.Docs("resolve-macros")))
}
