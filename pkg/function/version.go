package function

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
)

// ProgramName returns the name of the function that a program, or a link to one, is
// named after: without its folder and the ending that Windows needs.
func ProgramName(arg0 string) string {
	name := arg0[strings.LastIndexAny(arg0, `/\`)+1:]
	if at := len(name) - len(".exe"); at > 0 && strings.EqualFold(name[at:], ".exe") {
		return name[:at]
	}
	return name
}

// PrintVersion prints the version of a program of the suite and returns its exit code.
func PrintVersion(name string, stdout, stderr io.Writer) int {
	if _, err := fmt.Fprintf(stdout, "%s %s\n", name, Version()); err != nil {
		fmt.Fprintf(stderr, "%s: writing the output: %v\n", name, err)
		return 1
	}
	return 0
}

// Version describes the build of the running program.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return version(info)
}

// version describes a build: the version of the module, the revision and whether the
// files had changes since, and Go's version.
func version(info *debug.BuildInfo) string {
	text := info.Main.Version
	if text == "" {
		text = "(unknown)"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		text += ", revision " + revision
		if settings["vcs.modified"] == "true" {
			text += ", modified"
		}
	}
	if info.GoVersion != "" {
		text += ", " + info.GoVersion
	}
	return text
}
