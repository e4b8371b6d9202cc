package constraint

import (
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/values"
)

// lazyMap is the value of a large property of a catalog, for example a description with pictures.
// Rules seldom look at it: it is read again if one does, and not kept.
type lazyMap struct{ again func() *yaml.Node }

// keepLater returns a value that is read again when a rule looks at it, or nil if it is to be kept.
func (r *reader) keepLater(value *yaml.Node) ref.Val {
	if r.again == nil || values.IsNull(value) || value.Kind != yaml.MappingNode {
		return nil
	}
	return &lazyMap{r.again}
}

// read reads the value again. It is an empty map if the file has changed in the meantime.
func (m *lazyMap) read() traits.Mapper {
	n := values.Resolve(m.again())
	if inner := values.Field(n, "property"); inner != nil && values.Field(n, "type") == nil {
		n = inner
	}
	if json, err := plain(values.Field(n, "value")); err == nil {
		if read, ok := celenv.Value(json).(traits.Mapper); ok {
			return read
		}
	}
	return celenv.Value(map[string]any{}).(traits.Mapper) // the file has changed
}

// The methods of a map in CEL.

func (m *lazyMap) ConvertToNative(as reflect.Type) (any, error) { return m.read().ConvertToNative(as) }
func (m *lazyMap) ConvertToType(as ref.Type) ref.Val            { return m.read().ConvertToType(as) }

// Equal compares the values, which reads them.
func (m *lazyMap) Equal(other ref.Val) ref.Val {
	if lazy, ok := other.(*lazyMap); ok {
		other = lazy.read()
	}
	return m.read().Equal(other)
}
func (m *lazyMap) Type() ref.Type                   { return types.MapType }
func (m *lazyMap) Value() any                       { return m.read().Value() }
func (m *lazyMap) Contains(key ref.Val) ref.Val     { return m.read().Contains(key) }
func (m *lazyMap) Get(key ref.Val) ref.Val          { return m.read().Get(key) }
func (m *lazyMap) Find(key ref.Val) (ref.Val, bool) { return m.read().Find(key) }
func (m *lazyMap) Iterator() traits.Iterator        { return m.read().Iterator() }
func (m *lazyMap) Size() ref.Val                    { return m.read().Size() }
