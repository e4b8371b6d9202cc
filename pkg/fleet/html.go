package fleet

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/report"
)

// HTML is the form of a page for a browser, which requests nothing from anywhere.
const HTML = report.HTML

//go:embed page.html
var pageText string

// page is what the template shows.
type page struct {
	Summary, Version, Noun string
	Sets                   []report.Finding
	Outcomes               []Outcome
	Columns                []string
	Rows                   []pageRow
	Groups                 []pageGroup
	Changes                *pageChanges
	Graphs                 []pageGraph
}

type pageRow struct {
	Name, Reason, Class string
	Outcome             Outcome
	Cells               []pageCell
	Bars                []pageBar
}

// pageCell says what a function found about a package.
type pageCell struct {
	Text, Class string
	Sort        int
	Links       []pageLink
}

type pageLink struct {
	Text, Class string
	Group       int
}

// pageBar is what the packs ask of a pool.
type pageBar struct {
	Pool, Type, Need, Have string
	Percent                int
	Over                   bool
}

type pageGroup struct {
	Index                                                int
	Open                                                 bool
	Severity, Where, Message, Rule, Count, Names, Source string
}

type pageChanges struct {
	Groups []pageChange
	Lists  []string
}

type pageChange struct {
	Title, Note string
	Lines       []pageLine
}

type pageLine struct{ Text, Class string }

// mostNames is the number of packages that the page names for a finding.
const mostNames = 1000

// writeHTML prints a page that needs nothing else. Without scripts it can be read, with
// them filtered and sorted.
func (p *Preview) writeHTML(w io.Writer, how Print) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	out := page{Summary: p.Summary(), Version: how.Version, Noun: p.noun(), Sets: p.Sets.Findings, Outcomes: []Outcome{Deployable, Refused, Failed}}
	for i := range p.Rows {
		for _, name := range p.Rows[i].Ran {
			if !slices.Contains(out.Columns, name) {
				out.Columns = append(out.Columns, name)
			}
		}
	}
	for i := range p.Rows {
		out.Rows = append(out.Rows, p.pageRow(&p.Rows[i], out.Columns))
	}
	for i := range p.Groups {
		g := &p.Groups[i]
		var names []string
		for _, row := range g.Rows {
			names = append(names, p.name(&p.Rows[row]))
		}
		where := subject(&g.Finding)
		if g.Line > 0 {
			where = strings.Replace(where, g.File, fmt.Sprintf("%s:%d", g.File, g.Line), 1)
		}
		out.Groups = append(out.Groups, pageGroup{
			Index: i, Open: g.Severity == diag.Error, Severity: string(g.Severity), Where: where, Message: g.Message, Rule: g.Rule,
			Count: plural(len(g.Rows), out.Noun), Names: some(names, mostNames), Source: g.Source,
		})
	}
	if p.Patches != nil {
		out.Changes = p.Patches.page(out.Noun, how.Values)
	}
	for i := range p.graphs {
		out.Graphs = append(out.Graphs, p.graphs[i].draw())
	}
	return t.Execute(w, out)
}

// pageRow makes a row, with a cell for each function.
func (p *Preview) pageRow(row *Row, columns []string) pageRow {
	out := pageRow{Name: p.name(row), Outcome: row.Outcome, Reason: row.Reason, Class: "ok"}
	if row.Outcome != Deployable {
		out.Class = "error"
	}
	for _, name := range columns {
		cell := pageCell{Text: "✓", Class: "ok"}
		if !slices.Contains(row.Ran, name) {
			cell = pageCell{Text: "–", Class: "none", Sort: -1}
		}
		for _, at := range row.Groups {
			g := &p.Groups[at]
			if g.Function != name || g.Severity == diag.Info {
				continue
			}
			cell.Links = append(cell.Links, pageLink{g.Rule, string(g.Severity), at})
			if cell.Sort++; g.Severity == diag.Error {
				cell.Sort += 1000
			}
		}
		out.Cells = append(out.Cells, cell)
	}
	for _, at := range row.Groups {
		tags := p.Groups[at].Tags
		for _, kind := range []string{"cpu", "memory", "diskSize"} {
			share, known := tags[kind+".share"]
			if !known {
				continue
			}
			percent, _ := strconv.ParseFloat(strings.Trim(share, "<>≈ %"), 64)
			out.Bars = append(out.Bars, pageBar{tags["pool"], kind, tags[kind+".need"], tags[kind+".have"], int(min(max(percent, 0), 100)), percent > 100})
		}
	}
	return out
}

// page makes what the page shows of changes.
func (c *Patches) page(noun string, values bool) *pageChanges {
	out := &pageChanges{}
	for i := range c.Groups {
		g := &c.Groups[i]
		change := pageChange{Title: fmt.Sprintf("%s: %s", plural(len(g.Packages), noun), some(g.Packages, mostNames))}
		if g.NamesDiffer {
			change.Note = fmt.Sprintf("The same but for the name of the %s; this is %s.", noun, g.Packages[0])
		}
		for line := range strings.Lines(g.show(values)) {
			class := ""
			switch line[0] {
			case '+':
				class = "add"
			case '-':
				class = "del"
			}
			change.Lines = append(change.Lines, pageLine{line, class})
		}
		out.Groups = append(out.Groups, change)
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"New", c.New}, {"Gone", c.Gone}, {"Not rendered", c.Unknown}} {
		if len(list.names) > 0 {
			out.Lists = append(out.Lists, list.what+": "+some(list.names, mostNames))
		}
	}
	out.Lists = append(out.Lists, "No change in "+plural(c.Same, noun)+".")
	return out
}
