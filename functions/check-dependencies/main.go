// Command check-dependencies checks that packs and bundles find what they
// require. See README.md.
package main

import (
	"os"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/function"
)

func main() {
	os.Exit(function.Main(dependency.Function(), functions.Docs("check-dependencies")))
}
