package e2e

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// differentResults says in what two results files of kpt differ as data; nothing when they do not. Comments, key order
// and the form of scalars do not count, nor does the last line's end in stderr, which kpt keeps from a binary and drops
// from an image.
func differentResults(want, got string) (string, error) {
	wanted, err := readResults(want)
	if err != nil {
		return "", fmt.Errorf("the expected results are not YAML: %w", err)
	}
	gotten, err := readResults(got)
	if err != nil {
		return "", fmt.Errorf("the results of kpt are not YAML: %w", err)
	}
	return cmp.Diff(wanted, gotten), nil
}

func readResults(file string) (any, error) {
	var results map[string]any
	if err := yaml.Unmarshal([]byte(file), &results); err != nil {
		return nil, err
	}
	items, _ := results["items"].([]any)
	for _, item := range items {
		run, _ := item.(map[string]any)
		if stderr, ok := run["stderr"].(string); ok {
			run["stderr"] = strings.TrimSuffix(stderr, "\n")
		}
	}
	return results, nil
}
