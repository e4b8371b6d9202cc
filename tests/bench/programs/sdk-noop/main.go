// Command sdk-noop is a function on the SDK that does nothing: the SDK reads,
// parses, sorts and prints the list.
package main

import (
	"os"

	"github.com/kptdev/krm-functions-sdk/go/fn"
)

func main() {
	nothing := fn.ResourceListProcessorFunc(func(*fn.ResourceList) (bool, error) { return true, nil })
	if err := fn.AsMain(nothing); err != nil {
		os.Exit(1)
	}
}
