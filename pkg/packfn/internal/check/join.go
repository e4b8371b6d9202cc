package check

import "github.com/krm-packs/functions/pkg/packfn/internal/sets"

// join registers a ConfigMap among the items of the unit.
func (u *unit) join(j *sets.Joined) {
	u.joined = append(u.joined, j)
	u.Join(j.Path, j.Paths, j.File)
}

// joinedAt returns the joined ConfigMap whose resource has the path, or nil if there is none.
func (u *unit) joinedAt(file string) *sets.Joined {
	for _, j := range u.joined {
		if j.Path == file {
			return j
		}
	}
	return nil
}
