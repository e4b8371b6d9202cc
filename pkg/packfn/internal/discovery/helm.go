package discovery

import (
	"bytes"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/values"
)

// HelmFiles are the files of a tree that releases of Helm charts may be in, outside of packages.
type HelmFiles struct {
	// Files are files with releases and their sources, and Configs are the paths of files with a ConfigMap
	// or a Secret, by the names of these.
	Files   []*kptpackage.File
	Configs map[string][]string
	// Charts are the folders of charts, and Archives the archives of others.
	Charts, Archives []string
	// Kustomizations are the kustomizations by their paths.
	Kustomizations map[string]*values.Document
}

// take keeps what a file may have for releases.
func (h *HelmFiles) take(file *kptpackage.File) {
	has := func(word string) bool { return bytes.Contains(file.Text, []byte(word)) }
	if slices.ContainsFunc(release.Marks, has) {
		h.Files = append(h.Files, file)
	}
	if !has("ConfigMap") && !has("Secret") {
		return
	}
	if h.Configs == nil {
		h.Configs = map[string][]string{}
	}
	release.Names(string(file.Text), func(name string) {
		if of := h.Configs[name]; len(of) == 0 || of[len(of)-1] != file.Path {
			h.Configs[strings.Clone(name)] = append(of, file.Path)
		}
	})
}

// kustomization keeps a kustomization. One that cannot be read is reported elsewhere.
func (h *HelmFiles) kustomization(name string, text []byte) {
	if document, err := values.Parse(string(text)); err == nil {
		if h.Kustomizations == nil {
			h.Kustomizations = map[string]*values.Document{}
		}
		h.Kustomizations[name] = document
	}
}
