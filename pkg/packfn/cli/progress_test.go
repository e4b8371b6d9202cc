package cli

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
)

// The bar appears after a second, and goes away at the end.
func TestProgress(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	p := &progress{out: &out, now: func() time.Time { return now }, start: now}
	p.set(1, 4)
	p.end()
	if out.Len() > 0 {
		t.Errorf("printed %q at once", out.String())
	}
	now = now.Add(time.Second)
	p.set(2, 4)
	p.end()
	if got, want := out.String(), "\r["+strings.Repeat("#", 15)+strings.Repeat(" ", 15)+"] 2 of 4\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var none *progress
	none.set(1, 2)
	none.end()
	if (&commands{notes: &out}).progress() != nil {
		t.Error("a bar without a terminal")
	}
}

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
	c := &commands{program: Program{Functions: suite.All(), Docs: functions.Docs}}
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
		"packfn check":       "api-versions as-deployed as-written baseline catalog charts exclude format kube-version only output packs scope severity source template timeout verbose",
		"packfn export":      "as effective force profile to",
		"packfn fix":         "dry-run exclude only packs scope show-values source",
		"packfn fleet":       "against all cores downstream fail-on format kpt like objects out output set shard show-values upstream",
		"packfn images":      "api-versions charts format kube-version pack source timeout",
		"packfn import":      "as discard-edits exact exec force kptfile name no-charts profile scope source to with",
		"packfn list values": "show-values",
		"packfn render":      "deployable format kpt output to",
		"packfn report":      "all fail-on format merge output package show-values",
		"packfn template":    "api-versions charts kube-version out pack source timeout",
		"packfn upgrade":     "api-versions charts discard-edits format from kube-version output show-values source template timeout to write",
		"packfn why":         "show-values",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
