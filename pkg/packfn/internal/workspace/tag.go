package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
)

// Replaced returns the images of the functions of this suite that ran whose tag does not match its version,
// because these are not the functions that the Kptfile names.
func (r *Result) Replaced(version string) (images []string) {
	for i := range r.Runs {
		f := &r.Runs[i].Entry
		if tag := tagOf(f); tag != "" && r.Runs[i].Function.New != nil && !program.MatchesTag(tag, version) {
			name, _ := program.SplitImage(f.Image)
			images = append(images, name+":"+tag)
		}
	}
	slices.Sort(images)
	return slices.Compact(images)
}

// tagOf returns the tag that kpt uses for an image. The field tag replaces the tag in the image.
func tagOf(f *kptpackage.Function) string {
	if f.Image == "" || f.Tag != "" {
		return f.Tag
	}
	if _, sum, ok := strings.Cut(f.Image, "@"); ok {
		return sum
	}
	if _, tag, ok := strings.Cut(path.Base(f.Image), ":"); ok {
		return tag
	}
	return "latest"
}
