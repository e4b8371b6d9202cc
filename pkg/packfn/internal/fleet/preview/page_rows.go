package preview

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// pageRow is a row of the table of packages.
type pageRow struct {
	*Row
	// Index is the position of the row when rows are sorted by name.
	Index int
	// Rank orders rows by outcome: packages that cannot be deployed come first.
	Rank int
	// Cells are the results of the functions that have a column, in the order of the columns.
	Cells []pageCell
	// Pools are the machine pools of the cluster with the requests of the packs.
	Pools []pagePool
	// Peak is the largest share of a pool that the package requests, in percent.
	Peak int
}

// pageColumn is the column of a function. Count is the number of packages for which it reports
// errors or warnings, and At the index of the column in the table.
type pageColumn struct {
	// Name is the name of the function.
	Name      string
	At, Count int
}

// pageCell shows the result of a function for a package.
type pageCell struct {
	// Name is the name of the function, and Ran is true if it ran on the package.
	Name string
	Ran  bool
	// Sort is the key by which the table sorts the column: 1,001 for each error and 1 for each
	// warning.
	Sort int
	// Links are the numbers of errors and warnings.
	Links []pageLink
}

// pageLink shows the number of findings with a severity, and links to the first one.
type pageLink struct {
	// Severity is error or warning.
	Severity diag.Severity
	// Count is the number of findings, and Group the index of the first one.
	Count, Group int
}

// pagePool shows the resources that the packs request from a pool.
type pagePool struct {
	// Name is the name of the pool.
	Name string
	// Bars are the resources that the packs request from the pool.
	Bars []pageBar
}

// pageBar is a resource of a pool, such as CPU, as a bar.
type pageBar struct {
	// Type is the resource, Need the requested amount and Have the available amount, such as `memory`,
	// `12Gi` and `16Gi`.
	Type, Need, Have string
	// Percent is the requested share, from 0 to 100. Over is true if more is requested than available.
	Percent int
	Over    bool
}

// addRows builds the table. A function whose cell is the same in all rows gets a line above the
// table instead of a column. Rows with a reason are not compared, because they have no cells.
func (p *page) addRows() {
	var columns []pageColumn
	for i := range p.Preview.Rows {
		for _, name := range p.Preview.Rows[i].Functions {
			if !slices.ContainsFunc(columns, func(c pageColumn) bool { return c.Name == name }) {
				columns = append(columns, pageColumn{Name: name})
			}
		}
	}
	for i := range p.Preview.Rows {
		row := &p.Preview.Rows[i]
		out := pageRow{Row: row, Index: i}
		if at := row.Outcome.rank(); at < len(outcomes) {
			out.Rank = (at + len(outcomes) - 1) % len(outcomes)
		}
		for at := range columns {
			cell := p.cell(row, columns[at].Name)
			if len(cell.Links) > 0 {
				columns[at].Count++
			}
			out.Cells = append(out.Cells, cell)
		}
		out.Pools, out.Peak = p.pools(row)
		p.Rows = append(p.Rows, out)
	}
	first := slices.IndexFunc(p.Rows, func(r pageRow) bool { return r.Reason == "" })
	for i := len(columns) - 1; i >= 0; i-- {
		isOther := func(r pageRow) bool { return r.Reason == "" && !r.Cells[i].is(p.Rows[first].Cells[i]) }
		// If there is only one package, its findings stay in its row.
		if first < 0 || slices.ContainsFunc(p.Rows, isOther) || len(p.Rows) == 1 && len(p.Rows[first].Cells[i].Links) > 0 {
			continue
		}
		p.Folded = slices.Insert(p.Folded, 0, p.Rows[first].Cells[i])
		columns = slices.Delete(columns, i, i+1)
		for at := range p.Rows {
			p.Rows[at].Cells = slices.Delete(p.Rows[at].Cells, i, i+1)
		}
	}
	for i := range columns {
		columns[i].At = i + 2 // after the name and the outcome
	}
	p.Columns, p.Span = columns, len(columns)+1
	if p.Patches != nil {
		p.Span++
	}
	slices.SortStableFunc(p.Rows, func(a, b pageRow) int { return cmp.Compare(a.Rank, b.Rank) })
}

// cell returns the result of a function for a package.
func (p *Preview) cell(row *Row, function string) pageCell {
	cell := pageCell{Name: function, Ran: slices.Contains(row.Functions, function)}
	for _, at := range row.Findings {
		f := &p.Groups[at].Finding
		if f.Function != function || f.Severity == diag.Info {
			continue
		}
		i := slices.IndexFunc(cell.Links, func(l pageLink) bool { return l.Severity == f.Severity })
		if i < 0 {
			i = len(cell.Links)
			cell.Links = append(cell.Links, pageLink{Severity: f.Severity, Group: at})
		}
		cell.Links[i].Count++
		if cell.Sort++; f.Severity == diag.Error {
			cell.Sort += 1000
		}
	}
	return cell
}

// is reports whether two cells show the same.
func (c pageCell) is(other pageCell) bool {
	return c.Ran == other.Ran && slices.Equal(c.Links, other.Links)
}

// pools returns the resources that the packs of a package request from the cluster's pools, in
// the order of the pools, and the largest share in percent.
func (p *Preview) pools(row *Row) (pools []pagePool, peak int) {
	var summaries []*report.Finding
	for _, at := range row.Findings {
		if p.Groups[at].Finding.Rule == rule.ResourcesSummary.ID {
			summaries = append(summaries, &p.Groups[at].Finding)
		}
	}
	slices.SortStableFunc(summaries, func(a, b *report.Finding) int {
		return cmp.Or(cmp.Compare(len(a.Field), len(b.Field)), cmp.Compare(a.Field, b.Field))
	})
	for _, f := range summaries {
		pool := pagePool{Name: f.Tags["pool"]}
		for _, t := range capacity.Types() {
			kind := string(t)
			need := f.Tags[kind+".need"]
			if need == "" || need == "0" {
				continue
			}
			// The share of an empty pool is not a number.
			percent, over := 100, true
			if share, err := strconv.ParseFloat(strings.Trim(f.Tags[kind+".share"], "<>≈ %"), 64); err == nil {
				percent, over = int(share), share > 100
			}
			peak = max(peak, percent)
			pool.Bars = append(pool.Bars, pageBar{kind, need, f.Tags[kind+".have"], min(max(percent, 0), 100), over})
		}
		pools = append(pools, pool)
	}
	return pools, peak
}
