package fleet

import (
	"fmt"
	"slices"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// The expression of a set's template that makes a key of a function's configMap.
func TestExpressionOf(t *testing.T) {
	document, err := values.Parse(`template:
  pipeline:
    mutators:
    - configMapExprs:
      - {key: a, valueExpr: 'repository.labels["size"]'}
      - {key: b, valueExpr: 'repository.labels["a"] + repository.labels["b"]'}
    - configMapExprs: {a: 1}
    - {}
    validators: {a: 1}
`)
	if err != nil {
		t.Fatal(err)
	}
	const at = "pipeline.mutators[0]"
	for field, want := range map[string]expression{
		at + ".configMap.a": {at + ".configMapExprs[0]", "size"}, at + ".configMap[b]": {at + ".configMapExprs[1]", ""},
		at + ".configMap.c": {}, at + ".exec": {}, "pipeline.mutators[1].configMap.a": {}, "pipeline.mutators[2].configMap.a": {}, "pipeline.mutators[3].configMap.a": {},
		"pipeline.mutators.configMap.a": {}, "pipeline.mutators[x].configMap.a": {}, "pipeline.validators[0].configMap.a": {}, "pipeline.others[0].configMap.a": {},
	} {
		if got, ok := expressionOf(document.Root(), field); got != want || ok != (want.field != "") {
			t.Errorf("%s: got %+v, %v", field, got, ok)
		}
	}
}

// A workspace is a revision if a PackageRevision says so, or its name does.
func TestUpstreamRevision(t *testing.T) {
	in := &input{revisions: map[string][]packageRevision{"default/r/p": {{workspace: "w", revision: 7}, {workspace: "v3", revision: 8}}, "other/r/p": {{workspace: "w", revision: 9}}}}
	for _, tc := range []struct {
		namespace, workspace string
		want                 int
	}{{"", "w", 7}, {"default", "w", 7}, {"other", "w", 9}, {"", "v3", 8}, {"", "v4", 4}, {"", "5", 5}, {"", "x", unknownRevision}, {"", mainWorkspace, unnumbered}, {"third", "w", unknownRevision}} {
		v := &packageVariant{PackageVariant: &variant.PackageVariant{Namespace: tc.namespace}, isPorch: true}
		v.Spec.Upstream.Repo, v.Spec.Upstream.Package, v.Spec.Upstream.WorkspaceName = "r", "p", tc.workspace
		if got := in.upstreamRevision(v); got != tc.want {
			t.Errorf("%+v: got %d", tc, got)
		}
	}
}

// Objects are offered by their names, and those with the nearest names in the order of their
// places.
func TestNear(t *testing.T) {
	object := func(kind, namespace, name string) *list.Item {
		return list.FileItems(fmt.Appendf(nil, `apiVersion: v1
kind: %s
metadata: {name: %s, namespace: %s}
`, kind, name, namespace), name+kind+".yaml")[0]
	}
	o := newObjects([]*list.Item{
		object("A", "n", "east-11"), object("A", "n", "west"), object("B", "n", "east-12"), object("A", "m", "east-13"), object("A", "n", "east-1"), object("Kptfile", "n", "east-10"),
		list.FileItems([]byte("kind: A\n"), "x.yaml")[0], list.FileItems([]byte("a: [\n"), "y.yaml")[0],
	})
	if len(o.all) != 5 {
		t.Errorf("got %d objects", len(o.all))
	}
	for range 20 { // kinds and namespaces have no order of their own
		var got []string
		for _, item := range o.near([]string{"east-1", "east-1"}) {
			got = append(got, item.Kind()+" "+item.Namespace()+"/"+item.Name())
		}
		if want := []string{"B n/east-12", "A m/east-13"}; !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

// An object fits a point if its kind, its name, and its namespace, if it has one, are those
// that are asked for.
func TestHasObject(t *testing.T) {
	o := newObjects(list.FileItems([]byte(`apiVersion: v1
kind: A
metadata: {name: in, namespace: n}
---
apiVersion: v1
kind: A
metadata: {name: none}
`), "a.yaml"))
	for _, tc := range []struct {
		namespace, name string
		point           variant.Point
		want            bool
	}{
		{"n", "in", variant.Point{APIVersion: "v1", Kind: "A"}, true}, {"m", "in", variant.Point{APIVersion: "v1", Kind: "A"}, false}, {"m", "none", variant.Point{APIVersion: "v1", Kind: "A"}, true},
		{"n", "in", variant.Point{APIVersion: "v1", Kind: "B"}, false}, {"n", "in", variant.Point{APIVersion: "v2", Kind: "A"}, false}, {"n", "other", variant.Point{APIVersion: "v1", Kind: "A"}, false},
	} {
		v := &packageVariant{PackageVariant: &variant.PackageVariant{Namespace: tc.namespace}}
		v.Spec.Injectors = []variant.Injector{{Name: tc.name}}
		if got := o.has(v, tc.point); got != tc.want {
			t.Errorf("%+v: got %v", tc, got)
		}
	}
}

// Files without resources are merged one by one, and are in the order of their paths.
func TestMergedFiles(t *testing.T) {
	files := func(names ...string) (all []workspace.File) {
		for _, name := range names {
			all = append(all, workspace.File{Path: name, Text: []byte(name)})
		}
		return all
	}
	for range 10 { // a merge has no order of its own
		var got []string
		for _, f := range mergedFiles(files("a", "gone"), files("a", "d", "c", "b"), files("e", "a", "gone")) {
			got = append(got, f.Path+"="+string(f.Text))
		}
		if want := []string{"a=a", "b=b", "c=c", "d=d", "e=e"}; !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

// A package that is locked to a draft is merged again, whatever revision the draft is of.
func TestIsUpToDate(t *testing.T) {
	for ref, want := range map[string]bool{"": true, "platform/v3": true, "platform/v4": false, "drafts/platform/v3": false, "platform/main": false} {
		v := &packageVariant{PackageVariant: &variant.PackageVariant{}, existing: &existing{ref: ref}, isPorch: true}
		v.Spec.Upstream.WorkspaceName = "v3"
		if got := (&input{}).isUpToDate(v); got != want {
			t.Errorf("%q: %v", ref, got)
		}
	}
}

func TestParseUpstream(t *testing.T) {
	for text, want := range map[string]Upstream{
		"dir": {Dir: "dir"}, "a/b=dir": {Repo: "a", Package: "b", Dir: "dir"}, "a/b@v3=dir": {Repo: "a", Package: "b", Revision: "v3", Dir: "dir"}, "a/b/c=d=e": {Repo: "a", Package: "b/c", Dir: "d=e"},
	} {
		if got, err := ParseUpstream(text); err != nil || got != want {
			t.Errorf("%s: got %+v %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"a=dir", "/b=dir", "a/=dir", "a/b=", "=dir"} {
		if got, err := ParseUpstream(text); err == nil {
			t.Errorf("%s: got %+v", text, got)
		}
	}
}

// Equal findings are one group: at one place in the upstream, or each in its own object.
func TestIdentity(t *testing.T) {
	at := func(kind, name, path string) *diag.Finding {
		f := diag.Say("x").About(diag.Resource{Kind: kind, Name: name}, path)
		return &f
	}
	base := report.Finding{Severity: diag.Error, Rule: "r", Function: "f", Target: report.Target{Field: "a", Key: "k", Pack: "p", Resource: &report.Resource{Kind: "K", Name: "n"}}, Message: "m", Location: report.Location{File: "a.yaml", Line: 1, Column: 2}}
	change := func(change func(f *report.Finding)) report.Finding {
		f := base
		change(&f)
		return f
	}
	elsewhere := change(func(f *report.Finding) { f.File, f.Line, f.Column, f.Resource = "b.yaml", 5, 5, nil })
	related := change(func(f *report.Finding) {
		f.Related = []report.Place{{File: "c.yaml", Line: 1}, {File: "b.yaml", Line: 1}}
	})
	for name, tc := range map[string]struct {
		located  report.Finding
		f        *diag.Finding
		own, any bool // whether it equals base, with places of their own and without
	}{
		"the same":              {base, at("ConfigMap", "a", "x"), true, true},
		"elsewhere":             {elsewhere, at("ConfigMap", "a", "x"), true, false},
		"another line":          {change(func(f *report.Finding) { f.Line = 5 }), at("ConfigMap", "a", "x"), true, false},
		"another column":        {change(func(f *report.Finding) { f.Column = 5 }), at("ConfigMap", "a", "x"), true, false},
		"another resource":      {change(func(f *report.Finding) { f.Resource = nil }), at("ConfigMap", "a", "x"), true, false},
		"another name":          {base, at("ConfigMap", "b", "x"), false, true},
		"another path":          {base, at("ConfigMap", "a", "y"), false, true},
		"another related place": {related, at("ConfigMap", "a", "x"), false, true},
		"another severity":      {change(func(f *report.Finding) { f.Severity = diag.Warning }), at("ConfigMap", "a", "x"), false, false},
		"another rule":          {change(func(f *report.Finding) { f.Rule = "s" }), at("ConfigMap", "a", "x"), false, false},
		"another function":      {change(func(f *report.Finding) { f.Function = "g" }), at("ConfigMap", "a", "x"), false, false},
		"another field":         {change(func(f *report.Finding) { f.Field = "b" }), at("ConfigMap", "a", "x"), false, false},
		"another key":           {change(func(f *report.Finding) { f.Key = "l" }), at("ConfigMap", "a", "x"), false, false},
		"another pack":          {change(func(f *report.Finding) { f.Pack = "q" }), at("ConfigMap", "a", "x"), false, false},
		"another message":       {change(func(f *report.Finding) { f.Message = "n" }), at("ConfigMap", "a", "x"), false, false},
	} {
		for own, want := range map[bool]bool{true: tc.own, false: tc.any} {
			if got := identity(&base, at("ConfigMap", "a", "x"), own) == identity(&tc.located, tc.f, own); got != want {
				t.Errorf("%s, own places %v: equal is %v", name, own, got)
			}
		}
	}
	if identity(&base, at("InjectConfig", "a", "x"), true) != identity(&base, at("InjectConfig", "b", "x"), true) {
		t.Error("findings about PackageVariants of two names are not equal")
	}
	first := change(func(f *report.Finding) {
		f.Related = []report.Place{{File: "d.yaml", Line: 7}, {File: "b.yaml", Line: 1}}
	})
	last := change(func(f *report.Finding) {
		f.Related = []report.Place{{File: "c.yaml", Line: 1}, {File: "b.yaml", Line: 2}}
	})
	if identity(&related, at("K", "a", "x"), true) != identity(&first, at("K", "a", "x"), true) || identity(&related, at("K", "a", "x"), true) == identity(&last, at("K", "a", "x"), true) {
		t.Error("it is not the last related place that counts")
	}
}
