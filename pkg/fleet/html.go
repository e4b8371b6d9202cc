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
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/report"
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
	Summary, Version string
	// Noun and Title are what a package is called in a text and in a heading.
	Noun, Title, Total string
	Stats              []pageStat
	// Differences count what differs from an earlier preview.
	Differences []pageStat
	Sections    []pageSection
	// More are the findings that a reader opens at once, below the others. Warnings are
	// those of the sets.
	Sets, Findings, More, Warnings []pageGroup
	MoreCount                      string
	Notes                          []pageNotes
	// Functions are the functions that ran, and Columns those of them that have a column:
	// Folded says what is the same in all rows.
	Functions, Columns []pageColumn
	Folded             []pageFold
	Rows               []pageRow
	Changes            *pageChanges
	Graphs             []pageGraph
	Style              template.CSS
	Script             template.JS
	// Hash names the script in the content security policy: no other script runs.
	Hash string
}

// pageStat counts the packages of an outcome, or those that differ from an earlier
// preview.
type pageStat struct {
	Title, Mark, Class, Count string
	// Link is where the number leads, by default to the rows.
	Link string
	Zero bool
}

// pageFold is a column that is the same in all rows.
type pageFold struct {
	Name, Text string
	Links      []pageLink
}

type pageSection struct{ ID, Title string }

// pageColumn is a function, with the number of packages about which it has errors or
// warnings. At is the index of its column in the table.
type pageColumn struct {
	Name      string
	At, Count int
}

type pageRow struct {
	// Index is the place of the row in the order of names.
	Index                            int
	Name, Package, Variant, Upstream string
	Outcome                          Outcome
	Mark, Class, Reason              string
	// Rank orders rows by their outcomes, those that cannot be deployed first.
	Rank int
	// Span is the number of columns that a reason takes.
	Span   int
	Groups string
	Cells  []pageCell
	Change *pageChangeLink
	Pools  []pagePool
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

type pageLink struct {
	Text, Mark, Class string
	Group             int
}

// pageChangeLink names the change of a package; At is -1 if there is none to show.
type pageChangeLink struct {
	Text  string
	At    int
	Quiet bool
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

// pageGroup is a finding. Few names some packages that have it, and Names more.
type pageGroup struct {
	Index                                int
	Mark, Severity, Where, Message, Rule string
	// Title is what packages are called in a heading.
	Field, Title              string
	Count, Few, Names, Source string
}

// pageNotes are the infos of a rule.
type pageNotes struct {
	Rule, Count string
	Groups      []pageGroup
}

type pageChanges struct {
	Groups []pageChange
	// Verdicts and Lists are lines about outcomes and files.
	Verdicts, Lists []string
	// Masked says how to see masked values.
	Masked string
}

type pageChange struct {
	Index                         int
	Count, Few, Names, Note, Size string
	Files                         []pageFile
}

type pageFile struct {
	Path, Note string
	Lines      []pageLine
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
var marks = map[string]string{string(diag.Error): "✕", string(diag.Warning): "▲", string(diag.Info): "ℹ"}

// writeHTML prints a page that needs nothing else. Without scripts it can be read, with
// them filtered, sorted and opened row by row.
func (p *Preview) writeHTML(w io.Writer, how Print) error {
	t, err := template.New("page").Parse(pageText)
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

// page makes all that the page shows.
func (p *Preview) page(how Print) *page {
	noun := p.noun()
	out := &page{Summary: p.Summary(), Version: how.Version, Noun: noun, Title: p.title(), Total: number(len(p.Rows))}
	for _, c := range p.Counts() {
		o := outcomes[c.Outcome.rank()]
		out.Stats = append(out.Stats, pageStat{Title: string(c.Outcome), Mark: o.mark, Class: o.class, Count: number(c.Count), Zero: c.Count == 0})
	}
	notes := map[string]*pageNotes{}
	note := func(g pageGroup) {
		if notes[g.Rule] == nil {
			notes[g.Rule] = &pageNotes{Rule: g.Rule}
		}
		notes[g.Rule].Groups = append(notes[g.Rule].Groups, g)
	}
	for i := range p.Sets.Findings {
		switch g := p.pageGroup(len(p.Groups)+i, &Group{Finding: p.Sets.Findings[i]}); p.Sets.Findings[i].Severity {
		case diag.Error:
			out.Sets = append(out.Sets, g)
		case diag.Warning:
			out.Warnings = append(out.Warnings, g)
		default:
			note(g)
		}
	}
	for i := range p.Groups {
		switch g := p.pageGroup(i, &p.Groups[i]); {
		case p.Groups[i].Severity == diag.Info:
			note(g)
		case len(out.Findings) < mostFindings:
			out.Findings = append(out.Findings, g)
		default:
			out.More = append(out.More, g)
		}
	}
	out.MoreCount = plural(len(out.More), "more finding")
	for _, rule := range slices.Sorted(maps.Keys(notes)) {
		notes[rule].Count = plural(len(notes[rule].Groups), "note")
		out.Notes = append(out.Notes, *notes[rule])
	}
	out.Functions = p.pageColumns()
	var changes map[string]pageChangeLink
	if p.Patches != nil {
		out.Changes, changes = p.Patches.page(noun, p.names(), how.Values)
		out.Differences = p.pageDifferences()
		out.Changes.Verdicts = p.pageVerdicts(p.names())
	}
	for i := range p.Rows {
		row := p.pageRow(&p.Rows[i], out.Functions, changes)
		row.Index = i
		out.Rows = append(out.Rows, row)
	}
	out.fold()
	slices.SortStableFunc(out.Rows, func(a, b pageRow) int { return cmp.Compare(a.Rank, b.Rank) })
	for i := range p.graphs {
		out.Graphs = append(out.Graphs, p.graphs[i].draw())
	}
	out.Sections = out.sections()
	return out
}

// title is what packages are called in a heading.
func (p *Preview) title() string { noun := p.noun(); return strings.ToUpper(noun[:1]) + noun[1:] + "s" }

// sections are the links at the top.
func (p *page) sections() []pageSection {
	var all []pageSection
	add := func(id, title string, count int, isThere bool) {
		if isThere {
			all = append(all, pageSection{id, title + " " + number(count)})
		}
	}
	packs := 0
	for i := range p.Graphs {
		packs += len(p.Graphs[i].Nodes)
	}
	add("sets", "Errors of sets", len(p.Sets), len(p.Sets) > 0)
	add("findings", "Findings", len(p.Findings)+len(p.More), true)
	add("warnings", "Warnings of sets", len(p.Warnings), len(p.Warnings) > 0)
	if p.Changes != nil {
		add("changes", "Changes", len(p.Changes.Groups), true)
	}
	add("clusters", p.Title, len(p.Rows), true)
	add("packs", "Packs", packs, packs > 0)
	add("notes", "Notes", len(p.Notes), len(p.Notes) > 0)
	return all
}

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

// pageGroup makes what the page shows of a finding.
func (p *Preview) pageGroup(index int, g *Group) pageGroup {
	var names []string
	for _, row := range g.Rows[:min(len(g.Rows), mostNames)] {
		names = append(names, p.name(&p.Rows[row]))
	}
	field := g.Resource.String()
	if g.Field != "" {
		field = strings.TrimPrefix(field+": "+g.Field, ": ")
	}
	out := pageGroup{
		Index: index, Mark: marks[string(g.Severity)], Severity: string(g.Severity), Where: where(&g.Finding), Message: g.Message, Rule: g.Rule,
		Field: field, Title: p.title(), Source: g.Source, Names: strings.Join(names, ", "), Few: some(names, fewNames),
	}
	if len(g.Rows) > 0 {
		out.Count = plural(len(g.Rows), p.noun())
	}
	if more := len(g.Rows) - len(names); more > 0 {
		out.Names += " and " + number(more) + " more"
	}
	if len(names) > fewNames {
		out.Few = "" // the count says more
	}
	return out
}
