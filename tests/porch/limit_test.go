package porch

import (
	"fmt"
	"strings"
	"testing"

	pb "github.com/nephio-project/porch/func/evaluator"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// variants is a list with a set of as many targets. Each becomes a PackageVariant with a
// label, an injector and a package context, as those of a fleet have.
func variants(n int) string {
	var b strings.Builder
	b.WriteString(head + `items:
- apiVersion: config.porch.kpt.dev/v1alpha2
  kind: PackageVariantSet
  metadata:
    name: fleet
    namespace: default
  spec:
    upstream: {repo: blueprints, package: platform, revision: 1}
    targets:
    - repositories:
`)
	for i := range n {
		fmt.Fprintf(&b, "      - name: cluster-%05d\n", i)
	}
	b.WriteString(`      template:
        labels: {fleet: edge}
        injectors:
        - nameExpr: repository.name
        packageContext:
          data: {owner: platform}
`)
	return b.String()
}

// TestVariantsLimit measures how many variants of one set fit into a message, and what
// happens with more: the program makes them, but Porch fails with one clear error. The
// figure in build/porch/README.md is from here.
func TestVariantsLimit(t *testing.T) {
	size := func(n int) int {
		output, code, stderr := direct(t, "expand-variant-set", variants(n))
		if code != 0 || strings.Count(output, "kind: PackageVariant\n") != n {
			t.Fatalf("%d targets: exit %d, %s", n, code, stderr)
		}
		return len(output)
	}
	each := float64(size(3000)-size(1000)) / 2000
	fit := int(maxMessage / each)
	t.Logf("a variant has %.0f bytes in the list: %d fit into a message", each, fit)
	client, images := shipped(t)
	evaluate := func(n int) error {
		_, err := client.EvaluateFunction(t.Context(), &pb.EvaluateFunctionRequest{ResourceList: []byte(variants(n)), Image: images["expand-variant-set"]})
		return err
	}
	if err := evaluate(fit * 98 / 100); err != nil {
		t.Errorf("%d variants: %v", fit*98/100, err)
	}
	err := evaluate(fit * 102 / 100)
	if status.Code(err) != codes.ResourceExhausted || !strings.Contains(err.Error(), "larger than max") {
		t.Errorf("%d variants: %v", fit*102/100, err)
	}
	// A render fails as a whole: Porch keeps the package as it was.
	kptfile := `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: fleet
pipeline:
  mutators:
  - image: ` + images["expand-variant-set"] + "\n"
	set := func(n int) map[string]string {
		_, item, _ := strings.Cut(variants(n), `items:
- `)
		return map[string]string{"Kptfile": kptfile, "set.yaml": strings.ReplaceAll(item, "\n  ", "\n")}
	}
	if rendered, _, err := render(t, client, set(2)); err != nil || len(rendered) != 4 {
		t.Errorf("2 variants: %d files, %v", len(rendered), err)
	}
	if _, _, err := render(t, client, set(fit*102/100)); err == nil || !strings.Contains(err.Error(), "ResourceExhausted") || !strings.Contains(err.Error(), "NOT been pushed") {
		t.Errorf("%d variants: %v", fit*102/100, err)
	}
}
