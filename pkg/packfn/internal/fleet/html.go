package fleet

import (
	"bytes"
	"cmp"
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

// HTML is the form of a page for a browser, which requests nothing from anywhere.
const HTML = report.HTML

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// page is what the template shows.
type page struct {
	*Preview
	Print
	// SetErrors and SetWarnings are findings of the sets. More are the findings that a
	// reader opens at once, below the others. Notes are the infos of each rule.
	SetErrors, SetWarnings, Findings, More []pageGroup
	Notes                                  map[string][]pageGroup
	// Functions are the functions that ran, and Columns those of them that have a column:
	// Folded are the cells of those that have the same in all rows.
	Functions, Columns []pageColumn
	Folded             []pageCell
	Rows               []pageRow
	// Span is the number of columns that a reason takes.
	Span   int
	Graphs []pageGraph
	// Packs is the number of packs in the graphs.
	Packs  int
	Style  template.CSS
	Script template.JS
	// Hash names the script in the content security policy: no other script runs.
	Hash string
}

// pageStat counts packages that differ from an earlier preview.
type pageStat struct {
	Title, Mark, Class, Count string
	// Link is where the number leads.
	Link string
	Zero bool
}

// pageColumn is a function, with the number of packages about which it has errors or
// warnings. At is the index of its column in the table.
type pageColumn struct {
	Name      string
	At, Count int
}

type pageRow struct {
	*Row
	// Index is the place of the row in the order of names.
	Index int
	// Rank orders rows by their outcomes, those that cannot be deployed first.
	Rank  int
	Cells []pageCell
	Pools []pagePool
	// Peak is the largest share of a pool, in percent.
	Peak int
}

// pageCell says what a function found about a package.
type pageCell struct {
	Name  string
	Ran   bool
	Sort  int
	Links []pageLink
}

// pageLink counts the findings of a severity, and leads to the first.
type pageLink struct {
	Severity     diag.Severity
	Count, Group int
}

// pageChange names the change of a package; At is -1 if there is none to show.
type pageChange struct {
	Text string
	At   int
}

// pagePool is what the packs ask of a pool.
type pagePool struct {
	Name string
	Bars []pageBar
}

type pageBar struct {
	Type, Need, Have string
	Percent          int
	Over             bool
}

// pageGroup is a finding.
type pageGroup struct {
	Index int
	*Group
}

// pageFile is the change of a file.
type pageFile struct {
	Path, Note     string
	Lines          []pageLine
	added, removed int
}

type pageLine struct{ Text, Class string }

const (
	// mostNames is the number of packages that the page names for a finding or a change.
	mostNames = 1000
	// fewNames is the number of those that are named in one line.
	fewNames = 3
	// mostFindings is the number of findings that it shows at first.
	mostFindings = 25
)

// marks distinguish severities without color.
var marks = map[diag.Severity]string{diag.Error: "✕", diag.Warning: "▲", diag.Info: "ℹ"}

// writeHTML prints a page that needs nothing else. Without scripts it can be read, with
// them filtered, sorted and opened row by row.
func (p *Preview) writeHTML(w io.Writer, how Print) error {
	t, err := template.New("page").Funcs(p.pageFunctions(how)).Parse(pageText)
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

// showInvisible replaces characters that change how the text around them looks, such as
// those that change its direction, as [diag.Shown] does. The page itself has none of them.
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

// pageFunctions are what the template calls.
func (p *Preview) pageFunctions(how Print) template.FuncMap {
	noun, names, changes := p.noun(), p.names(), p.pageChanges()
	namesOf := func(g pageGroup) string {
		var names []string
		for _, row := range g.Rows[:min(len(g.Rows), mostNames)] {
			names = append(names, p.name(&p.Rows[row]))
		}
		return someOf(names, len(g.Rows))
	}
	return template.FuncMap{
		"noun":       p.noun,
		"title":      func() string { return strings.ToUpper(noun[:1]) + noun[1:] + "s" },
		"number":     number,
		"plural":     func(n int, noun any) string { return plural(n, fmt.Sprint(noun)) },
		"add":        func(a, b int) int { return a + b },
		"cut":        cut,
		"mark":       func(s diag.Severity) string { return marks[s] },
		"outcome":    Outcome.shown,
		"masking":    func() string { return masking },
		"nodeHeight": func() int { return nodeHeight },
		"name":       p.name,
		"called":     func(folders []string, most int) string { return some(names(folders), most) },
		"where":      func(g pageGroup) string { return where(&g.Finding) },
		"field": func(g pageGroup) string {
			if g.Field == "" {
				return g.Resource.String()
			}
			return strings.TrimPrefix(g.Resource.String()+": "+g.Field, ": ")
		},
		"names": namesOf,
		"few": func(g pageGroup) string {
			if len(g.Rows) > fewNames {
				return "" // the count says more
			}
			return namesOf(g)
		},
		"change": func(row *Row) *pageChange {
			if p.Patches == nil {
				return nil
			}
			if change, known := changes[row.Name()]; known {
				return &change
			}
			return &pageChange{"none", -1}
		},
		"files": func(c Patch) (files []pageFile) {
			for i := range c.Files {
				files = append(files, c.Files[i].page(how.Audience))
			}
			return files
		},
		"size": func(files []pageFile) string {
			added, removed := 0, 0
			for _, f := range files {
				added, removed = added+f.added, removed+f.removed
			}
			return fmt.Sprintf("%s, +%s −%s", plural(len(files), "file"), number(added), number(removed))
		},
	}
}

// page makes what the page shows in addition to the preview.
func (p *Preview) page(how Print) *page {
	out := &page{Preview: p, Print: how, Notes: map[string][]pageGroup{}, Functions: p.pageColumns()}
	for i := range p.Sets.Findings {
		switch g := (pageGroup{len(p.Groups) + i, &Group{Finding: p.Sets.Findings[i]}}); g.Severity {
		case diag.Error:
			out.SetErrors = append(out.SetErrors, g)
		case diag.Warning:
			out.SetWarnings = append(out.SetWarnings, g)
		default:
			out.Notes[g.Rule] = append(out.Notes[g.Rule], g)
		}
	}
	for i := range p.Groups {
		switch g := (pageGroup{i, &p.Groups[i]}); {
		case g.Severity == diag.Info:
			out.Notes[g.Rule] = append(out.Notes[g.Rule], g)
		case len(out.Findings) < mostFindings:
			out.Findings = append(out.Findings, g)
		default:
			out.More = append(out.More, g)
		}
	}
	for i := range p.Rows {
		row := p.pageRow(&p.Rows[i], out.Functions)
		row.Index = i
		out.Rows = append(out.Rows, row)
	}
	out.fold()
	slices.SortStableFunc(out.Rows, func(a, b pageRow) int { return cmp.Compare(a.Rank, b.Rank) })
	for i := range p.graphs {
		out.Packs += len(p.graphs[i].Nodes)
		out.Graphs = append(out.Graphs, p.graphs[i].draw())
	}
	return out
}

// Problems is the number of the findings that are not infos.
func (p *page) Problems() int { return len(p.Findings) + len(p.More) }

// pageColumns are the functions that ran, in the order in which they first did.
func (p *Preview) pageColumns() []pageColumn {
	var all []pageColumn
	at := map[string]int{}
	for i := range p.Rows {
		for _, name := range p.Rows[i].Ran {
			if _, known := at[name]; !known {
				at[name] = len(all)
				all = append(all, pageColumn{Name: name})
			}
		}
	}
	for i := range p.Rows {
		counted := map[int]bool{}
		for _, group := range p.Rows[i].Groups {
			g := &p.Groups[group]
			if column, known := at[g.Function]; known && g.Severity != diag.Info && !counted[column] {
				counted[column] = true
				all[column].Count++
			}
		}
	}
	return all
}
