package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

// The colors of the table, by severity.
var colors = map[diag.Severity]string{diag.Error: "31", diag.Warning: "33", diag.Info: "36"}

// maxSource is the number of characters of a source line that the table shows.
const maxSource = 100

// writeTable prints the findings grouped by file. At a terminal, each has its line in the file.
//
//	platform/registry.yaml
//	  19:17: error: ConfigMap registry: data[values.yaml]: registry.hostname is required, but empty [values/required]
func (r *Report) writeTable(w io.Writer) error {
	out, files := bufio.NewWriter(w), r.sources()
	file, isAny := "", false
	for _, group := range r.byFile() {
		for i := range group.Findings {
			f := &group.Findings[i]
			if !r.shows(f.Severity) {
				continue
			}
			if !isAny || f.File != file {
				if isAny {
					fmt.Fprintln(out)
				}
				if file = f.File; file != "" {
					fmt.Fprintln(out, r.paint("1", diag.Shown(file)))
				}
			}
			isAny = true
			r.writeRow(out, files, f)
		}
	}
	if isAny {
		fmt.Fprintln(out)
	}
	hint := ""
	if r.Least == diag.Warning && r.Has(diag.Info) {
		hint = " (--notes shows them)"
	}
	fmt.Fprint(out, r.Summary(), hint, r.took())
	r.WriteCoverage(out)
	for _, line := range r.Next {
		fmt.Fprintln(out, line)
	}
	return out.Flush()
}

// shows reports whether the table shows findings of a severity.
func (d *Display) shows(severity diag.Severity) bool {
	return d.Least == "" || slices.Index(severities, severity) <= slices.Index(severities, d.Least)
}

// took returns the time for the last line: ` in 120ms`.
func (d *Display) took() string {
	switch {
	case d.Took <= 0:
		return ""
	case d.Took < time.Second:
		return " in " + max(d.Took.Round(time.Millisecond), time.Millisecond).String()
	}
	return " in " + d.Took.Round(100*time.Millisecond).String()
}

// writeRow prints a finding, and below it the line of the file with a caret at the column:
//
//	12:9: error: PackValues site: registry.port must be … [values/format]
//	  12 |   port: 70000
//	     |         ^
func (r *Report) writeRow(out io.Writer, files *sources, finding *Finding) {
	f := finding.For(r.Audience)
	place := cmp.Or(f.place(), "-")
	// Wrapped first: colors take no columns.
	head := fmt.Sprintf("  %s: %s:", place, f.Severity)
	row := wrap(fmt.Sprintf("%s %s%s [%s]", head, f.subject(), diag.OneLine(f.Message), diag.Shown(f.Rule)), r.Width)
	if rest, ok := strings.CutPrefix(row, head); ok {
		row = fmt.Sprintf("  %s: %s:%s", place, r.paint(colors[f.Severity], string(f.Severity)), rest)
	}
	fmt.Fprintln(out, row)
	if r.Audience == diag.Record {
		return
	}
	line := files.line(&f, r.Audience)
	if line.Text == "" {
		return
	}
	number := strconv.Itoa(f.Line)
	most := maxSource
	if r.Width > 0 {
		most = max(20, min(most, r.Width-len("     | ")-len(number)))
	}
	source, column := cut(line.Text, line.Column, most)
	fmt.Fprintf(out, "    %s | %s\n", number, source)
	if column > 0 {
		fmt.Fprintf(out, "    %s | %s%s\n", strings.Repeat(" ", len(number)), strings.Repeat(" ", column-1), r.paint(colors[f.Severity], "^"))
	}
}

// sources caches the files with findings, by their paths on disk. It has nil for a file that cannot
// be read as text, such as an archive.
type sources struct {
	files map[string]*shown.File
	// dirs are the folders of all findings, whose packs tell which values are secrets.
	dirs []string
}

// sources returns the cache of the report's files. It keeps at most mostDirs folders.
func (r *Report) sources() *sources {
	s := &sources{files: map[string]*shown.File{}}
	for i := range r.Findings {
		if dir := filepath.Dir(r.Findings[i].Path); !slices.Contains(s.dirs, dir) && len(s.dirs) < mostDirs {
			s.dirs = append(s.dirs, dir)
		}
	}
	return s
}

// mostDirs is the number of folders that are searched for the schemas of packs.
const mostDirs = 20

// line returns the line of a finding in its file, or the zero value if it is not known.
func (s *sources) line(f *Finding, audience diag.Audience) shown.Line {
	if f.Path == "" || f.Line == 0 {
		return shown.Line{}
	}
	file, isKnown := s.files[f.Path]
	if !isKnown && hasLines(f.Path) {
		if text, err := folder.ReadText(f.Path); err == nil {
			file = shown.New(filepath.Base(f.Path), text, shown.KnownIn(filepath.Dir(f.Path), s.dirs...))
		}
	}
	s.files[f.Path] = file
	return file.At(diag.Position{Line: f.Line, Column: f.Column}, audience)
}

// hasLines reports whether lines of a file are shown. Others, such as cluster profiles and Terraform, hold
// values whose secrets are not known from the file.
func hasLines(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml" || slices.Contains([]string{kptpackage.KptfileName, "pack.json"}, filepath.Base(name))
}

// subject names the resource and the field, which the message of a finding does not repeat.
func (t *Target) subject() string {
	var b strings.Builder
	for _, part := range []string{t.Resource.String(), t.Field} {
		if part != "" {
			b.WriteString(diag.Shown(part) + ": ")
		}
	}
	return b.String()
}

// wrap breaks a line between words at a width. What follows is indented below the place.
func wrap(line string, width int) string {
	const indent = "      "
	if width < 40 {
		return line
	}
	var b strings.Builder
	column := 0
	for i, word := range strings.Split(line, " ") {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+length > width && column > len(indent):
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += length
	}
	return b.String()
}

// cut prepares a source line for a terminal. Tabs become spaces, so that the caret is
// below its column, and of a long line the part around the column is shown.
func cut(source string, column, most int) (text string, at int) {
	before := []rune(strings.ReplaceAll(source, "\t", " "))
	if column > len(before)+1 {
		column = 0
	}
	runes := []rune(diag.Shown(string(before)))
	if column > 0 {
		column = utf8.RuneCountInString(diag.Shown(string(before[:column-1]))) + 1
	}
	most = min(most, len(runes))
	from := max(0, min(column-most/2, len(runes)-most))
	text = string(runes[from : from+most])
	if from > 0 {
		_, size := utf8.DecodeRuneInString(text)
		text = "…" + text[size:]
	}
	if from+most < len(runes) {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size] + "…"
	}
	return text, max(0, column-from)
}

// Paint returns a severity in its color, if the table has colors.
func (d *Display) Paint(s diag.Severity) string { return d.paint(colors[s], string(s)) }

// paint puts a text into the escape sequences of a color, such as `31` for red.
func (d *Display) paint(color, text string) string {
	if !d.Color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}
