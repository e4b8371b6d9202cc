package check

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/pipeline"
)

// Change runs a function over the resources of the pack, its overrides and the Kptfiles, in
// memory, and returns the texts of the files that it changes, by their paths on disk. With an
// error among its findings it changes nothing.
func (p *Pack) Change(f function.Function, config *yaml.Node) (map[string][]byte, []diag.Finding) {
	of := map[diag.Resource]bool{p.Resource: true}
	for _, override := range p.Overrides {
		of[override.Values.Resource] = true
	}
	var items []*list.Item
	for _, one := range p.items {
		if of[one.Resource()] || one.Kind() == kptpackage.KptfileName {
			items = append(items, one.Next())
		}
	}
	outcome, _ := pipeline.Run(f, config, items)
	return p.unit.changedFiles(items), outcome.Findings
}

// Changed returns the texts of the files with resources that were edited since the pack was
// read, by their paths on disk. Packs of one package share their resources.
func (p *Pack) Changed() map[string][]byte { return p.unit.changedFiles(p.items) }

func (u *unit) changedFiles(items []*list.Item) map[string][]byte {
	if u.pkg == nil { // a pack directory has no resources of its own
		return nil
	}
	by := map[string][]*list.Item{}
	for _, one := range items {
		if one.Changed() {
			name := one.Resource().File
			by[name] = append(by[name], one)
		}
	}
	files := map[string][]byte{}
	for name, changed := range by {
		file := u.file(name)
		if file == nil {
			continue
		}
		var texts [][]byte
		for _, one := range file.Items() {
			texts = append(texts, one.Text())
		}
		for _, one := range changed {
			texts[one.Resource().Index] = one.Text()
		}
		files[u.onDisk(name)] = list.JoinFile(file.Text, texts)
	}
	return files
}
