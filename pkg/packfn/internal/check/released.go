package check

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
)

// Released is a release whose chart is at hand.
type Released struct {
	*facts.Release
	// File is the path on disk of the file with the release, and Path the path of the chart: a folder or an
	// archive.
	File, Path string
	// Files are the paths on disk of the files with the layers of the release. The path of a file that is in
	// no resource is the whole document.
	Files []string
	// IsFile reports for each layer whether its document is a file, and not a resource.
	IsFile []bool
}

// describe returns a release with the files of its layers.
func (l *loaded) describe(r *facts.Release, path string) *Released {
	out := &Released{Release: r, Path: path}
	out.File, _ = l.fileOf(r.Where.Origin.Resource)
	for i := range r.Layers {
		name, isFile := l.fileOf(r.Layers[i].Origin.Resource)
		out.Files, out.IsFile = append(out.Files, name), append(out.IsFile, isFile)
	}
	return out
}

// fileOf returns the path on disk of the file of a resource. isFile is true if the resource stands for the file.
func (l *loaded) fileOf(of diag.Resource) (name string, isFile bool) {
	for _, j := range l.files.Joined {
		if j.Path == of.File {
			return l.files.Absolute(j.Paths[j.Name]), true
		}
	}
	return l.files.OnDisk(of), false
}
