package set

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
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
	key := yamlText(rapid.StringMatching(`[d-w]{1,6}`).Draw(t, "key")) // an API server reads n as a boolean
	add("labels: {%s: %s, b: c}", key, yamlText(text.Draw(t, "label")))
	add("labelExprs: [{keyExpr: \"'x' + repoDefault\", value: %s}, {key: %s, valueExpr: target.name}]", yamlText(text.Draw(t, "value")), key)
	add("annotations: {a: %s}", yamlText(text.Draw(t, "annotation")))
	add("packageContext: {data: {a: b}, dataExprs: [{key: %s, valueExpr: packageDefault}], removeKeys: [z, w, z], removeKeyExprs: [repoDefault]}", key)
	add("injectors: [{kind: A, nameExpr: \"target.name + '-x'\"}, {group: '', name: b}]")
	add("pipeline: {mutators: [{image: a, configMap: {x: %s}, configMapExprs: [{key: k, valueExpr: target.namespace}], selectors: [{kind: A}, {}]}], validators: [{exec: b, name: c}]}", yamlText(text.Draw(t, "config")))
	add("adoptionPolicy: adoptExisting")
	set := setHead + spec + `  targets:
  - repositorySelector: {matchLabels: {env: prod}}
    packageNames: [` + yamlTexts(rapid.SliceOfNDistinct(name, 1, 3, rapid.ID).Draw(t, "packages")) + `]
    template: {` + strings.Join(template, ", ") + "}\n"
	documents = append(documents, set)
	for _, repo := range rapid.SliceOfNDistinct(name, 1, 5, rapid.ID).Draw(t, "repositories") {
		documents = append(documents, fmt.Sprintf(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: %s
  labels:
    env: %s
`, yamlText(repo), rapid.SampledFrom([]string{"prod", "dev"}).Draw(t, "env")))
	}
	for _, stale := range rapid.SliceOfNDistinct(name, 0, 2, rapid.ID).Draw(t, "stale") {
		documents = append(documents, `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: stale-`+stale+"\n"+ours+oneSpec)
	}
	return documents
}

// yamlText is a text in double quotes, which any place takes.
func yamlText(text string) string {
	quoted := values.Quote("\n" + strings.ToValidUTF8(text, "?")) // a line break is never plain
	return `"` + strings.TrimPrefix(quoted, `"\n`)
}

// yamlTexts writes texts as the elements of a list.
func yamlTexts(texts []string) string {
	for i, text := range texts {
		texts[i] = yamlText(text)
	}
	return strings.Join(texts, ", ")
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
		second, again := evaluate(t, functiontest.List("", first))
		if diff := cmp.Diff(first, second) + cmp.Diff(results, again); diff != "" {
			r.Fatalf("a second run changes it:\n%s", diff)
		}
		for document := range strings.SplitSeq(first, "---\n") {
			if strings.Contains(document, "\nkind: PackageVariant\n") {
				valid(r, document)
			}
		}
	})
}

type fataler interface{ Fatalf(string, ...any) }

// valid fails for a document that is not a PackageVariant without faults.
func valid(t fataler, document string) {
	d, err := values.Parse(document)
	if err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
	if _, findings := variant.Read(d.Root(), ""); len(findings) > 0 {
		t.Fatalf("%v\n%s", functiontest.Facts(findings), document)
	}
}

// The order of the items makes no difference to the result.
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
		entries := func() variant.Texts { return rapid.MapOfN(text, text, 0, 4).Draw(r, "entries") }
		want := variant.Spec{
			Upstream:       variant.Upstream{Repo: text.Draw(r, "repo"), Package: "b", Revision: variant.Revision(text.Draw(r, "revision"))},
			Downstream:     variant.Downstream{Repo: text.Draw(r, "downstream"), Package: "c"},
			Labels:         entries(),
			PackageContext: variant.PackageContext{Data: entries()},
			Pipeline:       variant.Pipeline{Mutators: []variant.PipelineFunction{{Exec: text.Draw(r, "exec"), ConfigMap: entries(), Exclude: []variant.ResourceSelector{{Kind: "A", Labels: entries()}, {}}}}},
			Injectors:      []variant.Injector{{Name: text.Draw(r, "name"), Group: new("")}},
		}
		document := (&Printer{}).Print(&Set{Name: "s"}, &Variant{Name: "a", Spec: want}, nil)
		d, err := values.Parse(document)
		if err != nil {
			r.Fatalf("%v\n%s", err, document)
		}
		got, findings := variant.Read(d.Root(), "")
		findings = slices.DeleteFunc(findings, func(f diag.Finding) bool {
			isKey := strings.HasPrefix(f.Key, "spec.packageContext.data.") // which a ConfigMap cannot have
			return isKey || f.Rule == rule.VariantSetNotInPorch
		})
		if diff := cmp.Diff(want, got.Spec, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(variant.Spec{}, variant.Upstream{}, variant.Downstream{}, variant.Pipeline{})); diff != "" || len(findings) > 0 {
			r.Fatalf("%v -want +got:\n%s\n%s", findings, diff, document)
		}
	})
}
