package porch

import (
	"context"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	porchapi "github.com/nephio-project/porch/api/porch/v1alpha1"
	pvapi "github.com/nephio-project/porch/controllers/packagevariants/api/v1alpha1"
	"github.com/nephio-project/porch/controllers/packagevariants/pkg/controllers/packagevariant"
	kptfilev1 "github.com/nephio-project/porch/pkg/kpt/api/kptfile/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"
)

// injection is a PackageVariant, the files of its package, and the objects of the cluster.
type injection struct {
	variant *pvapi.PackageVariant
	files   map[string]string
	objects []*corev1.ConfigMap
}

func functionsOf(r *rand.Rand) []kptfilev1.Function {
	var all []kptfilev1.Function
	for i := range r.Intn(3) {
		all = append(all, kptfilev1.Function{Image: some(r, "example.com/set-labels:v1", "example.com/check:v2"), Name: some(r, "", "first", fmt.Sprintf("f%d", i)), ConfigMap: plain(r)})
	}
	return all
}

func newInjection(r *rand.Rand) *injection {
	in := &injection{files: map[string]string{}}
	in.variant = &pvapi.PackageVariant{
		TypeMeta:   metav1.TypeMeta{APIVersion: pvapi.GroupVersion.String(), Kind: "PackageVariant"},
		ObjectMeta: metav1.ObjectMeta{Name: "shop-east", Namespace: "default", UID: "8b1c5a52-0f0c-4b7e-9f0f-2f3a4b5c6d7e"},
		Spec: pvapi.PackageVariantSpec{
			Upstream:   &pvapi.Upstream{Repo: "catalog", Package: "shop", Revision: 3},
			Downstream: &pvapi.Downstream{Repo: "east", Package: "shop"},
		},
	}
	spec := &in.variant.Spec
	if r.Intn(3) > 0 {
		spec.PackageContext = &pvapi.PackageContext{Data: plain(r), RemoveKeys: some(r, nil, []string{"old"}, []string{"a", "absent"})}
	}
	if r.Intn(8) == 0 {
		spec.PackageContext = &pvapi.PackageContext{Data: map[string]string{"name": "reserved"}}
	}
	if r.Intn(3) > 0 {
		spec.Pipeline = &kptfilev1.Pipeline{Mutators: functionsOf(r), Validators: functionsOf(r)}
	}
	for range r.Intn(3) {
		spec.Injectors = append(spec.Injectors, pvapi.InjectionSelector{
			Group: some(r, nil, ptr(""), ptr("apps")), Version: some(r, nil, ptr("v1")), Kind: some(r, nil, ptr("ConfigMap"), ptr("Secret")), Name: some(r, "east", "west", "bare", "none"),
		})
	}
	kptfile := `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
`
	if r.Intn(2) == 0 {
		kptfile += `info:
  readinessGates:
  - conditionType: mine
`
	}
	switch r.Intn(4) {
	case 0:
		kptfile += `pipeline:
  mutators:
  - image: example.com/own:v1
`
	case 1:
		kptfile += `pipeline:
  mutators:
  - image: example.com/earlier:v1
    name: PackageVariant.shop-east.x.0
  - image: example.com/own:v1
    name: own
  validators:
  - image: example.com/other:v1
    name: PackageVariant.shop-west.x.0
`
	}
	if r.Intn(3) == 0 {
		kptfile += `status:
  conditions:
  - type: mine
    status: "True"
    reason: R
    message: m
`
	}
	in.files["Kptfile"] = kptfile
	if r.Intn(8) > 0 {
		in.files["package-context.yaml"] = `apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  name: shop
  old: value
  a: before
`
	}
	for i := range r.Intn(4) {
		name := some(r, "settings", "limits", fmt.Sprintf("p%d", i))
		in.files[fmt.Sprintf("%s/point-%d.yaml", some(r, "a", "b"), i)] = fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata:
  name: %s
  annotations:
    kpt.dev/config-injection: %s
data:
  default: value
`, name, some(r, "required", "optional", "optional", "requird"))
	}
	for _, name := range []string{"east", "west", "bare"} {
		object := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: some(r, "default", "default", "default", "other")}}
		if name != "bare" {
			object.Data = map[string]string{"region": name, "size": "3"}
		}
		in.objects = append(in.objects, object)
	}
	return in
}

// reconcile returns the files of the variant's draft after Porch's controller ran, or why it
// did not.
func (in *injection) reconcile(t *testing.T) (files map[string]string, refused string) {
	t.Helper()
	const draft = "east.shop.draft"
	owner := metav1.OwnerReference{APIVersion: in.variant.APIVersion, Kind: in.variant.Kind, Name: in.variant.Name, UID: in.variant.UID, Controller: ptr(true)}
	objects := []client.Object{
		in.variant.DeepCopy(),
		&porchapi.PackageRevision{
			ObjectMeta: metav1.ObjectMeta{Name: "catalog.shop.main", Namespace: "default"},
			Spec:       porchapi.PackageRevisionSpec{RepositoryName: "catalog", PackageName: "shop", WorkspaceName: "main", Revision: 3, Lifecycle: porchapi.PackageRevisionLifecyclePublished},
		},
		&porchapi.PackageRevision{
			ObjectMeta: metav1.ObjectMeta{Name: draft, Namespace: "default", OwnerReferences: []metav1.OwnerReference{owner}},
			Spec:       porchapi.PackageRevisionSpec{RepositoryName: "east", PackageName: "shop", WorkspaceName: "packagevariant-1", Lifecycle: porchapi.PackageRevisionLifecycleDraft},
		},
		&porchapi.PackageRevisionResources{
			ObjectMeta: metav1.ObjectMeta{Name: draft, Namespace: "default"},
			Spec:       porchapi.PackageRevisionResourcesSpec{PackageName: "shop", RepositoryName: "east", Resources: maps.Clone(in.files)},
		},
	}
	for _, object := range in.objects {
		objects = append(objects, object.DeepCopy())
	}
	c := fake.NewClientBuilder().WithScheme(newScheme(t)).WithStatusSubresource(&pvapi.PackageVariant{}).WithObjects(objects...).Build()
	reconciler := &packagevariant.PackageVariantReconciler{Client: c}
	key := types.NamespacedName{Namespace: "default", Name: in.variant.Name}
	if _, err := reconciler.Reconcile(context.Background(), ctrl.Request{NamespacedName: key}); err != nil {
		return nil, err.Error()
	}
	var after pvapi.PackageVariant
	if err := c.Get(context.Background(), key, &after); err != nil {
		t.Fatal(err)
	}
	for _, condition := range after.Status.Conditions {
		if condition.Type == "Stalled" && condition.Status == metav1.ConditionTrue {
			return nil, condition.Message
		}
	}
	var resources porchapi.PackageRevisionResources
	if err := c.Get(context.Background(), types.NamespacedName{Namespace: "default", Name: draft}, &resources); err != nil {
		t.Fatal(err)
	}
	return resources.Spec.Resources, ""
}

// list is the package as a ResourceList.
func (in *injection) list(t *testing.T) string {
	t.Helper()
	config := map[string]any{
		"apiVersion": "fn.kpt.dev/v1alpha1", "kind": "InjectConfig", "metadata": map[string]any{"name": "c"},
		"spec": map[string]any{
			"packageVariant": map[string]any{"metadata": map[string]any{"name": in.variant.Name, "namespace": in.variant.Namespace}, "spec": in.variant.Spec},
			"objects":        in.objects,
		},
	}
	var items []any
	for _, path := range slices.Sorted(maps.Keys(in.files)) {
		var item map[string]any
		if err := yaml.Unmarshal([]byte(in.files[path]), &item); err != nil {
			t.Fatal(err)
		}
		metadata := item["metadata"].(map[string]any)
		annotations, _ := metadata["annotations"].(map[string]any)
		if annotations == nil {
			annotations = map[string]any{}
			metadata["annotations"] = annotations
		}
		annotations["config.kubernetes.io/path"] = path
		items = append(items, item)
	}
	text, err := yaml.Marshal(map[string]any{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "functionConfig": config, "items": items})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// result is what an injection made of a package, without what only one of both writes.
type result struct {
	Context    map[string]string
	Pipeline   kptfilev1.Pipeline
	Gates      []string
	Conditions []string
	// Points are the data of injection points, and Injected the names of what was injected.
	Points   map[string]map[string]string
	Injected map[string]string
}

func newResult() *result {
	return &result{Points: map[string]map[string]string{}, Injected: map[string]string{}}
}

// read adds a file of the package to the result.
func (r *result) read(t *testing.T, path, text string) {
	t.Helper()
	if path == "Kptfile" {
		var k kptfilev1.KptFile
		if err := yaml.Unmarshal([]byte(text), &k); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if k.Pipeline != nil {
			r.Pipeline = *k.Pipeline
		}
		if k.Info != nil {
			for _, gate := range k.Info.ReadinessGates {
				r.Gates = append(r.Gates, gate.ConditionType)
			}
		}
		if k.Status != nil {
			for _, c := range k.Status.Conditions {
				r.Conditions = append(r.Conditions, fmt.Sprintf("%s %s", c.Type, c.Status))
			}
		}
		slices.Sort(r.Gates)
		slices.Sort(r.Conditions)
		return
	}
	var c corev1.ConfigMap
	if err := yaml.Unmarshal([]byte(text), &c); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if path == "package-context.yaml" {
		r.Context = c.Data
		return
	}
	r.Points[path] = c.Data
	if name := c.Annotations["kpt.dev/injected-resource"]; name != "" {
		r.Injected[path] = name
	}
}

// TestVariants injects into generated packages by Porch's controller and by the function.
func TestVariants(t *testing.T) {
	counts := map[string]int{}
	for seed := range int64(100) {
		in := newInjection(rand.New(rand.NewSource(seed)))
		files, refused := in.reconcile(t)
		list := in.list(t)
		output, code, errors := direct(t, "inject-config", list)
		switch {
		case refused != "" && code != 0:
			counts["both reject"]++
			continue
		case refused != "" || code != 0:
			t.Fatalf("seed %d: Porch says %q, the function %q\n%s", seed, refused, errors, list)
		}
		counts["both inject"]++
		want, got := newResult(), newResult()
		for path, text := range files {
			want.read(t, path, text)
		}
		var items struct{ Items []map[string]any }
		if err := yaml.Unmarshal([]byte(output), &items); err != nil {
			t.Fatal(err)
		}
		for _, item := range items.Items {
			text, err := yaml.Marshal(item)
			if err != nil {
				t.Fatal(err)
			}
			annotations := item["metadata"].(map[string]any)["annotations"].(map[string]any)
			got.read(t, annotations["config.kubernetes.io/path"].(string), string(text))
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d: -Porch +function:\n%s\n%s", seed, diff, list)
		}
	}
	t.Log(counts)
	if counts["both inject"] < 25 || counts["both reject"] < 5 {
		t.Errorf("too little was compared: %v", counts)
	}
}
