package set

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
)

// Config is the spec of the kind ExpandVariantSet.
type Config struct {
	function.Options
	// Sets are the names of the PackageVariantSets that are expanded, as NAME or
	// NAMESPACE/NAME.
	Sets []string `json:"sets" flat:"-" absent:"all in the package"`
	// OutputPath is the file of each variant from the root of the package, in
	// which {name} is the name of the variant.
	OutputPath string `json:"outputPath" flat:"-" absent:"packagevariants/{name}.yaml in the folder of the set"`
	// Prune removes variants that the set does not create any more.
	Prune bool `json:"prune" default:"true"`
	// MaxTargets is the largest number of variants that a set may make.
	MaxTargets int `json:"maxTargets" absent:"no limit"`
	// WriteStatus sets conditions in the status of expanded sets.
	WriteStatus bool `json:"writeStatus" flat:"-"`
}

// noLimit is MaxTargets when it is not given.
const noLimit = -1 << 31

func newConfig() Config { return Config{Prune: true, MaxTargets: noLimit} }

// limit is the largest number of variants, or 0 for no limit.
func (c *Config) limit() int { return max(0, c.MaxTargets) }

// nameField is the name of a variant in a path.
const nameField = "{name}"

var pathField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^{}]*\}`) })

// check reports what types cannot say.
func (c *Config) check(run *function.Run) {
	invalid := func(option string, f diag.Finding) {
		run.ConfigInvalid(f.At(run.ConfigPath(option), diag.Position{}))
	}
	if c.MaxTargets != noLimit && c.MaxTargets < 1 {
		invalid("maxTargets", diag.Got(strconv.Itoa(c.MaxTargets), "a number from 1 on").Do("remove maxTargets for no limit"))
	}
	if c.OutputPath != "" {
		if f := faultOfPath(c.OutputPath); f != nil {
			invalid("outputPath", *f)
		}
	}
}

// faultOfPath returns the fault of a path for variants, or nil if it has none.
func faultOfPath(p string) *diag.Finding {
	for _, field := range pathField().FindAllString(p, -1) {
		if field != nameField {
			return new(diag.Unknown("placeholder", field, nil).Do("only " + nameField + " is allowed"))
		}
	}
	switch clean := path.Clean(p); {
	case !strings.Contains(p, nameField):
		return new(got(p, "a path with "+nameField+", such as packagevariants/"+nameField+".yaml").Do("give each variant a file"))
	case path.IsAbs(p), strings.Contains(p, `\`), strings.Contains(p, ":"):
		return got(p, "a path from the root of the package with slashes")
	case climbs(p):
		return got(p, "a path in the package")
	case clean != p:
		return new(unclean(p, clean))
	case path.Ext(p) != ".yaml" && path.Ext(p) != ".yml":
		return got(p, "a file that ends in .yaml (clients read such files as resources)")
	}
	return nil
}

// climbs reports whether a path has the element `..`.
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
	if path.IsAbs(of) || climbs(of) {
		dir = ""
	}
	return path.Join(dir, "packagevariants", nameField+".yaml")
}
