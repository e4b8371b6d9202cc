package porch

import (
	"context"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	porchapi "github.com/nephio-project/porch/api/porch/v1alpha1"
	configapi "github.com/nephio-project/porch/api/porchconfig/v1alpha1"
	pvapi "github.com/nephio-project/porch/controllers/packagevariants/api/v1alpha1"
	setapi "github.com/nephio-project/porch/controllers/packagevariantsets/api/v1alpha2"
	"github.com/nephio-project/porch/controllers/packagevariantsets/pkg/controllers/packagevariantset"
	kptfilev1 "github.com/nephio-project/porch/pkg/kpt/api/kptfile/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"
)

// newScheme has the kinds that Porch's controllers work on.
func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, porchapi.AddToScheme, configapi.AddToScheme, pvapi.AddToScheme, setapi.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return scheme
}

// world is a set with the objects of its cluster.
type world struct {
	set      *setapi.PackageVariantSet
	upstream *porchapi.PackageRevision
	repos    []*configapi.Repository
	configs  []*corev1.ConfigMap
	existing []*pvapi.PackageVariant
}

func (w *world) objects() []client.Object {
	all := []client.Object{w.set, w.upstream}
	for _, r := range w.repos {
		all = append(all, r)
	}
	for _, c := range w.configs {
		all = append(all, c)
	}
	for _, v := range w.existing {
		all = append(all, v)
	}
	return all
}

// list is the world as a ResourceList.
func (w *world) list(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(head + "items:\n")
	for _, object := range w.objects() {
		text, err := yaml.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("- " + strings.ReplaceAll(strings.TrimRight(string(text), "\n"), "\n", "\n  ") + "\n")
	}
	return b.String()
}

// some returns one of the choices.
func some[T any](r *rand.Rand, choices ...T) T { return choices[r.Intn(len(choices))] }

// expressions are what templates compute with. Some of them fail for some targets, as
// where a label is missing, and one is not a string.
var expressions = []string{
	"repoDefault", "packageDefault", "upstream.name", "'fixed'", "repoDefault + '-' + packageDefault",
	"repository.name", "repository.labels['region']", "'env' in repository.labels ? repository.labels['env'] : 'none'",
	"target.name", "repository.labels.size() > 1 ? 'many' : 'few'", "repository.annotations['note']",
}

func mapExprs(r *rand.Rand) []setapi.MapExpr {
	var all []setapi.MapExpr
	for range r.Intn(3) {
		var e setapi.MapExpr
		if r.Intn(3) > 0 {
			e.Key = ptr(some(r, "a", "b", "c"))
		} else {
			e.KeyExpr = ptr(some(r, "'k-' + repoDefault", "packageDefault"))
		}
		if r.Intn(2) == 0 {
			e.Value = ptr(some(r, "v", "w", ""))
		} else {
			e.ValueExpr = ptr(some(r, expressions...))
		}
		all = append(all, e)
	}
	return all
}

func ptr[T any](v T) *T { return &v }

func plain(r *rand.Rand) map[string]string {
	all := map[string]string{}
	for range r.Intn(3) {
		all[some(r, "a", "b", "x")] = some(r, "1", "two", "true", "")
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func functionTemplates(r *rand.Rand) []setapi.FunctionTemplate {
	var all []setapi.FunctionTemplate
	for i := range r.Intn(3) {
		f := setapi.FunctionTemplate{Function: kptfilev1.Function{Image: some(r, "example.com/set-labels:v1", "example.com/check:v2"), Name: fmt.Sprintf("f%d", i), ConfigMap: plain(r)}}
		f.ConfigMapExprs = mapExprs(r)
		all = append(all, f)
	}
	return all
}

func template(r *rand.Rand) *setapi.PackageVariantTemplate {
	if r.Intn(4) == 0 {
		return nil
	}
	t := &setapi.PackageVariantTemplate{Labels: plain(r), Annotations: plain(r), LabelExprs: mapExprs(r), AnnotationExprs: mapExprs(r)}
	switch r.Intn(4) {
	case 0:
		t.Downstream = &setapi.DownstreamTemplate{PackageExpr: ptr("packageDefault + '-' + repoDefault")}
	case 1:
		t.Downstream = &setapi.DownstreamTemplate{Package: ptr("web"), Repo: ptr(some(r, "east", "west"))}
	case 2:
		t.Downstream = &setapi.DownstreamTemplate{RepoExpr: ptr("repoDefault")}
	}
	if r.Intn(2) == 0 {
		t.AdoptionPolicy = ptr(some(r, pvapi.AdoptionPolicyAdoptNone, pvapi.AdoptionPolicyAdoptExisting))
		t.DeletionPolicy = ptr(some(r, pvapi.DeletionPolicyDelete, pvapi.DeletionPolicyOrphan))
	}
	if r.Intn(2) == 0 {
		t.PackageContext = &setapi.PackageContextTemplate{Data: plain(r), DataExprs: mapExprs(r)}
		if r.Intn(2) == 0 {
			t.PackageContext.RemoveKeys = []string{"old", "older"}
			t.PackageContext.RemoveKeyExprs = []string{"'gone-' + packageDefault"}
		}
	}
	if r.Intn(2) == 0 {
		t.Pipeline = &setapi.PipelineTemplate{Mutators: functionTemplates(r), Validators: functionTemplates(r)}
	}
	for range r.Intn(3) {
		i := setapi.InjectionSelectorTemplate{Kind: some(r, nil, ptr("ConfigMap")), Group: some(r, nil, ptr(""), ptr("apps"))}
		if r.Intn(2) == 0 {
			i.Name = ptr("settings")
		} else {
			i.NameExpr = ptr(some(r, expressions...))
		}
		t.Injectors = append(t.Injectors, i)
	}
	return t
}

func target(r *rand.Rand) setapi.Target {
	t := setapi.Target{Template: template(r)}
	switch r.Intn(3) {
	case 0:
		for range 1 + r.Intn(2) {
			rt := setapi.RepositoryTarget{Name: some(r, "east", "west", "north")}
			if r.Intn(2) == 0 {
				rt.PackageNames = []string{some(r, "p1", "p2"), "p3"}
			}
			t.Repositories = append(t.Repositories, rt)
		}
	case 1:
		t.RepositorySelector = selector(r)
	case 2:
		t.ObjectSelector = &setapi.ObjectSelector{LabelSelector: *selector(r), APIVersion: "v1", Kind: "ConfigMap"}
		if t.Template == nil {
			t.Template = &setapi.PackageVariantTemplate{}
		}
		t.Template.Downstream = &setapi.DownstreamTemplate{Repo: ptr(some(r, "east", "west")), PackageExpr: ptr("target.name")}
	}
	return t
}

func selector(r *rand.Rand) *metav1.LabelSelector {
	switch r.Intn(3) {
	case 0:
		return &metav1.LabelSelector{MatchLabels: map[string]string{"env": some(r, "prod", "dev")}}
	case 1:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "region", Operator: some(r, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}}}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "env", Operator: some(r, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn), Values: []string{"prod", "test"}}}}
}

func newWorld(r *rand.Rand) *world {
	const namespace = "default"
	w := &world{
		set: &setapi.PackageVariantSet{
			TypeMeta:   metav1.TypeMeta{APIVersion: setapi.GroupVersion.String(), Kind: "PackageVariantSet"},
			ObjectMeta: metav1.ObjectMeta{Name: "fleet", Namespace: namespace, UID: "8b1c5a52-0f0c-4b7e-9f0f-2f3a4b5c6d7e"},
			Spec:       setapi.PackageVariantSetSpec{Upstream: &pvapi.Upstream{Repo: "catalog", Package: "web", Revision: 3}},
		},
		upstream: &porchapi.PackageRevision{
			TypeMeta:   metav1.TypeMeta{APIVersion: "porch.kpt.dev/v1alpha1", Kind: "PackageRevision"},
			ObjectMeta: metav1.ObjectMeta{Name: "catalog.web.v3", Namespace: namespace, Labels: map[string]string{"tier": "front"}},
			Spec:       porchapi.PackageRevisionSpec{RepositoryName: "catalog", PackageName: "web", WorkspaceName: "ws3", Revision: 3, Lifecycle: porchapi.PackageRevisionLifecyclePublished},
		},
	}
	for i, name := range []string{"east", "west", "north"} {
		repo := &configapi.Repository{
			TypeMeta:   metav1.TypeMeta{APIVersion: "config.porch.kpt.dev/v1alpha1", Kind: "Repository"},
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"env": some(r, "prod", "dev", "test")}},
		}
		if i > 0 || r.Intn(3) > 0 {
			repo.Labels["region"] = name + "-1"
		}
		if r.Intn(2) == 0 {
			repo.Annotations = map[string]string{"note": "of " + name}
		}
		w.repos = append(w.repos, repo)
	}
	for i := range 3 {
		w.configs = append(w.configs, &corev1.ConfigMap{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("tenant-%d", i), Namespace: namespace, Labels: map[string]string{"env": some(r, "prod", "dev")}},
		})
	}
	for range 1 + r.Intn(2) {
		w.set.Spec.Targets = append(w.set.Spec.Targets, target(r))
	}
	// Variants of an earlier run, one under a name of its own.
	for i := range r.Intn(3) {
		w.existing = append(w.existing, &pvapi.PackageVariant{
			TypeMeta: metav1.TypeMeta{APIVersion: pvapi.GroupVersion.String(), Kind: "PackageVariant"},
			ObjectMeta: metav1.ObjectMeta{
				Name: some(r, "fleet-east-web", "named-by-hand", "fleet-gone") + fmt.Sprint(i), Namespace: namespace,
				Labels: map[string]string{packagevariantset.PackageVariantSetOwnerLabel: string(w.set.UID)},
			},
			Spec: pvapi.PackageVariantSpec{Upstream: &pvapi.Upstream{Repo: "catalog", Package: "web", Revision: 2}, Downstream: &pvapi.Downstream{Repo: some(r, "east", "west"), Package: fmt.Sprintf("web%s", some(r, "", "-old"))}},
		})
	}
	return w
}

// reconcile returns the specs of the set's variants after Porch's controller ran, by name, or
// why it stalled.
func reconcile(t *testing.T, w *world) (variants map[string]pvapi.PackageVariantSpec, stalled string) {
	t.Helper()
	var copies []client.Object
	for _, object := range w.objects() {
		copies = append(copies, object.DeepCopyObject().(client.Object))
	}
	c := fake.NewClientBuilder().WithScheme(newScheme(t)).WithStatusSubresource(&setapi.PackageVariantSet{}).WithObjects(copies...).Build()
	reconciler := &packagevariantset.PackageVariantSetReconciler{Client: c}
	key := types.NamespacedName{Namespace: w.set.Namespace, Name: w.set.Name}
	// Of several stale variants of one package one reconciliation deletes one.
	for range 3 {
		if _, err := reconciler.Reconcile(context.Background(), ctrl.Request{NamespacedName: key}); err != nil {
			t.Fatal(err)
		}
	}
	var set setapi.PackageVariantSet
	if err := c.Get(context.Background(), key, &set); err != nil {
		t.Fatal(err)
	}
	if condition := meta.FindStatusCondition(set.Status.Conditions, packagevariantset.ConditionTypeStalled); condition == nil || condition.Status == metav1.ConditionTrue {
		return nil, fmt.Sprintf("%+v", condition)
	}
	var list pvapi.PackageVariantList
	if err := c.List(context.Background(), &list); err != nil {
		t.Fatal(err)
	}
	variants = map[string]pvapi.PackageVariantSpec{}
	for _, v := range list.Items {
		variants[v.Name] = v.Spec
	}
	return variants, ""
}

// expand returns the same of expand-variant-set.
func expand(t *testing.T, w *world) (variants map[string]pvapi.PackageVariantSpec, errors string) {
	t.Helper()
	output, code, stderr := direct(t, "expand-variant-set", w.list(t))
	if code != 0 {
		return nil, stderr
	}
	var list struct{ Items []pvapi.PackageVariant }
	if err := yaml.Unmarshal([]byte(output), &list); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	variants = map[string]pvapi.PackageVariantSpec{}
	for _, v := range list.Items {
		if v.Kind == "PackageVariant" {
			variants[v.Name] = v.Spec
		}
	}
	return variants, ""
}

// isMeant reports whether a failure of the function alone is a difference from Porch that
// variants.md wants: Porch makes one of two variants of a package, and does not look for
// the repository of a target without a template.
func isMeant(errors string) bool {
	for line := range strings.Lines(errors) {
		if !strings.Contains(line, "[variant-set/duplicate]") && !strings.Contains(line, "[variant-set/repository-not-found]") {
			return false
		}
	}
	return true
}

// TestSets expands generated sets by Porch's controller and by the function.
func TestSets(t *testing.T) {
	counts := map[string]int{}
	for seed := range int64(100) {
		w := newWorld(rand.New(rand.NewSource(seed)))
		want, stalled := reconcile(t, w)
		got, errors := expand(t, w)
		switch {
		case stalled != "" && errors != "":
			counts["both reject"]++
		case stalled == "" && errors != "" && isMeant(errors):
			counts["the function alone rejects a duplicate"]++
		case stalled != "" || errors != "":
			t.Errorf("seed %d: Porch says %q, the function %q\n%s", seed, stalled, errors, w.list(t))
		default:
			counts["both expand"]++
			if diff := cmp.Diff(want, got, cmp.Comparer(sameMap), cmp.Comparer(sameContext)); diff != "" {
				t.Errorf("seed %d: -Porch +function:\n%s\n%s", seed, diff, w.list(t))
			}
		}
		if t.Failed() {
			return // the first difference says enough
		}
	}
	t.Log(counts)
	if counts["both expand"] < 20 || counts["both reject"] < 3 {
		t.Errorf("too little was compared: %v", counts)
	}
}

// sameMap takes an empty mapping for none: Porch writes neither.
func sameMap(a, b map[string]string) bool { return len(a) == len(b) && maps.Equal(a, b) }

// sameContext takes a package context without keys for none.
func sameContext(a, b *pvapi.PackageContext) bool {
	if a == nil {
		a = &pvapi.PackageContext{}
	}
	if b == nil {
		b = &pvapi.PackageContext{}
	}
	return sameMap(a.Data, b.Data) && slices.Equal(a.RemoveKeys, b.RemoveKeys)
}
