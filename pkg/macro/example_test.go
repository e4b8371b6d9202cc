package macro_test

import (
	"fmt"

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
		out, _, problems := r.Text(text)
		if len(problems) == 0 {
			fmt.Println(out)
		}
		for _, p := range problems {
			fmt.Printf("column %d: %s [%s]\n", p.Column, p.Message, p.Rule)
		}
	}
	// Output:
	// EDGE-7 runs 1.29, {{ .Values.stays }}
	// registry: registry.example.com
	// column 4: .spectro.system.cluster.nmae is no system name (did you mean "cluster.name"?) [macro/unknown]
}

func ExampleResolver_Document() {
	kubernetes, _ := values.Parse("version: 1.30\n")
	centos, _ := values.Parse("k8s:\n  version: \"{{ .spectro.pack.kubernetes.version }}\"   # of the pack\n  arch: '{{ .spectro.pack.kubernetes.arch | default \"amd64\" }}'\n")
	r := macro.NewResolver(macro.Context{Uses: true}, []macro.Pack{
		{Name: "kubernetes", Values: values.Merge(values.Layer{Document: kubernetes})},
	})
	edits, uses, problems := r.Document(centos)
	if len(problems) > 0 {
		return
	}
	resolved, err := centos.ReplaceScalars(edits...)
	if err != nil {
		return
	}
	fmt.Print(resolved.Text())
	for _, u := range uses {
		fmt.Printf("# %s, %s: %s, defaulted: %v\n", u.At, u.Path, u.Name, u.Defaulted)
	}
	// Output:
	// k8s:
	//   version: "1.30"   # of the pack
	//   arch: 'amd64'
	// # line 2, column 16, k8s.version: .spectro.pack.kubernetes.version, defaulted: false
	// # line 3, column 13, k8s.arch: .spectro.pack.kubernetes.arch, defaulted: true
}
