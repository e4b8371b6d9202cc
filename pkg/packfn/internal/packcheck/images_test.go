package packcheck

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/distribution/reference"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// An image is in the list by its name, or by its tag or digest if the other has none.
func TestUnlisted(t *testing.T) {
	digest := "@sha256:" + strings.Repeat("a", 64)
	other := "@sha256:" + strings.Repeat("b", 64)
	list := func(images ...string) string {
		text := `pack:
  content:
    images:
`
		for _, image := range images {
			text += "    - {image: '" + image + "'}\n"
		}
		return text
	}
	const missing = "4:5 pack.content.images "
	for name, tc := range map[string]struct {
		values string
		images []string
		want   []string
	}{
		"the same":             {list("a:1", "example.com/b:2"), []string{"a:1", "example.com/b:2"}, nil},
		"in another form":      {list("docker.io/library/a:1"), []string{"a:1"}, nil},
		"not there":            {list("a:1"), []string{"b:1", "c", "b:1"}, []string{missing + "b:1", missing + "c"}},
		"another tag":          {list("b:1", "a:1"), []string{"a:2"}, []string{"5:15 pack.content.images[1].image a:2"}},
		"no tag":               {list("a:1"), []string{"a"}, []string{"4:15 pack.content.images[0].image a"}},
		"a digest":             {list("a:1"), []string{"a" + digest}, nil},
		"a digest, and a tag":  {list("a:1"), []string{"a:1" + digest}, nil},
		"a digest, other tag":  {list("a:1"), []string{"a:2" + digest}, []string{"4:15 pack.content.images[0].image a:2" + digest}},
		"listed by a digest":   {list("a" + digest), []string{"a:1"}, nil},
		"two digests":          {list("a" + digest), []string{"a" + other}, nil},
		"a template":           {list("a:1"), []string{"{{ .x }}/b:1"}, nil},
		"no name":              {list("a:1", "A b"), []string{"A:1", "::"}, nil},
		"an empty list":        {"pack: {content: {images: []}}", []string{"a:1"}, nil},
		"no list":              {"pack: {content: {images: a}}", []string{"a:1"}, nil},
		"none":                 {"a: 1", []string{"a:1"}, nil},
		"values without sense": {"a: [", []string{"a:1"}, nil},
	} {
		text := `kind: Pod
metadata: {name: p}
spec:
  containers:
`
		for _, image := range tc.images {
			text += "  - {image: '" + image + "'}\n"
		}
		r := &deploy.Rendered{Pack: &pack.Pack{Name: "shop", Values: pack.File("values.yaml", tc.values)}, Manifests: []deploy.Manifest{{Text: text}}}
		var got []string
		for _, f := range Unlisted(r) {
			if f.Rule != rule.PackImages || f.Pack != "shop" {
				t.Errorf("%s: got %+v", name, f)
			}
			image := tc.images[len(got)]
			if !strings.Contains(f.Message(), image) || !strings.Contains(f.Message(), "Pod/p") {
				t.Errorf("%s: got %s", name, f.Message())
			}
			got = append(got, fmt.Sprintf("%d:%d %s %s", f.Position.Line, f.Position.Column, f.Key, image))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
	if found := Unlisted(&deploy.Rendered{Pack: &pack.Pack{}}); found != nil {
		t.Errorf("no values: got %v", found)
	}
}

// Tags are compared if a digest is given on one side alone.
func TestIsListed(t *testing.T) {
	digest := "@sha256:" + strings.Repeat("a", 64)
	for name, want := range map[[2]string]bool{
		{"a:1", "a:1"}: false, {"a:1", "a:2" + digest}: false, {"a:1", "a:1" + digest}: true, {"a:1", "a" + digest}: true, {"a", "a:1" + digest}: true, {"a:1" + digest, "a:2" + digest}: false, {"a", "a"}: false, {"a" + digest, "A b"}: false,
	} {
		image, err := reference.ParseNormalizedNamed(name[0])
		if err != nil {
			t.Fatal(err)
		}
		document, err := values.Parse("'" + name[1] + "'")
		if err != nil {
			t.Fatal(err)
		}
		if isListed(image, nil) {
			t.Errorf("%s is listed by none", name)
		}
		if got := isListed(image, []*yaml.Node{document.Root()}); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
