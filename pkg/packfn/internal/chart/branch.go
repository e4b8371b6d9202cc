package chart

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"
)

// comparison matches the comparison of a version with a constant constraint, such as
// `semverCompare ">=1.29" .Capabilities.KubeVersion.Version`.
var comparison = regexp.MustCompile("semverCompare\\s+(?:\"([^\"\n]{1,256})\"|`([^`\n]{1,256})`)")

// Branches returns a function that locates the branch of a template that depends on which of two
// versions of Kubernetes is used, such as `templates/a.yaml:3`. If the template has no such
// branch, it returns the location in the first helper that has one, or else the template without
// a line.
//
//	{{ if semverCompare ">=1.29" .Capabilities.KubeVersion.Version }}
func (c *Chart) Branches(one, other *semver.Version) func(file string) string {
	differs := func(text []byte) (line int) {
		for _, at := range comparison.FindAllSubmatchIndex(text, -1) {
			from, to := max(at[2], at[4]), max(at[3], at[5])
			if constraint, err := semver.NewConstraint(string(text[from:to])); err == nil && constraint.Check(one) != constraint.Check(other) {
				return 1 + strings.Count(string(text[:from]), "\n")
			}
		}
		return 0
	}
	helper := sync.OnceValues(func() (string, int) { return c.branch(differs) })
	return func(file string) string {
		name, line := file, 0
		if sub, _, own := c.at(file); sub != nil {
			line = differs(sub.files[own])
		}
		if line == 0 {
			name, line = helper()
		}
		if line == 0 {
			return file
		}
		return fmt.Sprintf("%s:%d", name, line)
	}
}

// branch returns the first helper of the chart and its subcharts that differs, and the line. The
// line is 0 if there is none.
func (c *Chart) branch(differs func([]byte) int) (file string, line int) {
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		if strings.HasPrefix(name, templates) && strings.HasPrefix(path.Base(name), "_") {
			if line := differs(c.files[name]); line > 0 {
				return name, line
			}
		}
	}
	for _, sub := range c.subcharts {
		if name, line := sub.branch(differs); line > 0 {
			return path.Join("charts", sub.Name, name), line
		}
	}
	return "", 0
}
