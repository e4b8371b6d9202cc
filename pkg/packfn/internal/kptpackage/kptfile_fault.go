package kptpackage

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/distribution/reference"

	"github.com/krm-packs/functions/pkg/diag"
)

// emptyFirst matches a text whose first document is empty, up to the start of the second one:
//
//	---
//	# a comment
//	---
var emptyFirst = regexp.MustCompile(`^(?:[ \t]*(?:#.*)?\r?\n)*---[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*---`)

// refusal returns an error in the wording of the suite for a Kptfile that kpt rejects. findings
// are about its fields. err is the error of kpt's decoder, or nil if only the version or kind is
// wrong.
func refusal(findings []diag.Finding, err error) error {
	isVersion := func(f diag.Finding) bool { return f.Key == "apiVersion" || f.Key == "kind" }
	if at := slices.IndexFunc(findings, isVersion); at >= 0 { // what else is wrong follows from it
		findings, err = findings[at:], nil
	}
	for i := range findings {
		// A finding may be stricter than kpt, unless kpt's decoder names its line.
		f := &findings[i]
		if err == nil || strings.Contains(err.Error(), fmt.Sprintf("line %d:", f.Position.Line)) {
			return rejected(f.Position.Line, f.Key, f.Message())
		}
	}
	return rejected(1, "", diag.OneLine(strings.TrimPrefix(err.Error(), "yaml: ")))
}

// rejected returns a fault of a Kptfile, at a line and a field that may be "".
func rejected(line int, field, message string) *Fault {
	if field != "" {
		message = field + ": " + message
	}
	return NewFault("", "", diag.Position{Line: max(line, 1), Column: 1}, "kpt rejects the Kptfile: %s", message)
}

// fault returns the reason why kpt rejects a function, or "" if it does not. It also returns the
// field at fault, and the alternative fields of which one is needed.
func (f *Function) fault() (field, fault string, needed []string) {
	if f.Image != "" {
		if _, err := reference.Parse(f.Image); err != nil {
			return ".image", fmt.Sprintf("%q is not a name of an image: %v", f.Image, err), nil
		}
	}
	words, splitErr := f.Command()
	switch {
	case splitErr != nil:
		return ".exec", fmt.Sprintf("%q is not a command: %v", f.Exec, splitErr), nil
	case f.Image == "" && len(words) == 0:
		return "", "set image or exec", []string{"image", "exec"}
	case f.Image != "" && f.Exec != "":
		return "", "image and exec are both set; remove one", nil
	case f.ConfigPath != "" && len(f.ConfigMap) > 0:
		return "", "configPath and configMap are both set; remove one", nil
	case f.ConfigRef != nil && f.ConfigPath != "":
		return "", "configRef and configPath are both set; remove one", nil
	case f.ConfigRef != nil && len(f.ConfigMap) > 0:
		return "", "configRef and configMap are both set; remove one", nil
	case f.ConfigRef != nil && f.ConfigRef.Kind == "":
		return ".configRef", "it has no kind; add it", []string{"kind"}
	case f.ConfigRef != nil && f.ConfigRef.Name == "":
		return ".configRef", "it has no name; add it", []string{"name"}
	case f.ConfigPath != "" && (strings.Contains(path.Clean(f.ConfigPath), "..") || !filepath.IsLocal(filepath.FromSlash(f.ConfigPath))):
		return ".configPath", "must be a path in the package, without two dots in a row", nil
	}
	for i, s := range slices.Concat(f.Selectors, f.Exclude) {
		if r := s.ResourceFileRegexp; r != nil && r.err != nil {
			field = fmt.Sprintf(".selectors[%d]", i)
			if i >= len(f.Selectors) {
				field = fmt.Sprintf(".exclude[%d]", i-len(f.Selectors))
			}
			return field + ".resourceFileRegexp", r.err.Error(), nil
		}
	}
	return "", "", nil
}
