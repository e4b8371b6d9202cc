package preview

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// page is the data of the HTML template.
type page struct {
	*Preview
	Print
	// SetErrors and SetWarnings are the findings about the sets. Findings are shown at first;
	// More are the remaining findings, which the reader opens together. Notes are the infos by
	// rule.
	SetErrors, SetWarnings, Findings, More []pageGroup
	// Notes are the infos about the sets, by rule.
	Notes map[string][]pageGroup
	// Columns are the functions that have a column. Folded are the cells of the functions whose
	// cell is the same in all rows.
	Columns []pageColumn
	Folded  []pageCell
	// Rows are the rows of the table of packages.
	Rows []pageRow
	// Span is the number of columns that a reason spans.
	Span int
	// Graphs are the graphs that the page draws.
	Graphs []*graph
	// Packs is the number of packs in the graphs.
	Packs int
	// Style and Script are the parts that are embedded, so that the page needs no other file.
	Style  template.CSS
	Script template.JS
	// Hash is the hash of the script for the content security policy, which allows no other
	// script.
	Hash string
}

// pageGroup is a finding with the packages that have it.
type pageGroup struct {
	// Index is the index of the finding in the list of groups, which links of the page refer to.
	Index int
	// Packages are indexes of the rows that have the finding.
	Packages []int
	*report.Finding
}

// pageStat is a count of packages that differ from an earlier preview.
type pageStat struct {
	// Title is the label, Mark a character that distinguishes it without color, Class its CSS class,
	// and Count the number with its sign, such as `+3`.
	Title, Mark, Class, Count string
	// Zero is true if the count is 0.
	Zero bool
}

// pageChange is the label of a package's change. At is the index of the change, or -1 if there is
// none to show.
type pageChange struct {
	// Text is the label.
	Text string
	At   int
}

// pageFile is the change of a file.
type pageFile struct {
	// Path is the path of the file. Note is `new` or `gone` for a file that exists only after or only
	// before the change.
	Path, Note string
	// Lines are the lines of the diff.
	Lines []pageLine
	// added and removed are the numbers of added and removed lines.
	added, removed int
}

// pageLine is a line of a diff with the CSS class that colors it.
type pageLine struct{ Text, Class string }

const (
	// mostNamed is the maximum number of packages that the page names for a finding or a change.
	mostNamed = 1000
	// mostFindings is the number of findings that the page shows at first.
	mostFindings = 25
)

// marks distinguish severities without color.
var marks = map[diag.Severity]string{diag.Error: "✕", diag.Warning: "▲", diag.Info: "ℹ"}

// writeHTML writes a self-contained page. The page is readable without JavaScript; scripts add
// filters, sorting and rows that open.
func (p *Preview) writeHTML(w io.Writer, how Print) error {
	t, err := template.New("page").Funcs(p.pageFunctions()).Parse(pageText)
	if err != nil {
		return err
	}
	out := p.page(how)
	sum := sha256.Sum256([]byte("\n" + pageScript))
	out.Style, out.Script, out.Hash = template.CSS(pageStyle), template.JS(pageScript), "sha256-"+base64.StdEncoding.EncodeToString(sum[:])
	var text bytes.Buffer
	if err := t.Execute(&text, out); err != nil {
		return err
	}
	_, err = io.WriteString(w, showInvisible(text.String()))
	return err
}

// showInvisible escapes characters that change how the text around them looks, such as
// bidirectional controls, as [diag.Shown] does. The page itself contains no such characters.
func showInvisible(text string) string {
	isInvisible := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
	}
	if strings.IndexFunc(text, isInvisible) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isInvisible(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// pageFunctions returns the functions that the template calls.
func (p *Preview) pageFunctions() template.FuncMap {
	noun, names := p.noun(), p.names()
	changes := map[string]int{}
	if p.Patches != nil {
		for i := range p.Patches.Groups {
			for _, name := range p.Patches.Groups[i].Packages {
				changes[name] = i
			}
		}
	}
	return template.FuncMap{
		"noun":       p.noun,
		"title":      func() string { return strings.ToUpper(noun[:1]) + noun[1:] + "s" },
		"number":     number,
		"plural":     func(n int, noun any) string { return Plural(n, fmt.Sprint(noun)) },
		"add":        func(a, b int) int { return a + b },
		"cut":        cut,
		"mark":       func(s diag.Severity) string { return marks[s] },
		"outcome":    Outcome.shown,
		"masking":    func() string { return masking },
		"isMasked":   func() bool { return p.Audience != diag.All },
		"nodeHeight": func() int { return nodeHeight },
		"name":       p.name,
		"called":     func(folders []string, most int) string { return some(names(folders), most) },
		"where":      func(g pageGroup) string { return where(g.Finding) },
		"field": func(g pageGroup) string {
			return where(&report.Finding{Target: report.Target{Resource: g.Resource, Field: g.Field}})
		},
		"names": func(g pageGroup) string { return p.namesOf(&Group{Packages: g.Packages}, mostNamed) },
		"few": func(g pageGroup) string {
			if len(g.Packages) > fewNames {
				return "" // the count says more
			}
			return p.namesOf(&Group{Packages: g.Packages}, fewNames)
		},
		"change": func(row *Row) *pageChange {
			switch {
			case row.since == nil:
				return nil
			case row.since.Is == isSame:
				return &pageChange{"none", -1}
			case row.since.Is == isChanged:
				at := changes[row.Name()]
				return &pageChange{fmt.Sprintf("change %d", at+1), at}
			}
			return &pageChange{string(row.since.Is), -1}
		},
		"files": func(c Patch) (files []pageFile) {
			for i := range c.files {
				files = append(files, pageFileOf(c.files[i].Path, p.textOf(&c.files[i])))
			}
			return files
		},
		"size": func(files []pageFile) string {
			added, removed := 0, 0
			for _, f := range files {
				added, removed = added+f.added, removed+f.removed
			}
			return fmt.Sprintf("%s, +%s −%s", Plural(len(files), "file"), number(added), number(removed))
		},
	}
}

// names returns a function that replaces the folders of packages with their display names.
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

// page returns the data of the HTML template.
func (p *Preview) page(how Print) *page {
	out := &page{Preview: p, Print: how, Notes: map[string][]pageGroup{}}
	for i, g := range p.ofSets() {
		out.addFinding(pageGroup{len(p.Groups) + i, nil, &g.Finding}, &out.SetErrors, &out.SetWarnings)
	}
	for i := range p.Groups {
		list := &out.Findings
		if len(out.Findings) == mostFindings {
			list = &out.More
		}
		out.addFinding(pageGroup{i, p.Groups[i].Packages, &p.Groups[i].Finding}, list, list)
	}
	out.addRows()
	for i := range p.graphs {
		g := &p.graphs[i]
		g.draw()
		out.Packs += len(g.Nodes)
		out.Graphs = append(out.Graphs, g)
	}
	return out
}

// addFinding adds a finding to the list of its severity.
func (p *page) addFinding(g pageGroup, errors, warnings *[]pageGroup) {
	switch g.Severity {
	case diag.Error:
		*errors = append(*errors, g)
	case diag.Warning:
		*warnings = append(*warnings, g)
	default:
		p.Notes[g.Rule] = append(p.Notes[g.Rule], g)
	}
}

// Problems returns the number of findings that are not infos.
func (p *page) Problems() int { return len(p.Findings) + len(p.More) }

// Differences counts the packages that differ from an earlier preview, if there is one.
func (p *page) Differences() []pageStat {
	if p.Patches == nil {
		return nil
	}
	changed := len(p.Patches.New) + len(p.Patches.Gone)
	for i := range p.Patches.Groups {
		changed += len(p.Patches.Groups[i].Packages)
	}
	all := []pageStat{{"changed", "Δ", "", number(changed), changed == 0}}
	if v := p.Patches.Outcomes; v != nil {
		newly, noLonger := len(v.NewlyRefused), len(v.NoLongerRefused)
		all = append(all, pageStat{"newly refused", "✕", "refused", "+" + number(newly), newly == 0},
			pageStat{"no longer refused", "✓", "deployable", "−" + number(noLonger), noLonger == 0})
	}
	return all
}

// pageFileOf parses the unified diff of a file, and counts the added and removed lines:
//
//	--- a.yaml
//	+++ a.yaml
//	@@ -1,2 +1,2 @@
//	-size: small
//	+size: large
func pageFileOf(path, text string) pageFile {
	file := pageFile{Path: path}
	isHead := true
	for line := range strings.Lines(text) {
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
