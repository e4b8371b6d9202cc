package cli

import "testing"

// In every command, a near miss of a flag's value names the right one, two flags that exclude each
// other are both named, and an old key of packfn.yaml names the new one.
func TestNearMisses(t *testing.T) {
	const next = "../packs/registry-2.4.0"
	of := map[string]string{
		"check": "check platform", "fix": "fix platform", "render": "render platform", "report": "report drafts/results.yaml", "upgrade": "upgrade platform " + next, "fleet": "fleet",
		"template": "template platform", "images": "images platform", "list": "list packs --outdated platform", "config": "config", "merge": "report none --merge",
		"import": "import " + next + " --to made", "export": "export platform --to made",
	}
	var all []commandTest
	add := func(note string, flags string, names ...string) {
		for _, name := range names {
			all = append(all, commandTest{of[name] + flags, 2, nil, []string{note}})
		}
	}
	add(`got "warnings". Did you mean "warning"?`, " --fail-on warnings", "check", "fix", "render", "report", "upgrade", "fleet", "merge")
	add(`got "any". Did you mean "error"?`, " --fail-on any", "check", "fix", "render", "report", "upgrade", "fleet", "merge")
	add(`got "jsn". Did you mean "json"?`, " --format jsn", "check", "render", "report", "upgrade", "fleet", "merge", "images")
	add(`got "prch". Did you mean "porch"?`, " --like prch", "fleet")
	add(`Did you mean "configmap"?`, " --as confgmap", "import")
	add(`Did you mean "helm"?`, " --as hlm", "export")
	add("--notes and --quiet exclude each other: remove one of them", " --notes --quiet", "check", "render", "report", "upgrade", "fleet", "merge")
	add("--shard and --template exclude each other", " --shard 0/1 -o made --against before --template", "fleet")
	add(`Did you mean "failOn"?`, " --config drafts/old.yaml", "check", "fix", "render", "report", "upgrade", "fleet", "merge", "template", "images", "list", "config")
	for _, tc := range all {
		tc.run(t)
	}
}
