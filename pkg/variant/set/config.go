package set

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/function"
)

// Config is the spec of the kind ExpandVariantSet.
type Config struct {
	function.Options
	// Sets are the names of the PackageVariantSets that are expanded, as NAME or
	// NAMESPACE/NAME; by default all in the list.
	Sets []string `json:"sets" flat:"-"`
	// OutputPath is the file of each variant from the root of the package, in
	// which {name} stands for the name of the variant; by default
	// packagevariants/{name}.yaml in the folder of the set.
	OutputPath string `json:"outputPath" flat:"-"`
	// Prune says whether variants are removed that the set does not make any more;
	// by default they are.
	Prune bool `json:"prune"`
	// MaxTargets is the largest number of variants that a set may make; by default
	// there is no limit.
	MaxTargets int `json:"maxTargets"`
	// WriteStatus says whether conditions are set in the status of expanded sets.
	WriteStatus bool `json:"writeStatus" flat:"-"`
}

// noLimit is MaxTargets when it is not given.
const noLimit = -1 << 31

func newConfig() Config { return Config{Prune: true, MaxTargets: noLimit} }

// limit is the largest number of variants, 0 for no limit.
func (c *Config) limit() int { return max(0, c.MaxTargets) }

// nameField stands for the name of a variant in a path.
const nameField = "{name}"

var pathField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^{}]*\}`) })

// check reports what types can not say.
func (c *Config) check(run *function.Run) {
	invalid := func(option, format string, args ...any) {
		at := run.ConfigPath(option)
		run.LegacyConfigInvalid(at, at+": "+fmt.Sprintf(format, args...))
	}
	if c.MaxTargets != noLimit && c.MaxTargets < 1 {
		invalid("maxTargets", "got %d, want a number from 1 on, or no maxTargets for no limit", c.MaxTargets)
	}
	if p := c.OutputPath; p != "" {
		if message := faultOfPath(p); message != "" {
			invalid("outputPath", "got %q, %s", p, message)
		}
	}
}

// faultOfPath says what is wrong with a path for variants.
func faultOfPath(p string) string {
	for _, field := range pathField().FindAllString(p, -1) {
		if field != nameField {
			return fmt.Sprintf("which has the field %s; the only one is %s", field, nameField)
		}
	}
	switch {
	case !strings.Contains(p, nameField):
		return "want a path with " + nameField + ", such as packagevariants/" + nameField + ".yaml: each variant has a file"
	case path.IsAbs(p), strings.Contains(p, `\`), strings.Contains(p, ":"):
		return "want a path from the root of the package, with slashes"
	case climbs(p):
		return "which leads out of the package; want a path within it"
	case path.Clean(p) != p:
		return fmt.Sprintf("want %q", path.Clean(p))
	case path.Ext(p) != ".yaml" && path.Ext(p) != ".yml":
		return "want a file that ends in .yaml: others are not read as resources"
	}
	return ""
}

func climbs(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// outputPath is the path of the variants of a set whose own path is given, with
// nameField in it. A set without a path, or with one outside of the package,
// writes from the root of the package.
func (c *Config) outputPath(of string) string {
	if c.OutputPath != "" {
		return c.OutputPath
	}
	dir := path.Dir(of)
	if of == "" || path.IsAbs(of) || climbs(of) {
		dir = ""
	}
	return path.Join(dir, "packagevariants", nameField+".yaml")
}
