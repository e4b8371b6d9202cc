package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// job is what a CI system runs.
type job struct{ file, text string }

// jobs are the jobs by the names of the systems.
var jobs = map[string]job{
	"github": {".github/workflows/packs.yaml", `name: packs
on: pull_request
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: krm-packs/functions@` + function.Release + "\n"},
	"gitlab": {".gitlab-ci.yml", `packs:
  image: golang:1.26
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
    - go install github.com/krm-packs/functions/functions/packfn@` + function.Release + `
    - packfn check --format junit --output packs.xml
  artifacts:
    when: always
    reports:
      junit: packs.xml
`},
}

func (c *commands) initCI() *cobra.Command {
	var system, file string
	systems := slices.Sorted(maps.Keys(jobs))
	command := &cobra.Command{
		Use:   "ci --for SYSTEM",
		Short: "Write a job that checks each change, and " + config.Name,
		Long: `Init ci writes a job that runs packfn check for each change into the root of the git tree, and
` + config.Name + ` beside it. It checks the repository as it is: failOn has warning and each reason for
which something can be skipped, unless the repository has such a warning or reason today. These are
comments, so that the job passes in a repository without errors, and finds what is new. Errors always
fail the job.

An existing ` + config.Name + ` stays as it is.`,
		Example: "  packfn init ci --for github",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			one, isKnown := jobs[system]
			if !isKnown {
				return wrongValue("for", system, systems)
			}
			return c.writeJob(cmd, one, file)
		},
	}
	command.Flags().StringVar(&system, "for", "", "the CI system: "+diag.OneOf(systems))
	command.MarkFlagRequired("for")
	command.RegisterFlagCompletionFunc("for", cobra.FixedCompletions(systems, cobra.ShellCompDirectiveNoFileComp))
	command.Flags().StringVarP(&file, "output", "o", "", "write the job to this new file, or with - to standard output")
	return command
}

// writeJob writes a job to a file, by default the file of its system, and the settings of the repository if it has none.
func (c *commands) writeJob(cmd *cobra.Command, one job, file string) error {
	root, err := report.Root()
	if err != nil {
		return err
	}
	var changes []staging.Change
	var notes []string
	if file != standardOutput {
		file = cmp.Or(file, filepath.Join(config.FromHere(root), filepath.FromSlash(one.file)))
		if err := checkNew(file); err != nil {
			return err
		}
		changes, notes = append(changes, staging.Change{Path: file, Text: []byte(one.text)}), append(notes, file+": a new job")
	}
	r, err := c.today(cmd, root)
	if err != nil {
		return err
	}
	errorsToday, passes := r.Totals()[diag.Error], "the repository passes"
	if errorsToday > 0 {
		passes = "when its errors are corrected, the repository passes"
	}
	settings := filepath.Join(config.FromHere(root), config.Name)
	if _, err := os.Lstat(settings); err != nil {
		changes, notes = append(changes, staging.Change{Path: settings, Text: []byte(settingsOf(r))}), append(notes, settings+": new settings")
	} else {
		notes = append(notes, fmt.Sprintf("%s is there already and stays as it is; %s with failOn: [%s]", settings, passes, strings.Join(unmet(r), ", ")))
	}
	var faults []error
	for i := range changes {
		faults = append(faults, checkOutside(changes[i].Path))
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	if err := c.area.Write(cmd.Context(), changes); err != nil {
		return err
	}
	if file == standardOutput {
		fmt.Fprint(c.out, one.text)
	}
	c.noteAll(notes)
	if errorsToday > 0 {
		c.note("packfn check finds %s today, so the job fails until that is corrected", diag.Count(errorsToday, "error"))
	}
	return nil
}

// today checks a repository as packfn check does there.
func (c *commands) today(cmd *cobra.Command, root string) (*report.Report, error) {
	options := c.checks()
	options.Root = root
	if _, err := c.configure(cmd, checkFlags{dir: root}, &options); err != nil {
		return nil, err
	}
	if options.Template != nil {
		defer options.Template.Renderer.Close()
	}
	options.Progress = c.bar.Set
	return check.Run([]string{root}, options)
}

// checkOutside returns an error about a file that kpt would read as a resource of a package.
func checkOutside(file string) error {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	dir, err := kptpackage.Around(absolute)
	if err != nil || dir == "" || !kptpackage.IsRead(file) {
		return err
	}
	within, err := filepath.Rel(dir, absolute)
	if err != nil {
		return err
	}
	return fmt.Errorf("kpt would read %s as a resource of the package around it; add the line %s to %s first", file, filepath.ToSlash(within), filepath.Join(config.FromHere(dir), ".krmignore"))
}

// setting is a value of failOn.
type setting struct {
	value string
	// met is what a report has of it, such as `2 warnings`, or "" if it has nothing.
	met     string
	meaning string
}

// isOn reports whether the value is in failOn: errors always fail the job.
func (s *setting) isOn() bool { return s.met == "" || s.value == failOnError }

// settings are the values of failOn for a report.
func settings(r *report.Report) []setting {
	met := func(n int, noun string) string {
		if n == 0 {
			return ""
		}
		return diag.Count(n, noun)
	}
	all := []setting{{failOnError, met(r.Totals()[diag.Error], "error"), "always"}, {failOnWarning, met(r.Totals()[diag.Warning], "warning"), "what is probably wrong"}}
	for _, reason := range report.Reasons {
		n := 0
		for i := range r.Skipped {
			if string(r.Skipped[i].Reason) == reason {
				n++
			}
		}
		all = append(all, setting{config.Skipped + "/" + reason, met(n, "time"), report.Reason(reason).Meaning()})
	}
	return all
}

// unmet returns the values of failOn with which a report fails only for its errors.
func unmet(r *report.Report) (values []string) {
	for _, s := range settings(r) {
		if s.isOn() {
			values = append(values, s.value)
		}
	}
	return values
}

// settingsOf returns the configuration with which a report fails only for its errors.
//
//	failOn:
//	- error # 1 error: always
//	# - warning # 2 warnings: what is probably wrong
func settingsOf(r *report.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The settings of packfn for this repository: packfn config prints what is in force.\napiVersion: %s\nkind: PackfnConfig\n", pack.GroupVersion)
	b.WriteString("# What fails the job. A line behind # is what packfn check found when this file was written:\n# remove the # when it finds that no longer.\nfailOn:\n")
	for _, s := range settings(r) {
		mark, met := "# ", s.met
		if s.isOn() {
			mark = ""
		}
		if met != "" {
			met += ": "
		}
		fmt.Fprintf(&b, "%s- %s # %s%s\n", mark, s.value, met, s.meaning)
	}
	return b.String()
}
