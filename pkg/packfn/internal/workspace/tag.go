package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// Foreign returns the images of the pipelines whose tag does not match the version of this suite,
// because the functions that render the package are not the functions that the Kptfile names.
func (t *Package) Foreign(version string) (images []string) {
	for _, kptfile := range t.Kptfiles {
		for _, f := range slices.Concat(kptfile.Mutators, kptfile.Validators) {
			if tag := tagOf(&f); tag != "" && !isVersion(tag, version) {
				name, _, _ := strings.Cut(f.Image, "@")
				if at := strings.LastIndexByte(name, ':'); at > strings.LastIndexByte(name, '/') {
					name = name[:at]
				}
				images = append(images, name+":"+tag)
			}
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

// isVersion reports whether a tag matches a version. Like in kpt, the tag may be a version range.
func isVersion(tag, version string) bool {
	if tag == version || strings.TrimPrefix(tag, "v") == strings.TrimPrefix(version, "v") {
		return true
	}
	accepted, err := semver.NewConstraint(tag)
	if err != nil {
		return false
	}
	v, err := semver.NewVersion(version)
	return err == nil && accepted.Check(v)
}
