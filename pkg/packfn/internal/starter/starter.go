// Package starter makes the files of a new function in a clone of this project. The function works: it compares the
// versions of packs with a minimum. Its author replaces that.
package starter

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// templates are the files of a function. NAME, FEATURE and KIND in their paths are replaced.
//
//go:embed all:function
var templates embed.FS

// Function is a function that is to be made.
type Function struct {
	// Module is the path of the Go module of the clone, and Root its folder.
	Module, Root string
	// Name is the name of the function, such as check-labels, and Kind is the kind of its functionConfig.
	Name, Kind string
	// Feature is the name of its Go package, labels. Family begins the ids of its rules, and Prefix the names
	// of their variables.
	Feature, Family, Prefix string
	// Image is the image that a Kptfile names.
	Image string
}

// list is the file of a clone with the list of all functions.
const list = "functions/suite/suite.go"

// New returns the function of a name in the clone that has a folder, or an error if it cannot be made there.
func New(name, dir string) (*Function, error) {
	f := &Function{Name: name, Kind: camel(name), Family: name, Image: function.Image(name)}
	if _, rest, ok := strings.Cut(name, "-"); ok {
		f.Family = rest
	}
	f.Feature, f.Prefix = strings.ReplaceAll(f.Family, "-", ""), camel(f.Family)
	switch {
	case len(validation.IsDNS1035Label(name)) > 0 || strings.Contains(name, "--"):
		return nil, fmt.Errorf("%q is not a name of a function: write at most %d lower-case letters and digits, and - between words, such as check-labels", name, validation.DNS1035LabelMaxLength)
	case !isPackageName(f.Feature):
		return nil, f.packageError("")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for at := range parents.Of(dir) {
		if _, err := os.Stat(filepath.Join(at, list)); err != nil {
			continue
		}
		text, err := folder.ReadText(filepath.Join(at, "go.mod"))
		if err != nil {
			return nil, err
		}
		if found := module.FindSubmatch(text); found != nil {
			f.Root, f.Module = at, string(found[1])
			return f, nil
		}
	}
	return nil, errors.New("the working directory is not in a clone of the project of packfn, where functions are made")
}

var module = regexp.MustCompile(`(?m)^module (\S+)$`)

// camel joins words to a name of Go: `check-labels` becomes CheckLabels.
func camel(words string) (name string) {
	for word := range strings.SplitSeq(words, "-") {
		if word != "" {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return name
}

// Changes returns the files that make the function: new files, and the files that list functions, with its lines.
// It returns an error if one of the new files exists, or if the Go code would not compile.
func (f *Function) Changes() ([]staging.Change, error) {
	texts := map[string]string{}
	err := fs.WalkDir(templates, "function", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := templates.ReadFile(name)
		if err != nil {
			return err
		}
		at, err := f.newFile(strings.TrimSuffix(strings.TrimPrefix(name, "function/"), ".tmpl"))
		if err == nil && texts[at] != "" {
			err = fmt.Errorf("%q cannot be a function, because two of its files would be %s: choose other words after the verb", f.Name, at)
		}
		if err != nil {
			return err
		}
		filled, err := f.fill(string(text))
		texts[at] = string(filled)
		return err
	})
	if err == nil {
		err = cmp.Or(f.checkRules(), f.edit(texts))
	}
	if err != nil {
		return nil, err
	}
	var changes []staging.Change
	for _, at := range slices.Sorted(maps.Keys(texts)) {
		text := []byte(texts[at])
		if path.Ext(at) == ".go" { // the order of imports depends on the name
			if text, err = format.Source(text); err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
			if err := f.checkImport(at, text); err != nil {
				return nil, err
			}
		}
		changes = append(changes, staging.Change{In: f.Root, Path: f.path(at), Text: text})
	}
	return changes, nil
}

// newFile returns the path of a file of the function. It returns an error if the file, or a folder of the function's
// own above it, exists: `pkg/FEATURE` of `pkg/FEATURE/doc.go`.
func (f *Function) newFile(template string) (string, error) {
	names := strings.NewReplacer("NAME", f.Name, "FEATURE", f.Feature, "KIND", strings.ToLower(f.Kind))
	own, at := "", ""
	for step := range strings.SplitSeq(template, "/") {
		named := names.Replace(step)
		if at = path.Join(at, named); own == "" && named != step {
			own = at
		}
	}
	if _, err := os.Lstat(f.path(own)); err == nil {
		return "", fmt.Errorf("%s exists already; choose another name", own)
	}
	return at, nil
}

func (f *Function) path(at string) string { return filepath.Join(f.Root, filepath.FromSlash(at)) }

// fill returns a text with the names of the function.
func (f *Function) fill(text string) ([]byte, error) {
	parsed, err := template.New("").Delims("[[", "]]").Parse(text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = parsed.Execute(&out, f)
	return out.Bytes(), err
}

// edit adds something to a file that lists functions.
type edit struct {
	file string
	// at is the text before which it is added, or after which if isAfter is true. The text "" is the end of the file.
	at      string
	isAfter bool
	added   string
}

var edits = []edit{
	{list, "import (\n", true, "\t\"[[.Module]]/pkg/[[.Feature]]\"\n"},
	{list, "\t}\n}\n", false, "\t\t[[.Feature]].Function(),\n"},
	{"functions/suite/waiting_test.go", "var waits = []struct{ function, point, config, rest string }{\n", true, `	{"[[.Name]]", "Pack", "", ""},
	{"[[.Name]]", "pack.json", "", ""},
`},
	{"ARCHITECTURE.md", "| `pkg/packfn/reporttest` |", false, "| `pkg/[[.Feature]]` | feature: CHANGE_ME, and `[[.Name]]` |\n"},
	{"docs/README.md", "\n## Reference\n", false, "| [The function [[.Name]]]([[.Name]].md) | CHANGE_ME |\n"},
	{"docs/README.md", " | the functions: what they read", false, ", [[ \"[\" ]][[.Name]]](../functions/[[.Name]]/README.md)"},
	{"tests/packfn/testdata/rules.txtar", "", false, `-- [[.Family]]/version/rule --
run [[.Name]]
fix 0.6.0 => 1.0.0
-- [[.Family]]/version/list.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
data:
  pack.json: |
    <>
-- [[.Family]]/waiting/rule --
run [[.Name]]
fix kpt.dev/config-injection => note
-- [[.Family]]/waiting/list.yaml --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
<>
spec: {version: 1.0.0}
`},
}

// edit adds the function to the files that list functions, and these to the texts.
func (f *Function) edit(texts map[string]string) error {
	for _, e := range edits {
		text, isEdited := texts[e.file]
		if !isEdited {
			read, err := folder.ReadText(f.path(e.file))
			if err != nil {
				return err
			}
			text = string(read)
		}
		added, err := f.fill(e.added)
		if err != nil {
			return err
		}
		if before, after, ok := strings.Cut(text, e.at); e.at == "" {
			text += string(added)
		} else if !ok {
			return fmt.Errorf("%s has no text %q, where the function is added: use a packfn that is built in this clone", e.file, strings.TrimSpace(e.at))
		} else if e.isAfter {
			text = before + e.at + string(added) + after
		} else {
			text = before + string(added) + e.at + after
		}
		texts[e.file] = text
	}
	return nil
}

// Steps are the commands that complete the function, in their order: each writes what is made of the code before it.
func (f *Function) Steps() []string {
	return []string{
		"UPDATE=1 go test -count=1 ./pkg/" + f.Feature + " && go test ./pkg/rule",
		"go run ./build/schemas && go run ./build/porch",
		"UPDATE=1 go test -count=1 ./functions/suite -run TestDocuments && go test ./functions/suite",
		"UPDATE=1 go test -count=1 ./tests/contract -run TestExported && go test ./tests/contract",
		"UPDATE=1 go test -count=1 ./tests/e2e -run 'TestExamples/" + f.Name + ".*'",
		"UPDATE=1 go test -count=1 ./tests/packfn -run 'TestScript/check_cases|TestSessions' && go test ./tests/packfn -run TestRuleExamples",
		"UPDATE=1 go test -count=1 ./tests/docs",
	}
}
