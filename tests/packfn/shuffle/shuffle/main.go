// Command program is the function shuffle, for kpt.
package main

import (
	"os"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/tests/packfn/shuffle"
)

func main() { os.Exit(function.Main(shuffle.Function(), function.Docs{})) }
