package list

import (
	"path"
	"slices"
	"strings"
)

// KustomizationNames are the names of the files that make a folder a kustomization.
var KustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// IsKustomization reports whether the item is a file of kustomize, which kpt passes on as it is. It needs
// no name, and in a file of the right name neither an apiVersion nor a kind:
//
//	resources:
//	- base
func (i *Item) IsKustomization() bool {
	if strings.HasPrefix(i.apiVersion, "kustomize.config.k8s.io") || i.apiVersion == "" && i.kind == "Kustomization" {
		return true
	}
	if !slices.Contains(KustomizationNames, path.Base(i.Resource().File)) {
		return false
	}
	_, err := i.Document()
	return err == nil
}
