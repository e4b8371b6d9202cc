package chart

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/facts"
)

// pieces are parts of templates whose walks change what others find: calls of computed names,
// arguments that grow, values that are set, texts that are run.
var pieces = []string{
	`{{ .Values.K }}`, `{{ .Values.global.K }}`, `{{ range .Values.K }}{{ .x }}{{ end }}`, `{{ toYaml .Values.K }}`,
	`{{ include "t1" . }}`, `{{ include "t2" .Values }}`, `{{ include (printf "t%s" .Values.K) . }}`, `{{ include "t3" (dict "K" .Values.K "more" .) }}`,
	`{{ $_ := set .Values "K" .Values.other }}{{ .Values.K.deep }}`, `{{ $x := dict "a" .Values.K "b" .Values.L }}{{ range $x }}{{ .y }}{{ include .z . }}{{ end }}`,
	`{{ tpl .Values.K . }}`, `{{ with .Values.K }}{{ include "t1" (dict "Values" . "K" $) }}{{ end }}`, `{{ .K.x }}{{ .more.Values.K }}`,
	`{{ index .Subcharts .Values.K }}`, `{{ (index .Values .Values.K).field }}`, `{{ merge .Values.K .Values.L | toYaml }}`,
	`{{ include "t2" (dict "K" (dict "K" .) "L" .K) }}`, `{{ .L.K.L }}`,
}

// generated is a chart with subcharts.
func generated(r *rand.Rand) map[string]string {
	files := map[string]string{"values.yaml": `K: {deep: 1}
L: [1]
other: {a: {b: 1}}
`}
	var add func(folder string, depth int)
	add = func(folder string, depth int) {
		for i := range 1 + r.IntN(2) {
			var b strings.Builder
			for range 1 + r.IntN(3) {
				piece := pieces[r.IntN(len(pieces))]
				if r.IntN(3) == 0 {
					piece = fmt.Sprintf("{{ define \"t%d\" }}%s{{ end }}", 1+r.IntN(3), piece)
				}
				b.WriteString(strings.NewReplacer("K", fmt.Sprintf("k%d", r.IntN(4)), "L", fmt.Sprintf("k%d", r.IntN(4))).Replace(piece))
			}
			files[fmt.Sprintf("%stemplates/f%d.yaml", folder, i)] = b.String()
		}
		for i := range r.IntN(4) * min(1, depth) {
			sub := fmt.Sprintf("%scharts/sub%d/", folder, i)
			files[sub+"Chart.yaml"] = fmt.Sprintf(`name: sub%d
version: 1.0.0
`, i)
			add(sub, depth-1)
		}
	}
	add("", 1)
	return files
}

// A chart has the same facts however often it is read.
func TestSteady(t *testing.T) {
	seeds := uint64(15)
	if cases.All() {
		seeds = 60
	}
	for seed := range seeds {
		c := open(t, generated(rand.New(rand.NewPCG(seed, 0))))
		var first string
		for i := range 3 {
			text, _, err := (&facts.Pack{Charts: map[string]*facts.Chart{"web": c.Facts()}}).Text()
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = text
			}
			if text != first {
				t.Errorf("chart %d: got\n%.2000s\nfirst\n%.2000s", seed, text, first)
				break
			}
		}
	}
}
