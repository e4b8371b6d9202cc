package fleet

import (
	"fmt"
	"slices"
)

// fold removes the columns that are the same in all rows, which have a line above the
// table. Rows that cannot be computed have no columns, and are not asked.
func (p *page) fold() {
	isSame := make([]bool, len(p.Functions))
	first := slices.IndexFunc(p.Rows, func(r pageRow) bool { return r.Reason == "" })
	for i := range p.Functions {
		isSame[i] = first >= 0 && !slices.ContainsFunc(p.Rows, func(r pageRow) bool { return r.Reason == "" && !r.Cells[i].is(p.Rows[first].Cells[i]) })
		// Of one package a finding is shown in its row.
		isSame[i] = isSame[i] && (len(p.Rows) > 1 || len(p.Rows[first].Cells[i].Links) == 0)
		if isSame[i] {
			p.Folded = append(p.Folded, p.Rows[first].Cells[i])
			continue
		}
		column := p.Functions[i]
		column.At = len(p.Columns) + 2 // after the name and the outcome
		p.Columns = append(p.Columns, column)
	}
	p.Span = len(p.Columns) + 1
	if p.Patches != nil {
		p.Span++
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		var left []pageCell
		for at, cell := range row.Cells {
			if !isSame[at] {
				left = append(left, cell)
			}
		}
		row.Cells = left
	}
}

// is reports whether two cells look the same.
func (c pageCell) is(other pageCell) bool {
	return c.Ran == other.Ran && slices.Equal(c.Links, other.Links)
}

// Differences counts the packages that differ from an earlier preview, if there is one.
func (p *page) Differences() []pageStat {
	if p.Patches == nil {
		return nil
	}
	changed := len(p.Patches.New) + len(p.Patches.Gone)
	for i := range p.Patches.Groups {
		changed += len(p.Patches.Groups[i].Packages)
	}
	all := []pageStat{{Title: "changed", Mark: "Δ", Count: number(changed), Link: "changes", Zero: changed == 0}}
	if v := p.Verdicts; v != nil {
		newly, noLonger := len(v.Newly), len(v.NoLonger)
		all = append(all,
			pageStat{Title: "newly refused", Mark: "✕", Class: "refused", Count: fmt.Sprintf("+%s", number(newly)), Link: "changes", Zero: newly == 0},
			pageStat{Title: "no longer refused", Mark: "✓", Class: "deployable", Count: fmt.Sprintf("−%s", number(noLonger)), Link: "changes", Zero: noLonger == 0})
	}
	return all
}
