package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// found is a finding about packages.
type found struct {
	report.Finding
	// key is what equal findings of several packages have in common.
	key digest
}

// digest replaces a text that is only compared.
type digest [16]byte

func digestOf(text string) digest {
	sum := sha256.Sum256([]byte(text))
	return digest(sum[:16])
}

// findings are those of all packages, each once: most packages have the same.
type findings struct {
	mutex sync.Mutex
	all   map[digest]*found
}

// keep returns the finding that is equal to one in everything that is shown, its key, and
// its place.
func (s *findings) keep(f report.Finding, key digest) *found {
	f.Path, f.Cause = "", nil // for what changes files
	resource := report.Resource{}
	if f.Resource != nil {
		resource = *f.Resource
	}
	of := f
	of.Resource = nil
	content := digestOf(fmt.Sprintf("%x %+v %+v", key, of, resource))
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.all == nil {
		s.all = map[digest]*found{}
	}
	if s.all[content] == nil {
		s.all[content] = &found{f, key}
	}
	return s.all[content]
}

// mostHinted is the number of packages whose hints name the nearest objects.
const mostHinted = 64

// hint names the nearest of objects that are not there, which needs all others, for as many
// packages as anyone reads: the first of the fleet are among the first of each shard.
func (w *work) hint(ctx context.Context) error {
	if len(w.input.objects.all) <= fewObjects {
		return nil
	}
	var unmatched []int
	var plain []Row
	for i := range w.rows {
		if w.rows[i].unmatched && len(unmatched) < mostHinted {
			unmatched = append(unmatched, i)
			plain = append(plain, w.rows[i])
		}
	}
	if len(unmatched) == 0 {
		return nil
	}
	if err := w.run(ctx, unmatched, true); err != nil {
		return err
	}
	for at, i := range unmatched {
		hinted := w.rows[i].findings
		w.rows[i] = plain[at]
		w.rows[i].hinted = hinted
	}
	return nil
}

// group collects equal findings.
func (p *Preview) group() {
	index := map[digest]int{}
	var all []Group
	var keys []digest
	hints := 0
	for i := range p.Rows {
		row := &p.Rows[i]
		if row.unmatched && row.hinted != nil && hints < mostHinted {
			row.findings = row.hinted
			hints++
		}
		row.hinted = nil
		for _, f := range row.findings {
			at, known := index[f.key]
			if !known {
				at = len(all)
				index[f.key] = at
				all, keys = append(all, Group{Finding: f.Finding}), append(keys, f.key)
			}
			g := &all[at]
			if other, ok := besides(&g.Finding, &f.Finding); known && ok {
				g.Related = append(slices.Clip(g.Related), other)
			}
			if n := len(g.Rows); n == 0 || g.Rows[n-1] != i {
				g.Rows = append(g.Rows, i)
			}
		}
	}
	weight := map[diag.Severity]int{diag.Error: 0, diag.Warning: 1, diag.Info: 2}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &all[i], &all[j]
		return cmp.Or(
			cmp.Compare(weight[a.Severity], weight[b.Severity]),
			cmp.Compare(len(b.Rows), len(a.Rows)),
			cmp.Compare(a.Rows[0], b.Rows[0]),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Resource.String(), b.Resource.String()),
			cmp.Compare(a.Field, b.Field), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Message, b.Message),
			slices.Compare(keys[i][:], keys[j][:]),
		)
	})
	p.Groups = make([]Group, len(all))
	place := make([]int, len(all))
	for to, from := range order {
		p.Groups[to], place[from] = all[from], to
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		row.Groups = nil
		for _, f := range row.findings {
			row.Groups = append(row.Groups, place[index[f.key]])
		}
		slices.Sort(row.Groups)
		row.Groups = slices.Compact(row.Groups)
		row.findings = nil
	}
}
