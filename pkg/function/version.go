package function

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
)

// Release is the version of the suite: the tag of its images, and the output of --version. It
// equals the version in build/VERSION; see TestRelease in functions/suite.
const Release = "v0.1.0"

// ImagePrefix begins the names of the suite's images.
const ImagePrefix = "ghcr.io/krm-packs/"

// Image returns the image of a program of the suite, in this release.
func Image(name string) string { return ImagePrefix + name + ":" + Release }

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

// version describes a build: the release, the revision and whether the files had changes
// since, and Go's version. A build without a revision names the version of its module if
// that is not the release, as `go install` of a branch gives it.
func version(info *debug.BuildInfo) string {
	text := Release
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		text += ", revision " + revision
		if settings["vcs.modified"] == "true" {
			text += ", modified"
		}
	} else if module := info.Main.Version; module != "" && module != "(devel)" && module != Release {
		text += ", module " + module
	}
	if info.GoVersion != "" {
		text += ", " + info.GoVersion
	}
	return text
}
