// Command validate-pack-values checks that every value of every pack satisfies
// the pack's schema.yaml. See README.md.
package main

import (
	"os"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/schema"
)

func main() {
	os.Exit(function.Main(schema.Function(), functions.Docs("validate-pack-values")))
}
