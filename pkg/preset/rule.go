package preset

import "github.com/krm-packs/functions/pkg/diag"

// about adds the tags of a preset to a finding.
func about(f diag.Finding, group, name string) diag.Finding {
	f.Tags = map[string]string{"preset": name}
	if group != "" {
		f.Tags["group"] = group
	}
	return f
}
