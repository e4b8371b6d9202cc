package upgrade

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// faultsOf returns the errors and warnings that the checks find in a package, and with them what only follows
// from one of them.
func faultsOf(dir string, o check.Options) (told, all []report.Finding, err error) {
	r, err := check.Run([]string{dir}, o)
	if err != nil {
		return nil, nil, err
	}
	isInfo := func(f report.Finding) bool { return f.Severity == diag.Info }
	return slices.DeleteFunc(slices.Clone(r.Findings), isInfo), slices.DeleteFunc(r.All(), isInfo), nil
}

// consequences returns the errors and warnings that come with the upgrade, with the rules
// of upgrades.
func consequences(all []*upgraded, before, after []report.Finding) []report.Finding {
	byPath, byPack := map[string]*upgraded{}, map[string]*upgraded{}
	requirements := map[*upgraded]map[bool]map[string]requirement{} // by whether it is the newer version
	for _, u := range all {
		byPath[u.Path], byPack[u.Pack] = u, u
		requirements[u] = map[bool]map[string]requirement{false: byPlace(u.before.requirements()), true: byPlace(u.after.requirements())}
	}
	identity := func(f *report.Finding, isAfter bool) string {
		at := f.Field + "\x00" + f.Key
		if u := byPath[f.Path]; u != nil {
			at = stable(f.Reported.Key, requirements[u][isAfter])
		}
		// The finding may be about another pack's version.
		at += "\x00" + stable(f.Tags["dependency"], requirements[byPack[f.Tags["requirer"]]][isAfter])
		if f.Rule == rule.ValuesChartVersion.ID { // it is about several packs, which its message names
			at += "\x00" + f.Message
		}
		return strings.Join([]string{f.Rule, string(f.Severity), f.Function, f.File, f.Resource.String(), at}, "\x00")
	}
	known := map[string]int{}
	for i := range before {
		known[identity(&before[i], false)]++
	}
	var found []report.Finding
	for _, f := range after {
		if id := identity(&f, true); known[id] > 0 {
			known[id]--
			continue
		}
		broken := rule.UpgradeRequirement
		if group, _, _ := strings.Cut(f.Rule, "/"); f.Rule == rule.ValuesRequired.ID {
			broken = rule.UpgradeNewlyRequired
		} else if f.Rule == rule.ValuesChartVersion.ID {
			broken = rule.UpgradeRequirement
		} else if group == "values" || group == "schema" || group == "input" {
			broken = rule.UpgradeFormat
		}
		f.Frame("", " ("+f.Rule+")")
		f.Rule = broken.ID
		if u := byPath[f.Path]; u != nil {
			// The place is one of the newer text.
			whole := diag.Say("").From(diag.Whole(u.before.Resource))
			at := u.inPackage.Finding("upgrade", u.options, &whole)
			f.Line, f.Column = at.Line, 0
		}
		found = append(found, f)
	}
	return found
}
