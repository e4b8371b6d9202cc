package fleet

import (
	"fmt"
	"slices"
	"strings"
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

// page makes what the page shows of changes, and the link of each package to its own.
func (c *Patches) page(noun string, names func([]string) []string, values bool) (*pageChanges, map[string]pageChangeLink) {
	out, links := &pageChanges{}, map[string]pageChangeLink{}
	if !values && len(c.Groups) > 0 {
		out.Masked = masking
	}
	for i := range c.Groups {
		g := &c.Groups[i]
		called := names(g.Packages)
		change := pageChange{Index: i, Count: fmt.Sprintf("%d: %s", i+1, plural(len(called), noun)), Few: some(called, fewNames)}
		if len(called) > fewNames {
			change.Names = some(called, mostNames)
		}
		if g.NamesDiffer {
			change.Note = fmt.Sprintf("The same but for the name of the %s; this is %s.", noun, called[0])
		}
		added, removed := 0, 0
		for j := range g.Files {
			file, plus, minus := g.Files[j].page(values)
			added, removed = added+plus, removed+minus
			change.Files = append(change.Files, file)
		}
		change.Size = fmt.Sprintf("%s, +%s −%s", plural(len(g.Files), "file"), number(added), number(removed))
		out.Groups = append(out.Groups, change)
		for _, name := range g.Packages {
			links[name] = pageChangeLink{fmt.Sprintf("change %d", i+1), i, false}
		}
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"new", c.New}, {"gone", c.Gone}, {"not rendered", c.Unknown}} {
		if len(list.names) > 0 {
			out.Lists = append(out.Lists, fmt.Sprintf("%s %s: %s.", plural(len(list.names), noun), list.what, some(names(list.names), mostNames)))
		}
		for _, name := range list.names {
			links[name] = pageChangeLink{list.what, -1, false}
		}
	}
	if c.Same > 0 {
		out.Lists = append(out.Lists, "No change in "+plural(c.Same, noun)+".")
	}
	return out, links
}

// page makes the lines of a file's change, and counts those that come and go.
func (f *FilePatch) page(values bool) (file pageFile, added, removed int) {
	file.Path = f.Path
	isHead := true
	for line := range strings.Lines(f.Show(values)) {
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
			added++
		case line[0] == '-':
			class = "del"
			removed++
		case line[0] == '@':
			class, isHead = "at", false
		}
		file.Lines = append(file.Lines, pageLine{line, class})
	}
	return file, added, removed
}
