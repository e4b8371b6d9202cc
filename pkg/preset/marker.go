package preset

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// The comment that some values files carry near their top says which presets
// are applied (rule P6):
//
//	# spectrocloud.com/enabled-presets: Group:name,Group2:name2
const markerKey = "spectrocloud.com/enabled-presets:"

// markerLines is how many of the first lines of the values are looked at.
const markerLines = 20

// mark rewrites the marker comment of the values, when there is one, and puts it back
// when it was above a key that was removed.
func (e *editor) mark(before *values.Document, presets []pack.Preset) error {
	index, line := marker(before, e.at)
	if index < 0 {
		return nil
	}
	key := strings.Index(line, markerKey) + len(markerKey)
	list, end := line[key:], ""
	if trimmed := strings.TrimRight(list, "\r"); trimmed != list {
		list, end = trimmed, list[len(trimmed):]
	}
	written := line[:key] + markerList(list, presets) + end
	now, found := marker(e.document, e.at)
	if found == written {
		return nil
	}
	lines := strings.Split(e.document.Text(), "\n")
	if now >= 0 {
		lines[now] = written
	} else {
		lines = slices.Insert(lines, e.place(before, lines, index), written)
	}
	edited, err := values.Parse(strings.Join(lines, "\n"))
	if err != nil || !values.Equal(edited.Root(), e.document.Root()) {
		return errUnwritten
	}
	e.document = edited
	return nil
}

// place returns the line for a marker that an edit removed: where it was, or the top of
// the values when the text above it changed.
func (e *editor) place(before *values.Document, lines []string, index int) int {
	above := strings.Split(before.Text(), "\n")[:index]
	if len(lines) >= index && slices.Equal(lines[:index], above) {
		return index
	}
	first, _ := e.lines(e.document)
	for first < len(lines) && (strings.HasPrefix(lines[first], "---") || strings.HasPrefix(lines[first], "%")) {
		first++
	}
	return min(first, len(lines))
}

// marker returns the index and the text of the marker line, -1 when there is none. A
// line of a block text is not a comment.
func marker(document *values.Document, at []values.Step) (int, string) {
	if !strings.Contains(document.Text(), markerKey) {
		return -1, ""
	}
	lines := strings.Split(document.Text(), "\n")
	from, to := (&editor{document, at}).lines(document)
	for i := from; i < min(to, len(lines)); i++ {
		comment := strings.TrimLeft(lines[i], " \t")
		if !strings.HasPrefix(comment, "#") || !strings.HasPrefix(strings.TrimLeft(comment, "# \t"), markerKey) {
			continue
		}
		line := lines[i]
		lines[i] = strings.TrimSuffix(line, "\r") + "?"
		if strings.HasSuffix(line, "\r") {
			lines[i] += "\r"
		}
		changed, err := values.Parse(strings.Join(lines, "\n"))
		if lines[i] = line; err == nil && values.Equal(changed.Root(), document.Root()) {
			return i, line
		}
	}
	return -1, ""
}

// lines returns the indexes of the lines near the top of the values, the last
// excluded.
func (e *editor) lines(document *values.Document) (from, to int) {
	if len(e.at) == 0 {
		return 0, markerLines
	}
	n := document.Root()
	for _, step := range e.at {
		next := values.Field(n, step.Key)
		if next == nil {
			return 0, 0
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step.Key {
				from = n.Content[i].Line
			}
		}
		n = next
	}
	return from, min(from+markerLines, lastLine(n))
}

func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, child := range n.Content {
		last = max(last, lastLine(child))
	}
	return last
}

// markerList rewrites the list of a marker: one entry for a group, in the place of an
// earlier one or after the others. A preset without a group is left out, and one whose
// name the list cannot hold.
func markerList(list string, presets []pack.Preset) string {
	var all []string
	for item := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(item) != "" {
			all = append(all, item)
		}
	}
	before := slices.Clone(all)
	for _, p := range presets {
		if p.Group == "" {
			continue
		}
		entry := p.Group + ":" + p.Name
		fits := !strings.ContainsFunc(entry, func(r rune) bool { return r == ',' || unicode.IsControl(r) })
		at := -1
		for i := 0; i < len(all); i++ {
			switch {
			case groupOf(strings.TrimSpace(all[i]), presets) != p.Group:
			case fits && at < 0:
				at = i
				all[i] = strings.Replace(all[i], strings.TrimSpace(all[i]), entry, 1)
			default:
				all = slices.Delete(all, i, i+1)
				i--
			}
		}
		if fits && at < 0 {
			all = append(all, entry)
		}
	}
	if slices.Equal(all, before) {
		return list
	}
	if len(all) > 0 && !strings.HasPrefix(all[0], " ") {
		all[0] = " " + all[0]
	}
	return strings.Join(all, ",")
}

// groupOf returns the group of an entry `group:name`, "" when no preset is in it.
// Groups and names may have colons: of groups that fit the longest counts.
func groupOf(entry string, presets []pack.Preset) string {
	var groups []string
	for _, p := range presets {
		if entry == p.Group+":"+p.Name {
			return p.Group
		}
		if strings.HasPrefix(entry, p.Group+":") {
			groups = append(groups, p.Group)
		}
	}
	if len(groups) == 0 {
		return ""
	}
	return slices.MaxFunc(groups, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}
