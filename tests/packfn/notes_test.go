package packfn

import (
	"regexp"
	"strings"
	"testing"
)

// The help of packfn has each command in a group, and the help of a command has its text and its flags.
func TestHelpOfCommands(t *testing.T) {
	_, others, _ := strings.Cut(packfn(t, "", "--help").stdout, "\nAdditional Commands:\n")
	flag := regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`)
	for command, want := range map[string]string{
		"check":        "allow-exec api-versions as-deployed as-written baseline catalog charts exclude exec-timeout fail-on format function kube-version notes only output packs quiet scope severity source template timeout verbose",
		"config":       "",
		"explain":      "",
		"export":       "as effective force profile to",
		"fix":          "dry-run exclude fail-on only packs scope show-values source",
		"fleet":        "against all allow-exec api-versions charts cores downstream exec-timeout fail-on format function kpt kube-version like notes objects output quiet set shard show-values source template timeout to upstream",
		"images":       "allow-exec api-versions charts exec-timeout format function kube-version pack source timeout",
		"init":         "",
		"init cluster": "name output",
		"import":       "as discard-edits exact exec force kptfile name no-charts profile scope source to with",
		"list":         "",
		"lsp":          "",
		"render":       "against allow-exec api-versions charts deployable exec-timeout fail-on format function kpt kube-version notes output quiet show-values source template timeout to",
		"report":       "all fail-on format merge notes output package quiet show-values",
		"schema":       "",
		"template":     "allow-exec api-versions charts exec-timeout function kube-version pack source timeout to",
		"upgrade":      "allow-exec api-versions charts discard-edits exec-timeout fail-on format from function kube-version notes output quiet show-values source template timeout version write",
		"why":          "show-values",
		"list packs":   "outdated source",
		"list values":  "show-values",
		"list macros":  "",
		"list presets": "",
	} {
		if strings.Contains(others, "\n  "+command+" ") {
			t.Errorf("%s is in no group", command)
		}
		help := packfn(t, "", append(strings.Fields(command), "--help")...).want(t, 0).stdout
		var got []string
		for _, match := range flag.FindAllStringSubmatch(help, -1) {
			if name := match[1]; name != "help" && name != "config" {
				got = append(got, name)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s has the flags %s", command, got)
		}
		if text, _, _ := strings.Cut(help, "\n\nUsage:"); !strings.HasPrefix(command, "list") && command != "explain" && command != "why" && !strings.Contains(text, "\n") {
			t.Errorf("%s has no text but %s", command, text)
		}
	}
}
