package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// Foreign says which images of the pipelines have a tag that is not that of a version of this
// suite: what renders the package is not what the Kptfile names. It returns "" for none.
func (t *Tree) Foreign(version string) string {
	var images []string
	for _, kptfile := range t.kptfiles {
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
	if len(images) == 0 {
		return ""
	}
	slices.Sort(images)
	return fmt.Sprintf("packfn %s runs in place of %s", version, diag.AllOf(slices.Compact(images)))
}

// tagOf returns the tag that kpt gives an image: the field tag is in place of what the
// image has.
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

// isVersion reports whether a tag, which may be a range as kpt takes it, is that of a
// version.
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
