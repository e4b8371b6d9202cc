package check

import (
	"os"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/packfn/internal/ruleset"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform/evaluate"
)

const (
	kptfileHead = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
`
	packText = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: NAME, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  version: 1.0.0
  values: |
    port: 7
  schema: |
    port:
      schema: '{{ format "${number:[1-5]}" }}'
  presets:
  - {name: small, add: "port: 5\n"}
`
)

// TestMain is also the process that evaluates Terraform.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == terraform.Command {
		os.Exit(evaluate.Main(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

func packNamed(name string) string { return strings.ReplaceAll(packText, "NAME", name) }

// folderOf writes files into a new folder, and returns it.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	cases.Write(t, dir, files)
	return dir
}

// below returns a text with the paths in a folder relative to it.
func below(dir, text string) string { return strings.NewReplacer(dir+"/", "", dir, ".").Replace(text) }

// The place of a key is the place of its first character, also in the first column.
func TestPlace(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"pack.json": `{"name": "a", "version": "1.0.0"}`,
		"values.yaml": `x: 1
port: 7
`,
	})
	options := Options{Root: dir}
	packs, err := Packs([]string{dir}, options)
	if err != nil || len(packs) != 1 {
		t.Fatalf("%d packs: %v", len(packs), err)
	}
	origin := packs[0].OwnValues().Origin
	for at, want := range map[diag.Position]string{{Line: 2, Column: 1}: "values.yaml:2:1", {Line: 2}: "values.yaml:2", {Line: 2, Column: 7}: "values.yaml:2:7"} {
		if got := packs[0].Place(&options, origin, "port", at); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Options that name what does not exist are refused.
func TestValidate(t *testing.T) {
	severity := func(id string, severity diag.Severity) Options {
		return Options{Rules: ruleset.Rules{Severity: map[string]diag.Severity{id: severity}}}
	}
	for _, tc := range []struct {
		options Options
		want    string
	}{
		{Options{Rules: ruleset.Rules{Only: []string{"values/format", "input/invalid", "accept/unused", "preset/applied", "values/inert"}}}, ""},
		{Options{Rules: ruleset.Rules{Only: []string{"values/formt"}}}, `--only: unknown rule "values/formt"`},
		{Options{Rules: ruleset.Rules{Only: []string{"upgrade/format"}}}, `--only: unknown rule "upgrade/format"`},
		{severity("values/format", diag.Error), ""}, {severity("values/format", diag.Warning), ""}, {severity("values/format", diag.Info), ""}, {severity("values/format", diag.Off), ""},
		{severity("values/format", "warn"), `--severity values/format: must be "error", "warning", "info" or "off", got "warn"`},
		{severity("values/formt", diag.Error), `--severity values/formt: unknown rule "values/formt"`},
		{severity("upgrade/format", diag.Error), `--severity upgrade/format: unknown rule "upgrade/format"`},
		{severity("input/invalid", diag.Warning), "--severity input/invalid: the severity of input/invalid cannot be changed"},
	} {
		got := ""
		if err := tc.options.Validate(); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tc.want) || got != "" && tc.want == "" {
			t.Errorf("%v %v: got %q, want %q", tc.options.Only, tc.options.Severity, got, tc.want)
		}
	}
}
