// Command select-implementations selects Implementations for Interfaces by
// layered policies, and explains each choice. See README.md.
package main

import (
	"os"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/policy"
)

func main() {
	os.Exit(function.Main(policy.Function(), functions.Docs("select-implementations")))
}
