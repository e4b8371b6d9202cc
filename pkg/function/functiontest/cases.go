package functiontest

import (
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/cases"
)

// The files of a case.
const (
	configFile    = "config.yaml"
	resourcesFile = "resources.yaml"
	findingsFile  = "findings"
	outputFile    = "output.yaml"
)

// Cases runs a function over the cases in the archives testdata/cases/*.txtar. A case is a folder of
// an archive:
//
//	-- two packs/config.yaml --
//	-- two packs/resources.yaml --
//	-- two packs/findings --
//	-- two packs/output.yaml --
//
// resources.yaml are the resources, as [List] takes them, and config.yaml is the functionConfig,
// if there is one. findings are the facts of what the function finds, see [Facts], one in a line; without
// the file it must find nothing. output.yaml is what the resources become; without the file they must
// stay as they are. A second run over it must change and find the same.
//
// A line `#include NAME` is replaced by the file NAME at the root of the archive, which the cases
// share. `#include resources.yaml` in output.yaml are the resources of the case, where others are only
// added. With UPDATE=1 in the environment findings and output.yaml are written, with such lines.
func Cases(t *testing.T, f function.Function) {
	t.Helper()
	cases.Run(t, "testdata/cases/*.txtar", func(t *testing.T, c *cases.Case) { run(t, f, c) }, resourcesFile)
}

// run runs a case of a function, and compares its findings and its output.
func run(t *testing.T, f function.Function, c *cases.Case) {
	for name := range c.Files(configFile, resourcesFile, findingsFile, outputFile) {
		t.Errorf("%s is no file of a case", name)
	}
	config := c.Text(configFile)
	input := List(config, c.Text(resourcesFile))
	list, outcome := RunList(t, f, input)
	output := Documents(list)
	if failed := slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool { return f.Level() == diag.Error }); outcome.Failed != failed {
		t.Errorf("it is %v that the function failed", outcome.Failed)
	}
	checkAgain(t, f, config, output, outcome)
	if output == Documents(input) {
		output = ""
	}
	findings := strings.Join(Facts(outcome.Findings), "\n")
	if findings != "" {
		findings += "\n"
	}
	c.Compare(t, findingsFile, findings)
	c.Compare(t, outputFile, output)
}
