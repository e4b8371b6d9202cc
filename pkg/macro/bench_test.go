package macro

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/values"
)

// chains writes n packs of 40 macros each, in chains five deep.
func chains(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for k := range 40 {
			if i%5 == 0 {
				fmt.Fprintf(&b, "key%d: \"{{ .spectro.system.cluster.name | upper }}-%d\"   # about\n", k, k)
			} else {
				fmt.Fprintf(&b, "key%d: \"{{ .spectro.pack.pack-%d.key%d | default \\\"x\\\" }}\"   # about\n", k, i-1, k)
			}
		}
		b.WriteString(`other:
  template: '{{ .Values.x }}'
`)
		texts[i] = b.String()
	}
	return texts
}

func parsed(b *testing.B, texts []string) []*values.Document {
	documents := make([]*values.Document, len(texts))
	for i, text := range texts {
		d, err := values.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		documents[i] = d
	}
	return documents
}

// BenchmarkResolve is the row of performance.md: 1,000 packs with 40 macros
// each, chains five deep, next to parsing them and to writing the result.
func BenchmarkResolve(b *testing.B) {
	for _, n := range []int{250, 1000, 4000} {
		texts := chains(n)
		b.Run(fmt.Sprintf("parse-%d", n), func(b *testing.B) {
			defer reportCPU(b, cpuTime())
			for b.Loop() {
				parsed(b, texts)
			}
		})
		for _, write := range []bool{false, true} {
			name := fmt.Sprintf("resolve-%d", n)
			if write {
				name = fmt.Sprintf("resolve-and-write-%d", n)
			}
			documents := parsed(b, texts)
			b.Run(name, func(b *testing.B) {
				defer reportCPU(b, cpuTime())
				for b.Loop() {
					packs := make([]Pack, n)
					for i, d := range documents {
						packs[i] = Pack{Name: fmt.Sprint("pack-", i), Values: values.Merge(values.Layer{Document: d})}
					}
					r := NewResolver(Context{System: map[string]string{"cluster.name": "edge"}}, packs)
					for _, d := range documents {
						sources := hydration.Read(d, nil, hydration.Edited)
						results, findings := r.Document(sources)
						if len(findings) > 0 || len(results) != 40 {
							b.Fatal(len(results), findings)
						}
						if !write {
							continue
						}
						edits := sources.Edits(results, hydration.Renew)
						if _, err := d.Rewrite(edits.Scalars, edits.Comments); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}

// reportCPU adds the time computed for each operation, which other work on the
// machine does not lengthen.
func reportCPU(b *testing.B, start time.Duration) {
	b.ReportMetric(float64((cpuTime()-start).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}
