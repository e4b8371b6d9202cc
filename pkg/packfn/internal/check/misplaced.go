package check

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// misplaced returns a finding about a document with a known form that replaces f. It returns
// false if the document has no known form.
func (u *unit) misplaced(f *diag.Finding) (diag.Finding, bool) {
	path := u.FileOf(f.Resource())
	file := u.reporter.File(path)
	if file == nil || u.pack != nil { // a pack directory is in its place
		return *f, false
	}
	document := file.Document(f.Resource().Index)
	if whole := u.File(path); document == nil && whole != nil { // of a file that is a list
		document, _ = values.Parse(string(whole.Text))
	}
	if document == nil {
		return *f, false
	}
	out, root := *f, document.Root()
	is := content.FormOf([]byte(document.Text()), root)
	isMapping := root != nil && root.Kind == yaml.MappingNode && values.Field(root, "kind") == nil && values.Field(root, "metadata") == nil
	switch {
	case is == nil && isMapping && content.HasMacro([]byte(document.Text())) && (u.loose || !kptpackage.IsValues(path)):
		is = content.Values
	case is == nil && isMapping && u.loose:
		return out.Do("if these are values of a pack, name the directory of the pack"), true
	case is == nil:
		return *f, false
	}
	out.Kind, out.Found = diag.KindStatement, fmt.Sprintf("this is %s, and no resource", is.What)
	if name := u.OnDisk(path); filepath.Base(filepath.Dir(name)) == olm.Metadata && olm.IsBundle(filepath.Dir(filepath.Dir(name))) {
		if u.loose {
			return out.Do("name the bundle directory: " + filepath.ToSlash(filepath.Dir(filepath.Dir(name)))), true
		}
		return out.Do(content.BundleAdvice), true
	}
	return out.Do(is.Advice), true
}

// fileForm returns the message for a file that must not be named alone, such as a pack.json, or
// "" if the file may contain resources.
func fileForm(name string) string {
	if path.Base(name) == packdir.Metadata {
		return "this is the pack.json of a pack; name its directory: " + path.Dir(name)
	}
	if slices.Contains(list.KustomizationNames, path.Base(name)) {
		return "this is a kustomization; name its directory: " + path.Dir(name)
	}
	return ""
}
