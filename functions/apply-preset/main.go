// Command apply-preset applies named presets to the values of packs, and changes
// only the lines that they name. See README.md.
package main

import (
	"os"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/preset"
)

func main() {
	os.Exit(function.Main(preset.Function(), functions.Docs("apply-preset")))
}
