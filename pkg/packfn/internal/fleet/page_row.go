package fleet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// pageRow makes a row, with a cell for each function.
func (p *Preview) pageRow(row *Row, columns []pageColumn) pageRow {
	out := pageRow{Row: row}
	if at := row.Outcome.rank(); at < len(outcomes) {
		out.Rank = (at + len(outcomes) - 1) % len(outcomes)
	}
	for _, column := range columns {
		cell := pageCell{Name: column.Name, Ran: slices.Contains(row.Ran, column.Name)}
		for _, at := range row.Groups {
			g := &p.Groups[at]
			if g.Function != column.Name || g.Severity == diag.Info {
				continue
			}
			i := slices.IndexFunc(cell.Links, func(l pageLink) bool { return l.Severity == g.Severity })
			if i < 0 {
				i = len(cell.Links)
				cell.Links = append(cell.Links, pageLink{Severity: g.Severity, Group: at})
			}
			cell.Links[i].Count++
			if cell.Sort++; g.Severity == diag.Error {
				cell.Sort += 1000
			}
		}
		out.Cells = append(out.Cells, cell)
	}
	out.Pools, out.Peak = p.pools(row)
	return out
}

// pools are what the packs of a package ask of the cluster's pools, in the order of the
// pools, and the largest share in percent.
func (p *Preview) pools(row *Row) (pools []pagePool, peak int) {
	var summaries []*Group
	for _, at := range row.Groups {
		if p.Groups[at].Rule == rule.ResourcesSummary.ID {
			summaries = append(summaries, &p.Groups[at])
		}
	}
	slices.SortStableFunc(summaries, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(len(a.Field), len(b.Field)), cmp.Compare(a.Field, b.Field))
	})
	for _, g := range summaries {
		pool := pagePool{Name: g.Tags["pool"]}
		for _, t := range capacity.Types() {
			kind := string(t)
			need := g.Tags[kind+".need"]
			if need == "" || need == "0" {
				continue
			}
			// A pool that has nothing has no share.
			percent, over := 100, true
			if share, err := strconv.ParseFloat(strings.Trim(g.Tags[kind+".share"], "<>≈ %"), 64); err == nil {
				percent, over = int(share), share > 100
			}
			peak = max(peak, percent)
			pool.Bars = append(pool.Bars, pageBar{kind, need, g.Tags[kind+".have"], min(max(percent, 0), 100), over})
		}
		pools = append(pools, pool)
	}
	return pools, peak
}
