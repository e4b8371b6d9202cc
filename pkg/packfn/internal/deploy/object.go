package deploy

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/breaking"
	"github.com/krm-packs/functions/pkg/rule"
)

// IsPartial reports whether a chart or a manifest is left out, so that not all objects are known.
func (r *Rendered) IsPartial() bool {
	for i := range r.Findings {
		switch r.Findings[i].Rule {
		case rule.ValuesChartFails, rule.ValuesChartVersion, rule.ValuesChartMissing:
			return true
		}
	}
	return false
}

// Objects returns the objects that the pack or the release deploys, without hooks and tests. display returns how reports
// show a path.
func (r *Rendered) Objects(display func(string) string) (all []*breaking.Object) {
	lines := linesOf{}
	for _, m := range r.Manifests {
		like := breaking.Object{
			Path: m.Path, File: display(m.Path), Owner: r.Pack.Resource, Deployer: r.Deployer(), IsHelm: r.isHelm, IsSecret: r.isSecret,
			IsOnlyCreated: r.isHelm && isOnlyCreated(m.Source),
		}
		for _, document := range documents(m.Text) {
			for _, o := range breaking.Read(document.Root(), like, r.Namespace) {
				if isText(m.Path) {
					o.LineOf = func(path []string) int { return lines.of(m.Written).Of(o, path) }
				}
				all = append(all, o)
			}
		}
	}
	return all
}

// Resources returns resources of a package, which are deployed as they are, like the manifests of a pack.
func Resources(items []*list.Item) *Rendered {
	r := &Rendered{Pack: &pack.Pack{}}
	for _, item := range items {
		r.Manifests = append(r.Manifests, Manifest{Text: string(item.Text())})
	}
	return r
}

// isText reports whether a path is a file whose lines are the lines of a template or a manifest.
func isText(path string) bool {
	return strings.HasSuffix(path, ".yaml") && !strings.HasSuffix(path, "Chart.yaml") || strings.HasSuffix(path, ".yml") || strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".tpl")
}

// linesOf keeps the lines of templates, because one template may make many manifests.
type linesOf map[string]*breaking.Lines

func (l linesOf) of(text []byte) *breaking.Lines {
	if l[string(text)] == nil {
		l[string(text)] = breaking.NewLines(text)
	}
	return l[string(text)]
}

// isSecret reports whether a text has one of the secret values of the pack in it.
func (r *Rendered) isSecret(text string) bool {
	return slices.ContainsFunc(r.secrets, func(secret string) bool { return strings.Contains(text, secret) })
}

// isOnlyCreated reports whether a file, as Helm names it, is in the folder crds of a chart or a subchart:
// web/crds/a.yaml, web/charts/db/crds/a.yaml.
func isOnlyCreated(source string) bool {
	parts := strings.Split(source, "/")
	for parts = parts[min(1, len(parts)):]; len(parts) > 2 && parts[0] == "charts"; {
		parts = parts[2:]
	}
	return len(parts) > 1 && parts[0] == "crds"
}
