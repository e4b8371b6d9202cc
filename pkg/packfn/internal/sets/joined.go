package sets

import (
	"path"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
)

// Joined is a ConfigMap made from files, in a unit that also contains other resources. It
// represents a pack directory, or a ConfigMap that a kustomization generates.
type Joined struct {
	*packdir.Pack
	// Path is the path of its resource in the unit.
	Path string
	// Paths maps its keys to the paths of their files in the unit.
	Paths map[string]string
	// Annotations are the annotations of the ConfigMap.
	Annotations map[string]string
	// IsText reports whether it is a file of values that is in no resource. Reports do not name the
	// ConfigMap then.
	IsText bool
}

// JoinedPack returns the ConfigMap of a pack directory at a path in a tree.
func JoinedPack(dir string, p *packdir.Pack) *Joined {
	j := &Joined{Pack: p, Path: path.Join(dir, packdir.Metadata), Paths: map[string]string{}}
	for _, f := range p.Files {
		j.Paths[f.Name] = path.Join(dir, f.Name)
	}
	return j
}

// Item returns the resource.
func (j *Joined) Item() *list.Item { return j.ItemIn(j.Path, j.Annotations) }
