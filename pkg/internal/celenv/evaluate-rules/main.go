// Command evaluate-rules evaluates CEL rules over lists of properties, with the cost limit. It
// tries each rule on one list after the other, until one satisfies it. Any program that finds the
// bundle for each rule must spend at least this time. Rules and lists come from standard input, a
// line of JSON each: rules are strings.
//
//	"properties.exists(p, p.type == 'olm.package')"
//	[{"type": "olm.package", "value": {"packageName": "red", "version": "1.0.0"}}]
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/krm-packs/functions/pkg/internal/celenv"
)

func main() {
	env := celenv.New(celenv.Variable("properties", cel.ListType(cel.MapType(cel.StringType, cel.AnyType))))
	var rules []*celenv.Program
	var lists []map[string]any
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line any
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			fail(err)
		}
		text, isRule := line.(string)
		if !isRule {
			lists = append(lists, map[string]any{"properties": celenv.Value(line)})
			continue
		}
		rule, err := env.Compile(text, celenv.Bool)
		if err != nil {
			fail(err)
		}
		rules = append(rules, rule)
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
	for _, rule := range rules {
		for _, list := range lists {
			holds, err := rule.Evaluate(context.Background(), list)
			if err != nil {
				fail(err)
			}
			if holds == types.True {
				break
			}
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
