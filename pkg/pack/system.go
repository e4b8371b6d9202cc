package pack

import (
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// SystemNames returns the system names of the pack constraints document, the X
// of `.spectro.system.X`, in its order.
func SystemNames() []string {
	return []string{
		"user.name", "user.uid", "user.email",
		"tenant.uid",
		"project.name", "project.uid",
		"clusterprofile.name", "clusterprofile.uid", "clusterprofile.version",
		"clusterprofile.infra.name", "clusterprofile.infra.uid", "clusterprofile.infra.version",
		"cluster.name", "cluster.uid", "cluster.kubevip",
		"cloudaccount.name", "cloudaccount.uid",
		"kubernetes.version",
		"reverseproxy.server", "reverseproxy.port", "reverseproxy.protocol", "reverseproxy.vhostport",
		"cloud.type", "cloud.region",
	}
}

// UnknownSystemName returns a finding about a system name that is not among the known ones.
// The finding lists the names of the same object, or all known names if the object has none.
func UnknownSystemName(name string, known []string) diag.Finding {
	f := diag.Unknown("system name", name, known)
	object, _, _ := strings.Cut(name, ".")
	other := func(name string) bool { return !strings.HasPrefix(name, object+".") }
	if same := slices.DeleteFunc(slices.Clone(known), other); len(same) > 0 {
		f.Accepted = diag.OneOf(same)
	}
	end := lastStep(name)
	var alike []string // the names of other objects with the last step
	for _, one := range known {
		if lastStep(one) == end {
			alike = append(alike, one)
		}
	}
	switch {
	case len(alike) == 1:
		f.Accepted, f.Nearest = "", alike[0]
	case strings.Contains(name, ".") && f.Nearest != "" && nearest.Name(end, []string{lastStep(f.Nearest)}) == "":
		f.Nearest = "" // a name of the same object with another meaning
	}
	return f
}

// lastStep returns the last step of a name.
func lastStep(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Known returns the facts whose names are among SystemNames, and a finding for each other
// name, with the path of the name as its key and without a rule. If a name is misspelt, the
// right name is certain and that name is not given, the fact is returned under the right name,
// so that its value is checked, too.
func (f Facts) Known() (known Facts, findings []diag.Finding) {
	names := SystemNames()
	known = Facts{}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if slices.Contains(names, name) {
			known[name] = f[name]
			continue
		}
		unknown := UnknownSystemName(name, names)
		if right := nearest.Misspelt(name, names); right != "" {
			unknown.Nearest = right
			if _, isGiven := f[right]; !isGiven {
				known[right] = f[name]
			}
		}
		findings = append(findings, unknown.At("system."+name, diag.Position{}))
	}
	return known, findings
}
