package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// testSuites is the root of a JUnit file, as Jenkins and GitLab read it:
//
//	<testsuites name="packfn" tests="2" failures="1" errors="0">
//	  <testsuite name="validate-pack-values" tests="2" failures="1" errors="0" skipped="0">
//	    <testcase name="Pack vault" classname="platform/vault.yaml">
//	      <failure message="…" type="values/format">…</failure>
//	    </testcase>
//	  </testsuite>
//	</testsuites>
//
// Errors is always 0: a check that fails is a failure, in the words of JUnit.
type testSuites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []*testSuite
}

// testSuite is a function, and the suite `not checked` has what was skipped.
type testSuite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Cases    []*testCase
}

// testCase is a resource that the function checked.
type testCase struct {
	XMLName   xml.Name `xml:"testcase"`
	Name      string   `xml:"name,attr"`
	ClassName string   `xml:"classname,attr"`
	Failure   *failure
	Skipped   *skippedCase
	Output    string `xml:"system-out,omitempty"`

	// errors are the findings that make the case fail, and others the findings for its output.
	errors, others []*Finding
}

// skippedCase marks a case that was not checked.
type skippedCase struct {
	XMLName xml.Name `xml:"skipped"`
	Message string   `xml:"message,attr"`
}

// failure has the errors of a case: a summary, the rule of the first one, and all of them as text.
type failure struct {
	XMLName xml.Name `xml:"failure"`
	Message string   `xml:"message,attr"`
	Type    string   `xml:"type,attr"`
	Text    string   `xml:",chardata"`
}

// writeJUnit prints a suite for each function, with a case for each resource that it
// checked. Errors are failures; other findings are the output of their case.
//
//	<testsuite name="validate-pack-values" tests="1" failures="1">
//	  <testcase name="PackValues site" classname="site.yaml">
//	    <failure message="…" type="values/format">…</failure>
func (r *Report) writeJUnit(w io.Writer) error {
	suites := testSuites{Name: "packfn"}
	cases := map[string]map[string]*testCase{}
	caseOf := func(function, file, resource string) *testCase {
		function, resource = cmp.Or(function, "packfn"), cmp.Or(resource, file, "package")
		name := file + "\x00" + resource
		if cases[function] == nil {
			cases[function] = map[string]*testCase{}
		}
		if cases[function][name] == nil {
			cases[function][name] = &testCase{Name: diag.Shown(resource), ClassName: diag.Shown(cmp.Or(file, function))}
		}
		return cases[function][name]
	}
	for _, c := range r.Cases {
		caseOf(c.Function, c.File, c.Resource.String())
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Accepted {
			continue
		}
		c := caseOf(f.Function, f.File, f.Resource.String())
		if f.Severity == diag.Error {
			c.errors = append(c.errors, f)
		} else {
			c.others = append(c.others, f)
		}
	}
	for i := range r.Skipped {
		s := &r.Skipped[i]
		c := caseOf("not checked", s.where(), cmp.Or(s.Resource.String(), "skipped/"+string(s.Reason)))
		if c.Skipped == nil {
			c.Skipped = &skippedCase{Message: diag.OneLine(s.Message)}
		}
		c.Output += fmt.Sprintf("%s [skipped/%s]\n", s.text(), s.Reason)
	}
	var functions []string
	for function := range cases {
		functions = append(functions, function)
	}
	slices.Sort(functions)
	for _, function := range functions {
		suite := &testSuite{Name: diag.Shown(function)}
		for _, c := range cases[function] {
			c.finish()
			suite.Cases = append(suite.Cases, c)
			suite.Tests++
			if c.Failure != nil {
				suite.Failures++
			}
			if c.Skipped != nil {
				suite.Skipped++
			}
		}
		slices.SortFunc(suite.Cases, func(a, b *testCase) int {
			return cmp.Or(cmp.Compare(a.ClassName, b.ClassName), cmp.Compare(a.Name, b.Name))
		})
		suites.Suites = append(suites.Suites, suite)
		suites.Tests += suite.Tests
		suites.Failures += suite.Failures
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// finish words the findings of a case.
func (c *testCase) finish() {
	lines := func(findings []*Finding) string {
		var b strings.Builder
		for _, f := range findings {
			fmt.Fprintf(&b, "%s: %s: %s%s [%s]\n", cmp.Or(diag.Shown(f.where()), "-"), f.Severity, f.subject(), diag.OneLine(f.Message), diag.Shown(f.Rule))
		}
		return b.String()
	}
	if len(c.errors) > 0 {
		first := c.errors[0]
		message := diag.OneLine(first.Message)
		if more := len(c.errors) - 1; more > 0 {
			message += fmt.Sprintf(" (and %s)", diag.Count(more, "more error"))
		}
		c.Failure = &failure{Message: message, Type: diag.Shown(first.Rule), Text: lines(c.errors)}
	}
	c.Output += lines(c.others)
}
