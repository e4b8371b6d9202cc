package functiontest

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/parents"
)

// noted are the messages of the runs so far, each with its rule: the shortest of
// those that differ in names and numbers only.
var noted = struct {
	sync.Mutex
	byForm map[string]string
}{byForm: map[string]string{}}

var (
	quotedText = regexp.MustCompile(`"[^"]*"`)
	numbers    = regexp.MustCompile(`[0-9][\w.]*`)
	names      = regexp.MustCompile(`[\w$-]+([.\[][\w$\]-]+)+`)
)

// Noted adds the messages of findings to the golden list, and returns them. It is for tests that do
// not call [Run], with the same findings at each run.
func Noted(findings []diag.Finding) []diag.Finding {
	for i := range findings {
		Note(findings[i].Rule.ID, findings[i].Message())
	}
	return findings
}

// Note is [Noted] of a message of a rule.
func Note(id, message string) {
	noted.Lock()
	defer noted.Unlock()
	line := id + ": " + message
	form := formOf(line)
	known, ok := noted.byForm[form]
	if !ok || cmp.Or(cmp.Compare(len(line), len(known)), cmp.Compare(line, known)) < 0 {
		noted.byForm[form] = line
	}
}

// formOf returns a message without its names and numbers.
func formOf(line string) string {
	return numbers.ReplaceAllString(names.ReplaceAllString(quotedText.ReplaceAllString(line, `""`), "x"), "0")
}

// Main runs the tests of a package, and then compares the messages that [Run] noted
// with the section of tests/messages.txt that has the package's name. With UPDATE=1 it
// writes the section. The list holds every message of the suite once, to be read in
// one sitting. After a run of some tests of the package, their messages must be in it.
//
//	func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "schema")) }
func Main(m *testing.M, section string) int { return finish(m.Run(), section) }

// partial are the flags with which some tests of a package run, and other those with which others do.
var partial, other = []string{"test.run", "test.skip"}, []string{"test.fuzz", "test.bench", "test.list"}

// finish compares the messages after a run that ended with an exit code, and returns the final exit
// code.
func finish(code int, section string) int {
	isSet := func(name string) bool {
		f := flag.Lookup(name)
		return f != nil && f.Value.String() != ""
	}
	if code != 0 || slices.ContainsFunc(other, isSet) {
		return code
	}
	if err := compareMessages(section, slices.ContainsFunc(partial, isSet)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// compareMessages compares the messages of a package with its section of the golden list.
func compareMessages(section string, isPartial bool) error {
	file, err := messagesFile()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := make([]string, 0, len(noted.byForm))
	for _, line := range noted.byForm {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	got := ""
	if len(lines) > 0 {
		got = strings.Join(lines, "\n") + "\n"
	}
	sections := splitSections(string(text))
	isUpdate := os.Getenv("UPDATE") != ""
	if isPartial {
		known := map[string]bool{}
		for line := range strings.Lines(sections[section]) {
			known[formOf(strings.TrimSuffix(line, "\n"))] = true
		}
		for form, line := range noted.byForm {
			if !known[form] && !isUpdate {
				return fmt.Errorf("the message %q of %s is not in tests/messages.txt; run all tests of the package with UPDATE=1 and read the diff", line, section)
			}
		}
		return nil
	}
	if sections[section] == got {
		return nil
	}
	if !isUpdate {
		return fmt.Errorf("the messages of %s are not those of tests/messages.txt; write them with UPDATE=1 and read the diff", section)
	}
	if sections[section] = got; got == "" {
		delete(sections, section)
	}
	return os.WriteFile(file, []byte(joinSections(sections)), 0o644)
}

// messagesFile finds the golden list from the folder of a package.
func messagesFile() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := range parents.Of(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "tests", "messages.txt"), nil
		}
	}
	return "", fmt.Errorf("no go.mod above the package")
}

const messagesHead = "Every message of the suite once, by package. UPDATE=1 go test -p 1 ./pkg/... writes it.\n"

// splitSections returns the sections of the golden list by their names.
func splitSections(text string) map[string]string {
	sections := map[string]string{}
	for section := range strings.SplitSeq(text, "\n## ") {
		if name, body, ok := strings.Cut(section, "\n\n"); ok && !strings.HasPrefix(section, messagesHead[:20]) {
			sections[name] = strings.TrimRight(body, "\n") + "\n"
		}
	}
	return sections
}

// joinSections returns the golden list with sections in the order of their names.
func joinSections(sections map[string]string) string {
	var b strings.Builder
	b.WriteString(messagesHead)
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		b.WriteString("\n## " + name + "\n\n" + sections[name])
	}
	return b.String()
}
