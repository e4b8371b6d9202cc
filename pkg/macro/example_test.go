package macro_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/values"
)

func ExampleResolver_Text() {
	r := macro.NewResolver(macro.Context{
		System: map[string]string{"cluster.name": "edge-7", "kubernetes.version": "1.29.3"},
	}, nil)
	for _, text := range []string{
		"{{ .spectro.system.cluster.name | upper }} runs {{ .spectro.system.kubernetes.version | substr 0 4 }}, {{ .Values.stays }}",
		`registry: {{ .spectro.var.REGISTRY | default "registry.example.com" }}`,
		"{{ .spectro.system.cluster.nmae }}",
	} {
		out, findings := r.Text(text)
		if len(findings) == 0 {
			fmt.Println(out)
		}
		for _, f := range findings {
			fmt.Printf("column %d: %s [%s]\n", f.Position.Column, f.Message(), f.Rule.ID)
		}
	}
	// Output:
	// EDGE-7 runs 1.29, {{ .Values.stays }}
	// registry: registry.example.com
	// column 4: unknown system name "cluster.nmae". Did you mean "cluster.name"? [macro/unknown]
}

func ExampleResolver_Document() {
	kubernetes, _ := values.Parse("version: 1.30\n")
	centos, _ := values.Parse(`k8s:
  version: "{{ .spectro.pack.kubernetes.version }}"   # of the pack
  arch: '{{ .spectro.pack.kubernetes.arch | default "amd64" }}'
`)
	r := macro.NewResolver(macro.Context{Explain: true}, []macro.Pack{
		{Name: "kubernetes", Values: values.Merge(values.Layer{Document: kubernetes})},
	})
	sources := hydration.Read(centos, nil, hydration.Edited)
	results, findings := r.Document(sources)
	edits := sources.Edits(results, hydration.Renew)
	resolved, err := centos.Rewrite(edits.Scalars, edits.Comments)
	if err != nil {
		return
	}
	fmt.Print(resolved.Text())
	for _, f := range findings {
		fmt.Printf("# %s, %s: %s [%s]\n", f.Position, f.Key, f.Message(), f.Rule.ID)
	}
	// Output:
	// k8s:
	//   version: "1.30"   # of the pack # kpt-macro: {{ .spectro.pack.kubernetes.version }}
	//   arch: 'amd64' # kpt-macro: {{ .spectro.pack.kubernetes.arch | default "amd64" }}
	// # line 3, column 13, k8s.arch: .spectro.pack.kubernetes.arch is undefined and takes its default [macro/defaulted]
}
