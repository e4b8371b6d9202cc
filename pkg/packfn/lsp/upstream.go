package lsp

import (
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/config"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/variant"
)

// upstream returns the Kptfile of the upstream package at a place in a PackageVariant or a
// PackageVariantSet, by the configuration of packfn fleet.
func (s *Server) upstream(t *site) (found spot) {
	if !strings.HasPrefix(t.head.kind, variant.Kind) || !strings.HasPrefix(t.text(), "spec.upstream.") || !t.context.AtValue {
		return found
	}
	root := filepath.Dir(t.file)
	for _, folder := range s.folders {
		if within(t.file, folder) {
			root = folder
		}
	}
	file, err := config.Find(filepath.Dir(t.file), root)
	if err != nil {
		return found
	}
	name := t.beside("repo") + "/" + t.beside("package")
	dir := file.Fleet.Upstream[name+"@"+t.beside("revision")]
	if dir == "" {
		dir = file.Fleet.Upstream[name]
	}
	if dir == "" {
		return found
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(file.Dir, filepath.FromSlash(dir))
	}
	if kptpackage.IsPackage(dir) {
		found = spot{filepath.Join(dir, kptpackage.KptfileName), diag.Position{Line: 1}}
	}
	return found
}
