package packfn

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// onTerminal returns what a command prints to a terminal, and to standard error.
func onTerminal(t *testing.T, columns uint16, args ...string) (shown, notes string) {
	t.Helper()
	t.Setenv("CI", "") // with it, what a terminal gets is a log
	out, in, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(in, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	done := make(chan string)
	go func() {
		text, _ := io.ReadAll(out) // the end is an error
		done <- string(text)
	}()
	var stderr bytes.Buffer
	mainOf(in, &stderr, args...)
	in.Close()
	return strings.ReplaceAll(<-done, "\r\n", "\n"), stderr.String()
}

// A terminal gets colors and values, and lines that fit.
func TestTerminal(t *testing.T) {
	t.Chdir(repository(t))
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	const red = "\x1b[31merror\x1b[0m"
	shown, _ := onTerminal(t, 60, "check", "drafts/mode")
	if !strings.Contains(shown, "7:11: "+red) || !strings.Contains(shown, "\n      ") {
		t.Errorf("check: got %q", shown)
	}
	if !strings.HasSuffix(strings.ReplaceAll(shown, "\r", ""), "Next: packfn fix drafts/mode corrects 1 finding.\nNext: packfn explain values/format says what the rule means, and how to fix it.\n") {
		t.Errorf("the last lines of check: got %q", shown)
	}
	wide, _ := onTerminal(t, 400, "check", "drafts/mode")
	if strings.Contains(wide, "\n      4") || strings.Count(wide, "\n") >= strings.Count(shown, "\n") {
		t.Errorf("check on a wide terminal: got %q", wide)
	}
	if shown, _ = onTerminal(t, 60, "check", "drafts/mode", "--output", "made"); shown != "" {
		t.Errorf("check to a file: got %q", shown)
	}
	if text, err := os.ReadFile("made"); err != nil || strings.Contains(string(text), "\x1b") || strings.Count(string(text), "\n") != strings.Count(wide, "\n")-4 { // the line of the file with its caret, and what to do next
		t.Errorf("check to a file: got %q, %v", text, err)
	}
	if shown, notes := onTerminal(t, 60, "fix", "drafts/mode", "--dry-run"); !strings.Contains(shown, "token: •••") || strings.Contains(shown, "hunter2") || !strings.Contains(notes, "masked") {
		t.Errorf("fix: got %q and %q", shown, notes)
	}
	if shown, _ := onTerminal(t, 60, "render", "platform", "--to", "-"); strings.Contains(shown, "0 errors, 0 warnings, 0 notes") {
		t.Errorf("render: got %q", shown)
	}
	if shown, _ := onTerminal(t, 60, "template", "drafts/odd"); !strings.Contains(shown, `\u{202e}`) {
		t.Errorf("template: got %q", shown)
	}
	if shown, _ := onTerminal(t, 60, "fleet", "--upstream", "blueprints/platform=drafts/package"); !strings.Contains(shown, "\x1b[31m") {
		t.Errorf("fleet: got %q", shown)
	}
	var none bytes.Buffer
	if exit := mainOf(&none, &none, "fleet", "--to", "before"); exit != 0 {
		t.Fatal(none.String())
	}
	if shown, _ := onTerminal(t, 60, "fleet", "--like", "kpt", "--upstream", "blueprints/platform=drafts/package", "--against", "before"); !strings.Contains(shown, "token: •••") || strings.Contains(shown, "hunter2") {
		t.Errorf("fleet --against: got %q", shown)
	}
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			if shown, _ := onTerminal(t, 60, "check", "drafts/mode"); strings.Contains(shown, "\x1b") || !strings.Contains(shown, "7:11: error") {
				t.Errorf("got %q", shown)
			}
		})
	}
}

// A terminal shows the value, and what a report adds to the message.
func TestTerminalNamesSets(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "packs/a.yaml", packResource(`registry:
  port: slow
  token: xa
`))
	for dir, key := range map[string]string{"dev": "port", "prod": "prot", "test": "prot"} {
		write(t, dir+"/values.yaml", `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: v, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {packRef: {name: vault}, scope: cluster, values: {registry: {`+key+": 5001}}}\n")
	}
	if shown, _ := onTerminal(t, 400, "check", "."); !strings.Contains(shown, `got "slow" (values.yaml`) || !strings.Contains(shown, "(with prod/ and test/)") {
		t.Errorf("got %s", shown)
	}
}
