package transfer

import (
	"bytes"
	"errors"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// existing is a pack or a profile that exists in the target.
type existing struct {
	// path is the file from the working directory, file its content in the package, and item the
	// resource in it.
	path string
	file *kptpackage.File
	item *list.Item
	// document is the parsed resource.
	document *values.Document
	// pack is the name of the pack, or "" for a profile.
	pack string
}

// next returns the resource for another version of the pack, with the name and metadata of the
// existing one. If the form stays the same, it contains the additions and edits of users. Its
// record is not set yet.
func (e *existing) next(form Form, record pack.Imported, edits edits, p *packdir.Pack) *resource {
	r := &resource{form: form, name: e.item.Name(), metadata: layout.Clone(values.Field(e.document.Root(), "metadata"))}
	if e.isPack() == (form == Pack) {
		r.kept, r.own = e.userFiles(record, p), edits.own
	}
	return r
}

// replaced returns the file of the resource with the content of another text. Equal parts stay
// unchanged, including comments, the order of keys, and line ends.
func (e *existing) replaced(text []byte) ([]byte, error) {
	old := e.item.Text()
	if bytes.Count(e.file.Text, old) != 1 {
		return nil, errors.New("the file has several resources, and the pack cannot be replaced in it; move the pack to a separate file")
	}
	edited, err := e.laid(text)
	if err != nil {
		return nil, err
	}
	return bytes.Replace(e.file.Text, old, edited, 1), nil
}

// laid returns the text of the resource, updated with the metadata and the files of another text.
func (e *existing) laid(text []byte) ([]byte, error) {
	next, err := values.Parse(string(text))
	if err != nil {
		return nil, err
	}
	before, after := e.document.Root(), next.Root()
	for _, field := range []string{"apiVersion", "kind"} {
		if values.Text(values.Field(before, field)) != values.Text(values.Field(after, field)) {
			return text, nil // a resource of another kind is replaced as a whole
		}
	}
	changes := []values.Change{{At: values.Keys("metadata"), Want: values.Field(after, "metadata")}}
	for _, body := range []string{"data", "spec"} {
		old, now := values.Field(before, body), values.Field(after, body)
		if now == nil {
			continue
		}
		if old == nil || old.Kind != yaml.MappingNode || now.Kind != yaml.MappingNode {
			changes = append(changes, values.Change{At: values.Keys(body), Want: now})
			continue
		}
		for _, p := range values.Pairs(now) {
			have := values.Field(old, p.Key.Value)
			// A string that kpt writes in another style is replaced as a whole.
			isWhole := have != nil && have.Kind == yaml.ScalarNode && have.Style&blockStyles != p.Value.Style&blockStyles
			changes = append(changes, values.Change{At: values.Keys(body, p.Key.Value), Want: p.Value, IsWhole: isWhole})
		}
		for _, p := range values.Pairs(old) {
			if values.Field(now, p.Key.Value) == nil {
				changes = append(changes, values.Change{At: values.Keys(body, p.Key.Value)})
			}
		}
	}
	edited, err := e.document.Sync(changes...)
	if err != nil {
		return nil, err
	}
	return []byte(edited.Text()), nil
}

const blockStyles = yaml.LiteralStyle | yaml.FoldedStyle
