// Command parse-packs parses texts of YAML into nodes and does nothing else:
// what any program must spend that reads them. The texts come from standard
// input, each ended by a zero byte.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

func main() {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	for text := range strings.SplitSeq(string(input), "\x00") {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
