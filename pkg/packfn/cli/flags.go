package cli

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// texts is a flag with a list of texts, separated by commas or line breaks, or given several
// times. The list flag of pflag reads only the first line of a value.
type texts struct {
	// list is the variable of the flag. isChanged is false until the first value.
	list      *[]string
	isChanged bool
}

// listFlag adds a flag with a list of texts, see [texts].
func listFlag(flags *pflag.FlagSet, list *[]string, name, usage string) {
	flags.Var(&texts{list: list}, name, usage)
}

// Set adds the texts of a value. The first value replaces the default.
func (t *texts) Set(text string) error {
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	lines, err := reader.ReadAll()
	if err != nil {
		return err
	}
	if !t.isChanged {
		*t.list = nil
	}
	t.isChanged = true
	for _, one := range slices.Concat(lines...) {
		if one = strings.TrimSpace(one); one != "" {
			*t.list = append(*t.list, one)
		}
	}
	return nil
}

func (t *texts) String() string { return strings.Join(*t.list, ",") }

// Type returns the name of the value in help texts.
func (t *texts) Type() string { return "strings" }

// formerFlags maps the former names of flags to their current names, by command.
var formerFlags = map[string]map[string]string{
	"template": {"out": "to"},
	"fleet":    {"out": "to"},
	"upgrade":  {"to": "version"},
	"check":    {"rendered": "as-written"},
}

// nameFlag lets the error about an unknown flag name the one that is probably meant.
//
//	unknown flag: --rendered (did you mean --as-written?); see packfn check --help
func nameFlag(command *cobra.Command, err error) error {
	hint := ""
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() == "" {
		var known []string
		command.Flags().VisitAll(func(flag *pflag.Flag) { known = append(known, flag.Name) })
		name := formerFlags[command.Name()][unknown.GetSpecifiedName()]
		if name == "" {
			name = nearest.Name(unknown.GetSpecifiedName(), known)
		}
		if name != "" {
			hint = fmt.Sprintf(" (did you mean --%s?)", name)
		}
	}
	return fmt.Errorf("%w%s; see %s --help", err, hint, command.CommandPath())
}

// excludes returns an error if two flags are given that exclude each other.
func excludes(command *cobra.Command, one, other string) error {
	if flags := command.Flags(); flags.Changed(one) && flags.Changed(other) {
		return fmt.Errorf("--%s and --%s exclude each other: remove one of them", one, other)
	}
	return nil
}

// wrongValue returns the error about an invalid value of a flag, with a suggestion.
func wrongValue(flag, value string, known []string) error {
	f := diag.GotName(value, known)
	return fmt.Errorf("--%s: %s", flag, f.Message())
}

// The values of --fail-on.
const (
	failOnError   = "error"
	failOnWarning = "warning"
	failOnNever   = "never"
	// failOnNew is for fleets.
	failOnNew = "new"
)

// failOns are the values of --fail-on that all commands have.
var failOns = config.FailOns

// failOn is the flag --fail-on, which selects the findings that make the exit code 1.
type failOn struct {
	// chosen are the values of the flag, or else of the configuration.
	chosen []string
	// isOfFleet is true if "new" is a valid value.
	isOfFleet bool
}

// has reports whether a value was chosen.
func (o *failOn) has(value string) bool { return slices.Contains(o.chosen, value) }

// values returns the accepted values of the flag.
func (o *failOn) values() []string {
	if o.isOfFleet {
		return append(slices.Clone(failOns), failOnNew)
	}
	return failOns
}

// flag adds the flag, whose completion offers the accepted values.
func (o *failOn) flag(command *cobra.Command, usage string) {
	command.Flags().StringSliceVar(&o.chosen, "fail-on", []string{failOnError}, "what makes the exit code 1: "+usage)
	command.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(o.values(), cobra.ShellCompDirectiveNoFileComp))
}

// failOnUsage is the help text of the values.
const failOnUsage = "error, or also warning, skipped (what was not checked) or skipped/REASON, several with commas, or never"

// read validates the values. If the flag is not given, it uses the values in the configuration.
func (o *failOn) read(command *cobra.Command, configured []string) error {
	if !command.Flags().Changed("fail-on") && len(configured) > 0 {
		o.chosen = configured
	}
	for _, value := range o.chosen {
		if known := o.values(); !slices.Contains(known, value) {
			isReason := strings.HasPrefix(value, config.Skipped+"/")
			known = slices.DeleteFunc(slices.Clone(known), func(one string) bool { return strings.HasPrefix(one, config.Skipped+"/") != isReason })
			f := diag.GotName(value, known)
			if value == "any" { // of former versions
				f = f.Meant(value, failOnError, known)
			}
			return fmt.Errorf("--fail-on: %s", f.Message())
		}
	}
	if o.has(failOnNever) && len(o.chosen) > 1 {
		return fmt.Errorf("--fail-on: %s stands alone, got %s", failOnNever, diag.AllOf(o.chosen))
	}
	return nil
}

// isFailed reports whether findings of some severities, or what was not checked, make the exit code
// 1. isSkipped reports whether anything was skipped for a reason; "" stands for any reason.
func (o *failOn) isFailed(hasError, hasWarning bool, isSkipped func(report.Reason) bool) bool {
	return !o.has(failOnNever) && (hasError || o.has(failOnWarning) && hasWarning || o.isSkipped(isSkipped))
}

// isSkipped reports whether anything was skipped for a chosen reason.
func (o *failOn) isSkipped(isSkipped func(report.Reason) bool) bool {
	return slices.ContainsFunc(o.chosen, func(value string) bool {
		reason, ok := strings.CutPrefix(value, config.Skipped)
		return ok && isSkipped(report.Reason(strings.TrimPrefix(reason, "/")))
	})
}
