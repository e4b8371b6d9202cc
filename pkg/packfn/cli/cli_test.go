package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// A meaning begins with a capital letter, and ends without a full stop.
func TestSentence(t *testing.T) {
	for text, want := range map[string]string{"a value.": "A value", "a value": "A value", "A.": "A"} {
		if got := sentence(text); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// The flags of the commands are what scripts of users rely on.
func TestFlags(t *testing.T) {
	c := &commands{}
	line := regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+)`)
	got := map[string]string{}
	var add func(*cobra.Command)
	add = func(command *cobra.Command) {
		var names []string
		for _, match := range line.FindAllStringSubmatch(command.LocalNonPersistentFlags().FlagUsages(), -1) {
			names = append(names, match[1])
		}
		if len(names) > 0 {
			got[command.CommandPath()] = strings.Join(names, " ")
		}
		for _, below := range command.Commands() {
			add(below)
		}
	}
	add(c.root())
	want := map[string]string{
		"packfn check":   "allow-exec api-versions as-deployed as-written baseline catalog charts exclude exec-timeout fail-on format function kube-version notes only output packs quiet scope severity source template timeout verbose",
		"packfn export":  "as effective force profile to",
		"packfn fix":     "dry-run exclude fail-on only packs scope show-values source",
		"packfn fleet":   "against all allow-exec api-versions charts cores downstream exec-timeout fail-on format function kpt kube-version like notes objects output quiet set shard show-values source template timeout to upstream",
		"packfn images":  "allow-exec api-versions charts exec-timeout format function kube-version pack source timeout",
		"packfn import":  "as discard-edits exact exec force kptfile name no-charts profile scope source to with",
		"packfn init ci": "for output", "packfn init cluster": "name output", "packfn init override": "all name output", "packfn init parameters": "name output",
		"packfn list packs":  "outdated source",
		"packfn list values": "show-values",
		"packfn render":      "against allow-exec api-versions charts deployable exec-timeout fail-on format function kpt kube-version notes output quiet show-values source template timeout to",
		"packfn report":      "all fail-on format merge notes output package quiet show-values",
		"packfn template":    "allow-exec api-versions charts exec-timeout function kube-version pack source timeout to",
		"packfn upgrade":     "allow-exec api-versions charts discard-edits exec-timeout fail-on format from function kube-version notes output quiet show-values source template timeout version write",
		"packfn why":         "show-values",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
