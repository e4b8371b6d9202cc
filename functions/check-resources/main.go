// Command check-resources compares what packs ask for with what the machine pools of a
// cluster have. See README.md.
package main

import (
	"os"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/function"
)

func main() {
	os.Exit(function.Main(capacity.Function(), functions.Docs("check-resources")))
}
