package deploy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/rule"
)

// Containers name images to their programs by variables and arguments.
func TestImagesOfPrograms(t *testing.T) {
	r := render(t, Cluster{}, "charts/web/templates/a.yaml", `
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [
  {name: web, image: "a/web:1", command: [web, "--base-image=a/base:1"], args: ["--sidecar-image=a/sidecar:1", "--defaultImage=b:2", "--image=c@sha256:x", "--image=$(RELATED_IMAGE_X)", "--image=250", "--image=https://a/b:1",
    "--image=/var/lib/a:b", "--images=a/b:1", "-image=a/b:1", "--image", "a/b:1", "--image=", "--image=a/b c:1", "--x=--image=a/b:1"],
   env: [{name: RELATED_IMAGE_DB, value: "a/db:1"}, {name: RELATED_IMAGE_NONE, value: ""}, {name: RELATED_IMAGE_FROM, valueFrom: {x: "a/b:1"}}, {name: IMAGE, value: "a/b:1"}]}]}}}
---
kind: Operator
metadata: {name: op}
spec: {args: ["--image=a/b:1"], env: [{name: RELATED_IMAGE_OP, value: "op:1"}], image: "a/op:1", other: {image: "$(X)/a:1"}}
`)
	var got []string
	for _, i := range r.Images() {
		got = append(got, strings.Join([]string{i.Image, i.Kind, i.Container + i.Setting}, " "))
	}
	slices.Sort(got)
	want := []string{"a/base:1 Deployment --base-image", "a/db:1 Deployment RELATED_IMAGE_DB", "a/op:1 Operator ", "a/sidecar:1 Deployment --sidecar-image", "a/web:1 Deployment web",
		"b:2 Deployment --defaultImage", "c@sha256:x Deployment --image", "op:1 Operator RELATED_IMAGE_OP"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%q", diff, said(r))
	}
}

// An image that cannot be pulled, or that moves, is reported once, at the value that it has.
func TestImageFaults(t *testing.T) {
	const form = "kind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: %q, env: [{name: RELATED_IMAGE_A, value: %q}]}]}\n---\nkind: Custom\nmetadata: {name: b}\nspec: {image: %q}\n"
	digest := "@sha256:" + strings.Repeat("a", 64)
	for image, want := range map[string]string{
		"quay.io/a/web:1.0":              "",
		"quay.io/a/web" + digest:         "",
		"quay.io/a/web:1.0" + digest:     "",
		"quay.io/a/web:{{ .spectro.x }}": "",
		"quay.io/a/web:" + digest:        `values.yaml:4:7 "quay.io/a/web:` + digest + `"`,
		"quay.io/a/web@sha256:aa":        `values.yaml:4:7 "quay.io/a/web@sha256:aa"`,
		"quay.io/a/web":                  `values.yaml:4:7 "quay.io/a/web"`,
		"quay.io/A/web:1.0":              `values.yaml:1:1 "quay.io/A/web:1.0"`,
		"web:":                           `values.yaml:1:1 "web:"`,
		"x/very-private:":                `values.yaml:5:5 "x/•••:"`,
	} {
		r := render(t, Cluster{}, "values.yaml", "charts:\n  web:\n    image:\n      repository: quay.io/a/web\n    token: very-private\n    tag: w\n",
			"charts/web/templates/a.yaml", strings.ReplaceAll(fmt.Sprintf(form, image, image, image), "{{", "{{ \"{{\" }}"))
		var got []string
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Rule != rule.PackImages {
				t.Errorf("%s: %s", image, f.Message())
			}
			got = append(got, fmt.Sprintf("%s:%d:%d %s", f.Origin.Name, f.Position.Line, f.Position.Column, strings.Split(f.Found, " ")[2]))
		}
		if joined := strings.TrimSuffix(strings.Join(got, "; "), ","); joined != want {
			t.Errorf("%s: got %s, want %s", image, joined, want)
		}
	}
}
