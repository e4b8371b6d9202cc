package check

import (
	"fmt"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
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
