package set_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/set"
)

// A controller has a PackageVariantSet as an API object. It expands the set, reads what
// it needs of the PackageVariants, and previews one in a package.
func Example_controller() {
	fleet := &set.Set{
		Name: "fleet", Namespace: "platform",
		Upstream: set.Upstream{Repo: "catalog", Package: "shop", WorkspaceName: "v3"},
		Targets: []set.Target{{
			RepositorySelector: &set.LabelSelector{MatchLabels: map[string]string{"env": "prod"}},
			Template: &set.Template{
				LabelExprs: []set.MapExpr{{Key: new("org"), ValueExpr: new("repository.labels['org']")}},
				Injectors: []set.InjectorTemplate{{
					Injector: variant.Injector{Kind: new("ConfigMap")}, NameExpr: new("repoDefault + '-endpoint'"),
				}},
				Pipeline: &set.PipelineTemplate{Mutators: []set.FunctionTemplate{{
					PipelineFunction: variant.PipelineFunction{Image: "set-namespace:v0.4", ConfigMap: variant.Texts{"namespace": "shop"}},
				}}},
			},
		}},
	}
	inventory := &set.Inventory{}
	inventory.Add(&set.Object{
		APIVersion: set.RepositoryAPIVersion, Kind: set.RepositoryKind, Namespace: "platform", Name: "east",
		Labels: map[string]string{"env": "prod", "org": "hr"},
	})
	inventory.AddRevision(&set.PackageRevision{Object: set.Object{Namespace: "platform", Name: "catalog.shop.v3"}, Repository: "catalog", PackageName: "shop", WorkspaceName: "v3"})
	expander, invalid := set.New(fleet, set.NewEnvironment())
	expansion, found := expander.Expand(inventory, 0)
	for _, f := range append(invalid, found...) {
		fmt.Println(f.Level(), f.Message())
	}
	made := expansion.Variants[0]
	mutator, injector := made.Spec.Pipeline.Mutators[0], made.Spec.Injectors[0]
	fmt.Println(made.Name, made.Spec.Labels["org"], mutator.Image, mutator.ConfigMap["namespace"], *injector.Kind, injector.Name)

	// What the PackageVariant does to the package.
	v := &variant.PackageVariant{Name: made.Name, Namespace: made.Namespace, Spec: made.Spec}
	kptfile, err := values.Parse(`apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	kptfile, rejected := v.ApplyPipeline(kptfile)
	fmt.Print(len(rejected), "\n", kptfile.Text())

	cluster := &variant.Cluster{}
	cluster.Add(variant.Object{APIVersion: "v1", Kind: "ConfigMap", Namespace: "platform", Name: "east-endpoint"}, 0)
	point := variant.Point{APIVersion: "v1", Kind: "ConfigMap", Name: "endpoint", Required: true}
	chosen, _, ok, _ := v.Choose(point, cluster)
	fmt.Println(ok, chosen)

	// Output:
	// fleet-east-shop hr set-namespace:v0.4 shop ConfigMap east-endpoint
	// 0
	// apiVersion: kpt.dev/v1
	// kind: Kptfile
	// metadata:
	//   name: shop
	// pipeline:
	//   mutators:
	//     - image: set-namespace:v0.4
	//       configMap:
	//         namespace: shop
	//       name: PackageVariant.fleet-east-shop..0
	// true ConfigMap (v1) "east-endpoint" in namespace platform
}
