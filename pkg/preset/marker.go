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

// The comment near the top of some values files that lists the applied presets:
//
//	# spectrocloud.com/enabled-presets: Group:name,Group2:name2
const markerKey = "spectrocloud.com/enabled-presets:"

// markerLines is the number of lines at the start of the values that may be the marker.
const markerLines = 20

// mark rewrites the list of the marker comment of the values, when there was one before they
// were edited. It puts it at their top when it was in a map that was removed.
func (e *editor) mark(before *values.Document, rewrite func(list string) string) error {
	_, line := marker(before, e.at)
	if line == "" {
		return nil
	}
	key := strings.Index(line, markerKey) + len(markerKey)
	written := line[:key] + rewrite(line[key:])
	start, now := marker(e.document, e.at)
	if now == written {
		return nil
	}
	text, lines := e.document.Text(), e.document.Lines()
	if now == "" {
		first, _ := markerArea(e.document, e.at)
		start = lines.Start(first)
		for strings.HasPrefix(text[start:], "---") || strings.HasPrefix(text[start:], "%") {
			first++
			start = lines.Start(first)
		}
		_, lineBreak := cutBreak(before.Text()[:before.Lines().Start(2)])
		written += lineBreak
	}
	edited, err := values.Parse(text[:start] + written + text[start+len(now):])
	if err != nil || !values.Equal(edited.Root(), e.document.Root()) {
		return errUnwritten
	}
	e.document = edited
	return nil
}

// marker returns the offset and the text of the marker line, or "" if there is none. A line of a
// block text is not a comment: another letter in it would change a value.
func marker(document *values.Document, at []values.Step) (start int, line string) {
	text, lines := document.Text(), document.Lines()
	if !strings.Contains(text, markerKey) {
		return 0, ""
	}
	first, last := markerArea(document, at)
	for number := first; number <= last; number++ {
		start = lines.Start(number)
		line, _ = cutBreak(text[start:lines.Start(number+1)])
		comment := strings.TrimLeft(line, " \t")
		if !strings.HasPrefix(comment, "#") || !strings.HasPrefix(strings.TrimLeft(comment, "# \t"), markerKey) {
			continue
		}
		end := start + len(line)
		changed, err := values.Parse(text[:end] + "?" + text[end:])
		if err == nil && values.Equal(changed.Root(), document.Root()) {
			return start, line
		}
	}
	return 0, ""
}

// cutBreak returns a line without its line break, and the line break.
func cutBreak(line string) (text, lineBreak string) {
	text = strings.TrimRight(line, "\r\n")
	return text, line[len(text):]
}

// markerArea returns the first and the last of the lines of the values that may be a
// marker.
func markerArea(document *values.Document, at []values.Step) (first, last int) {
	if len(at) == 0 {
		return 1, markerLines
	}
	above := values.Follow(document.Root(), at[:len(at)-1])
	for _, p := range values.Pairs(above) {
		if name, ok := p.Name(); ok && name == at[len(at)-1].Key {
			return p.Key.Line + 1, min(p.Key.Line+markerLines, lastLine(p.Value))
		}
	}
	return 1, 0
}

// lastLine returns the last line on which a node of a tree begins.
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
	all := listed(list)
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
	return joined(all)
}

// listed returns the entries of the list of a marker, with the whitespace around them.
func listed(list string) []string {
	return slices.DeleteFunc(strings.Split(list, ","), func(item string) bool { return strings.TrimSpace(item) == "" })
}

// joined returns the list of a marker with some entries.
func joined(entries []string) string {
	if len(entries) > 0 && !strings.HasPrefix(entries[0], " ") {
		entries[0] = " " + entries[0]
	}
	return strings.Join(entries, ",")
}

// groupOf returns the group of an entry `group:name`, or "" if no preset is in it. Groups and names
// may have colons: of groups that fit the longest counts.
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

// unlisted returns the list of a marker without the entry of a preset.
func unlisted(list, entry string) string {
	all := listed(list)
	left := slices.DeleteFunc(slices.Clone(all), func(item string) bool { return strings.TrimSpace(item) == entry })
	if len(left) == len(all) {
		return list
	}
	return joined(left)
}
