package macro

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// mayStay reports whether an item is a resource for the cluster with the text of a macro,
// which stays as it is if the item is not chosen.
func mayStay(item *list.Item) bool {
	const name, localConfig = ".spectro.", "config.kubernetes.io/local-config"
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	return item.Name() != "" && bytes.Contains(item.Text(), []byte(name)) && item.Annotation(localConfig) != "true" &&
		!pack.Wants(item) && !pack.InCluster(item) && !slices.Contains([]string{pack.Group, "fn.kpt.dev", "kpt.dev", "config.porch.kpt.dev"}, group)
}

// stays reports the macros of a resource that is not chosen.
func (p *processor) stays(j *job) {
	w := walker{key: func(*walker, *yaml.Node) {}}
	w.scalar = func(n *yaml.Node) {
		if template.HasMacro(n.Value) {
			f := diag.Say("the macro is not resolved, because this resource is neither a pack nor an override").
				Do("to resolve the macro, select the resource in spec.resources of ResolveMacros")
			p.emit(f.In(j.origin, w.at(""), values.At(n)).Of(rule.MacroSuspicious))
		}
	}
	w.walk(j.sources.Document().Root())
}
