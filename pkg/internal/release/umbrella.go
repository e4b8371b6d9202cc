package release

import (
	"cmp"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// chartFile is the file that a chart has.
const chartFile = "Chart.yaml"

// Umbrella returns the release that stands for the values.yaml of a chart in a folder, as far as the values
// are for the charts that it depends on, or nil if there are none:
//
//	# Chart.yaml
//	dependencies: [{name: redis, version: 17.x, repository: …}]
//	# values.yaml
//	redis: {auth: {enabled: true}}
func (l *Loader) Umbrella(dir string) *Release {
	metadata, origin, err := l.Files.Values(filepath.Join(dir, chartFile))
	if err != nil || len(entries(metadata, "dependencies")) == 0 {
		return nil
	}
	root, of, err := l.Files.Values(filepath.Join(dir, "values.yaml"))
	if err != nil || root == nil {
		return nil
	}
	r := &Release{Kind: "Chart", Name: field(metadata, "name"), Chart: Chart{Dir: dir, Dirs: []string{dir}, IsOwn: true}}
	r.Where = diag.Where{Origin: origin, Key: "dependencies", Position: values.At(values.Field(metadata, "dependencies"))}
	for _, one := range entries(metadata, "dependencies") {
		if key := cmp.Or(field(one, "alias"), field(one, "name")); values.Field(root, key) != nil {
			r.Needs = append(r.Needs, key)
		}
	}
	r.add(of, "", root)
	return r
}
