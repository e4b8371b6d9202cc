package sets

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

const packA = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec: {version: 1.0.0, values: {port: 7}}
`

// A kustomization of any text is read, and nothing outside of its folder.
func FuzzKustomization(f *testing.F) {
	for _, text := range []string{
		`resources: [a.yaml, ../.., /etc, '']
components: [., k]
`,
		`resources: [a.yaml]
configMapGenerator:
- name: a
  behavior: merge
  files: [pack.json=a.yaml, values.yaml=../secret.yaml, /secret.yaml]
  literals: [values.yaml=1]
`,
		`kind: Component
patches:
- path: a.yaml
- {target: {kind: Pack}, patch: x}
replacements: [{targets: [{select: {kind: A}}]}]
`,
		`transformers:
- |
  kind: A
- a.yaml
namePrefix: a
generatorOptions: {annotations: [a]}
`,
		"- a\n", "resources: &a [*a]\n", "resources: [\n",
	} {
		f.Add(text)
	}
	above := f.TempDir()
	dir := filepath.Join(above, "in")
	cases.Write(f, above, map[string]string{"secret.yaml": "secret: 1\n", "in/a.yaml": packA})
	f.Fuzz(func(t *testing.T, text string) {
		w := treeIn(dir)
		w.Roots = []string{"."}
		w.Files = []*kptpackage.File{{Path: "a.yaml", Package: ".", Text: []byte(packA)}}
		for _, name := range []string{"kustomization.yaml", "k/kustomization.yaml"} {
			if err := w.addKustomization(name, []byte(text)); err != nil {
				return
			}
		}
		sets, left := w.readKustomizations()
		taken := len(left)
		for _, s := range sets {
			for _, one := range s.Sources {
				taken += len(one.Files)
				if one.Joined == nil {
					continue
				}
				for _, file := range one.Joined.Files {
					if strings.Contains(string(file.Text), "secret") {
						t.Errorf("%q reads %s outside of the folder", text, file.Name)
					}
				}
			}
		}
		if taken == 0 {
			t.Errorf("%q loses a file", text)
		}
	})
}
