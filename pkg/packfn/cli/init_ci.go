package cli

import (
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
comments, so that the job passes, and finds what is new. Errors always fail the job.

An existing ` + config.Name + ` stays as it is.`,
		Example: "  packfn init ci --for github",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			one, isKnown := jobs[system]
			if !isKnown {
				return wrongValue("for", system, systems)
			}
			root, err := check.Root()
			if err != nil {
				return err
			}
			if file == "" {
				file = filepath.Join(config.FromHere(root), filepath.FromSlash(one.file))
			}
			r, err := c.today(cmd, root)
			if err != nil {
				return err
			}
			changes := []staging.Change{{Path: file, Text: []byte(one.text)}}
			notes := []string{file + ": a new job"}
			settings := filepath.Join(config.FromHere(root), config.Name)
			if _, err := os.Lstat(settings); err != nil {
				changes = append(changes, staging.Change{Path: settings, Text: []byte(settingsOf(r))})
				notes = append(notes, settings+": new settings")
			} else {
				notes = append(notes, fmt.Sprintf("%s is there already and stays as it is; the repository passes with failOn: [%s]", settings, strings.Join(unmet(r), ", ")))
			}
			if err := checkNew(file); err != nil {
				return err
			}
			for i := range changes {
				if err := checkOutside(changes[i].Path); err != nil {
					return err
				}
			}
			if err := c.area.Write(cmd.Context(), changes); err != nil {
				return err
			}
			c.noteAll(notes)
			if n := r.Totals()[diag.Error]; n > 0 {
				c.note("packfn check finds %s today, so the job fails until that is corrected", diag.Count(n, "error"))
			}
			return nil
		},
	}
	command.Flags().StringVar(&system, "for", "", "the CI system: "+diag.OneOf(systems))
	command.MarkFlagRequired("for")
	command.RegisterFlagCompletionFunc("for", cobra.FixedCompletions(systems, cobra.ShellCompDirectiveNoFileComp))
	command.Flags().StringVarP(&file, "output", "o", "", "write the job to this new file")
	return command
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
	options.Progress = c.bar.set
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

// settings are the values of failOn for a report.
func settings(r *report.Report) []setting {
	met := func(n int, noun string) string {
		if n == 0 {
			return ""
		}
		return diag.Count(n, noun)
	}
	all := []setting{{failOnError, "", "always"}, {failOnWarning, met(r.Totals()[diag.Warning], "warning"), "what is probably wrong"}}
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
		if s.met == "" {
			values = append(values, s.value)
		}
	}
	return values
}

// settingsOf returns the configuration with which a report fails only for its errors.
//
//	failOn:
//	- error # always
//	# - warning # 2 warnings: what is probably wrong
func settingsOf(r *report.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The settings of packfn for this repository: packfn config prints what is in force.\napiVersion: %s\nkind: PackfnConfig\n", pack.GroupVersion)
	b.WriteString("# What fails the job. A comment with a number is what packfn check found when this file was written:\n# remove the # when it finds that no longer.\nfailOn:\n")
	for _, s := range settings(r) {
		if s.met == "" {
			fmt.Fprintf(&b, "- %s # %s\n", s.value, s.meaning)
		} else {
			fmt.Fprintf(&b, "# - %s # %s: %s\n", s.value, s.met, s.meaning)
		}
	}
	return b.String()
}
