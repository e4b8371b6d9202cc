package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// names are what users call packages, by the names of their folders.
func (p *Preview) names() func([]string) []string {
	known := map[string]string{}
	for i := range p.Rows {
		known[p.Rows[i].Name()] = p.name(&p.Rows[i])
	}
	return func(folders []string) []string {
		names := slices.Clone(folders)
		for i, folder := range folders {
			if name, ok := known[folder]; ok {
				names[i] = name
			}
		}
		return names
	}
}

// pageChanges are the changes of packages, by the names of their folders.
func (p *Preview) pageChanges() map[string]pageChange {
	changes := map[string]pageChange{}
	if p.Patches == nil {
		return nil
	}
	for i := range p.Patches.Groups {
		for _, name := range p.Patches.Groups[i].Packages {
			changes[name] = pageChange{fmt.Sprintf("change %d", i+1), i}
		}
	}
	for _, list := range p.Patches.Lists() {
		for _, name := range list.Names {
			changes[name] = pageChange{list.Title, -1}
		}
	}
	return changes
}

// page makes the lines of a file's change, and counts those that come and go.
func (f *FilePatch) page(audience diag.Audience) pageFile {
	file := pageFile{Path: f.Path}
	isHead := true
	for line := range strings.Lines(f.Show(audience)) {
		class := ""
		switch {
		case isHead && strings.HasPrefix(line, "--- "), isHead && strings.HasPrefix(line, "+++ "):
			switch line {
			case "--- /dev/null\n":
				file.Note = "new"
			case "+++ /dev/null\n":
				file.Note = "gone"
			}
			continue
		case line[0] == '+':
			class = "add"
			file.added++
		case line[0] == '-':
			class = "del"
			file.removed++
		case line[0] == '@':
			class, isHead = "at", false
		}
		file.Lines = append(file.Lines, pageLine{line, class})
	}
	return file
}
