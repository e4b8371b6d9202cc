package check

import (
	"path"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
)

// joined is a ConfigMap made from files, in a unit that also contains other resources. It
// represents a pack directory, or a ConfigMap that a kustomization generates.
type joined struct {
	*packdir.Pack
	// file is the path of its resource in the unit.
	file string
	// paths maps its keys to the paths of their files in the unit.
	paths map[string]string
	// annotations are the annotations of the ConfigMap.
	annotations map[string]string
	// isText reports whether it is a file of values that is in no resource. Reports do not name the
	// ConfigMap then.
	isText bool
}

// joinedPack returns the ConfigMap of a pack directory at a path in a tree.
func joinedPack(dir string, p *packdir.Pack) *joined {
	j := &joined{Pack: p, file: path.Join(dir, packdir.Metadata), paths: map[string]string{}}
	for _, f := range p.Files {
		j.paths[f.Name] = path.Join(dir, f.Name)
	}
	return j
}

func (j *joined) item() *list.Item { return j.ItemIn(j.file, j.annotations) }

// join registers a ConfigMap among the items of the unit.
func (u *unit) join(j *joined) {
	u.joined = append(u.joined, j)
	u.Join(j.file, j.paths, j.File)
}

// joinedAt returns the joined ConfigMap whose resource has the path, or nil if there is none.
func (u *unit) joinedAt(file string) *joined {
	for _, j := range u.joined {
		if j.file == file {
			return j
		}
	}
	return nil
}
