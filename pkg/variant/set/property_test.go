package set

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
	packagevariant "github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/internal/foreign"
)

// drawList draws a set, Repositories and teams, as documents in any order.
func drawList(t *rapid.T) (documents []string) {
	name := rapid.StringMatching(`[a-z]([-a-z0-9]{0,20}[a-z0-9])?`)
	text := rapid.OneOf(rapid.StringN(0, 20, 40), rapid.SampledFrom([]string{"yes", "1", "a: b", "two\nlines", " x", "#", "é"}))
	var template []string
	add := func(format string, args ...any) {
		if rapid.Bool().Draw(t, "give") {
			template = append(template, fmt.Sprintf(format, args...))
		}
	}
	key := rapid.StringMatching(`[d-w]{1,6}`).Draw(t, "key")
	add("labels: {%s: %s, b: c}", key, yamlText(text.Draw(t, "label")))
	add("labelExprs: [{keyExpr: \"'x' + repoDefault\", value: %s}, {key: %s, valueExpr: target.name}]", yamlText(text.Draw(t, "value")), key)
	add("annotations: {a: %s}", yamlText(text.Draw(t, "annotation")))
	add("packageContext: {data: {a: b}, dataExprs: [{key: %s, valueExpr: packageDefault}], removeKeys: [z, y, z], removeKeyExprs: [repoDefault]}", key)
	add("injectors: [{kind: A, nameExpr: \"target.name + '-x'\"}, {group: '', name: b}]")
	add("pipeline: {mutators: [{image: a, configMap: {x: %s}, configMapExprs: [{key: y, valueExpr: target.namespace}], selectors: [{kind: A}, {}]}], validators: [{exec: b, name: c}]}", yamlText(text.Draw(t, "config")))
	add("adoptionPolicy: adoptExisting")
	set := setHead + spec + "  targets:\n  - repositorySelector: {matchLabels: {env: prod}}\n    packageNames: [" + strings.Join(rapid.SliceOfNDistinct(name, 1, 3, rapid.ID).Draw(t, "packages"), ", ") + "]\n" +
		"    template: {" + strings.Join(template, ", ") + "}\n"
	documents = append(documents, set)
	for _, repo := range rapid.SliceOfNDistinct(name, 1, 5, rapid.ID).Draw(t, "repositories") {
		documents = append(documents, fmt.Sprintf("apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: %s\n  labels:\n    env: %s\n", yamlText(repo), rapid.SampledFrom([]string{"prod", "dev"}).Draw(t, "env")))
	}
	for _, stale := range rapid.SliceOfNDistinct(name, 0, 2, rapid.ID).Draw(t, "stale") {
		documents = append(documents, "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: stale-"+stale+"\n"+ours+oneSpec)
	}
	return documents
}

// yamlText is a text in double quotes, which any place takes.
func yamlText(text string) string {
	quoted := values.Quote("\n" + strings.ToValidUTF8(text, "?")) // a line break is never plain
	return `"` + strings.TrimPrefix(quoted, `"\n`)
}

// A second run changes nothing, and what is made is a PackageVariant that has no
// faults, from which the same variant is read.
func TestTwice(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		documents := drawList(r)
		first, results := evaluate(t, functiontest.List("", strings.Join(documents, "---\n")))
		for _, result := range results {
			if strings.HasPrefix(result, "error") {
				r.Fatalf("%s\n%s", result, documents[0])
			}
		}
		second, _ := evaluate(t, functiontest.List("", first))
		if first != second {
			r.Fatalf("a second run changes it:\n%s", cmp.Diff(first, second))
		}
		for document := range strings.SplitSeq(first, "---\n") {
			if strings.Contains(document, "\nkind: PackageVariant\n") {
				valid(r, document)
			}
		}
	})
}

type fataler interface{ Fatalf(string, ...any) }

// valid fails for a document that is no PackageVariant without faults.
func valid(t fataler, document string) {
	d, err := values.Parse(document)
	if err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
	if _, problems := packagevariant.Read(d.Root(), ""); len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, document)
	}
}

// The order of the list makes no difference to what comes of it.
func TestShuffled(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		documents := drawList(r)
		shuffled := rapid.Permutation(documents).Draw(r, "order")
		variants := func(documents []string) ([]string, []string) {
			got, results := evaluate(t, functiontest.List("", strings.Join(documents, "---\n")))
			all := slices.DeleteFunc(strings.Split(got, "---\n"), func(d string) bool { return slices.Contains(documents, d) || slices.Contains(documents, d+"\n") })
			return all, results
		}
		wantVariants, wantResults := variants(documents)
		gotVariants, gotResults := variants(shuffled)
		if diff := cmp.Diff(wantVariants, gotVariants) + cmp.Diff(wantResults, gotResults); diff != "" {
			r.Fatalf("-want +got:\n%s", diff)
		}
	})
}

// Texts of all kinds come back from what is printed.
func TestPrintReadsBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.Custom(func(r *rapid.T) string {
			return strings.ToValidUTF8(rapid.OneOf(
				rapid.StringN(1, 30, 60),
				rapid.StringOfN(rapid.SampledFrom([]rune("ab:#-'\"\\ \n\t\u2028")), 1, 12, -1),
			).Draw(r, "text"), "?")
		})
		entries := func() []Entry { return sortedEntries(rapid.MapOfN(text, text, 0, 4).Draw(r, "entries")) }
		v := &Variant{
			Name: "a", Upstream: &Upstream{Repo: text.Draw(r, "repo"), Package: "b", Revision: text.Draw(r, "revision")},
			Repo: text.Draw(r, "downstream"), Package: "c", Labels: entries(), Data: entries(),
			Mutators:  []PipelineFunction{{ConfigMap: entries(), template: &FunctionTemplate{Image: new(text.Draw(r, "image"))}}},
			Injectors: []Injector{{Name: text.Draw(r, "name"), template: &InjectorTemplate{}}},
		}
		document := (&Printer{}).Print(&Set{Name: "s"}, v, nil)
		d, err := values.Parse(document)
		if err != nil {
			r.Fatalf("%v\n%s", err, document)
		}
		texts := func(n *yaml.Node, keys ...string) map[string]string {
			return (&foreign.Reader{}).Root(values.Field(n, keys...), "").TextMap()
		}
		same := func(entries []Entry, got map[string]string) bool {
			return slices.Equal(entries, sortedEntries(got))
		}
		mutator := values.Field(d.Root(), "spec", "pipeline", "mutators").Content[0]
		injector := values.Field(d.Root(), "spec", "injectors").Content[0]
		if !same(v.Labels, texts(d.Root(), "spec", "labels")) || !same(v.Data, texts(d.Root(), "spec", "packageContext", "data")) || !same(v.Mutators[0].ConfigMap, texts(mutator, "configMap")) ||
			values.Text(values.Field(injector, "name")) != v.Injectors[0].Name || values.Text(values.Field(d.Root(), "spec", "upstream", "revision")) != v.Upstream.Revision {
			r.Fatalf("something differs:\n%s", document)
		}
	})
}
