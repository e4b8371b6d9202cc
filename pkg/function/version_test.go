package function

import (
	"bytes"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	revision := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: modified}}
	}
	for want, info := range map[string]debug.BuildInfo{
		", go1.26":                         {GoVersion: "go1.26", Main: debug.Module{Version: Release}},
		", module v9.0.0-1, go1.26":        {GoVersion: "go1.26", Main: debug.Module{Version: "v9.0.0-1"}},
		", revision abc, go1.26":           {GoVersion: "go1.26", Main: debug.Module{Version: "(devel)"}, Settings: revision("false")},
		", revision abc, modified, go1.26": {GoVersion: "go1.26", Main: debug.Module{Version: "v0.0.0-1+dirty"}, Settings: revision("true")},
		"":                                 {},
	} {
		if got := version(&info); got != Release+want {
			t.Errorf("got %s, want %s%s", got, Release, want)
		}
	}
}

func TestPrintVersion(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(demo(&stub{}), Docs{}, []string{"--version"}, os.Stdin, &stdout, &stderr); code != 0 || !strings.HasPrefix(stdout.String(), "demo ") || strings.Count(stdout.String(), "\n") != 1 || stderr.Len() > 0 {
		t.Errorf("exit code %d, %q, %q", code, stdout.String(), stderr.String())
	}
	if code := run(demo(&stub{}), Docs{}, []string{"--version"}, os.Stdin, brokenWriter{}, &stderr); code != 1 || stderr.String() != "demo: writing the output: no space left\n" {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

func TestProgramName(t *testing.T) {
	for arg0, want := range map[string]string{
		"apply-preset": "apply-preset", "/bin/apply-preset": "apply-preset", `C:\bin\apply-preset.exe`: "apply-preset", "apply-preset.EXE": "apply-preset",
		".exe": ".exe", "dir.exe/a.b": "a.b",
	} {
		if got := ProgramName(arg0); got != want {
			t.Errorf("%s: got %s, want %s", arg0, got, want)
		}
	}
}
