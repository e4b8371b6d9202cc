package celenv

import (
	"cmp"
	"maps"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// orderedMap is a map whose keys are met in their order. CEL leaves the order
// open, so that `labels.map(k, k)[0]` and the cost of an evaluation would differ
// from run to run.
type orderedMap struct {
	traits.Mapper
	keys []ref.Val
}

func ordered(m traits.Mapper) ref.Val {
	var keys []ref.Val
	for it := m.Iterator(); it.HasNext() == types.True; {
		keys = append(keys, it.Next())
	}
	slices.SortFunc(keys, compareKeys)
	return orderedMap{m, keys}
}

// compareKeys orders keys as CEL does, and keys of several types by the type.
func compareKeys(a, b ref.Val) int {
	if a.Type() != b.Type() {
		return cmp.Compare(a.Type().TypeName(), b.Type().TypeName())
	}
	if c, ok := a.(traits.Comparer); ok {
		if order, ok := c.Compare(b).(types.Int); ok {
			return int(order)
		}
	}
	return 0
}

// Iterator implements traits.Iterable.
func (m orderedMap) Iterator() traits.Iterator {
	return types.NewRefValList(types.DefaultTypeAdapter, m.keys).Iterator()
}

// IsZeroValue implements traits.Zeroer, as CEL's own maps do.
func (m orderedMap) IsZeroValue() bool { return len(m.keys) == 0 }

// textMap is a map with texts as keys that are met in their order, and with values
// that were converted: to find those is most of an evaluation.
type textMap struct {
	traits.Mapper
	entries map[string]any
}

func newTextMap(entries map[string]any) *textMap {
	return &textMap{types.NewStringInterfaceMap(types.DefaultTypeAdapter, entries).(traits.Mapper), entries}
}

// Find implements traits.Mapper.
func (m *textMap) Find(key ref.Val) (ref.Val, bool) {
	if text, ok := key.(types.String); ok {
		value, found := m.entries[string(text)].(ref.Val)
		return value, found
	}
	return m.Mapper.Find(key)
}

// Iterator implements traits.Iterable. Few maps are iterated over, and they are
// small: the order is made when it is needed.
func (m *textMap) Iterator() traits.Iterator {
	return types.NewStringList(types.DefaultTypeAdapter, slices.Sorted(maps.Keys(m.entries))).(traits.Lister).Iterator()
}

// IsZeroValue implements traits.Zeroer, as CEL's own maps do.
func (m *textMap) IsZeroValue() bool { return len(m.entries) == 0 }

// orderLiterals makes the maps that an expression writes out ordered ones.
func orderLiterals(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	if c, ok := i.(interpreter.InterpretableConstructor); ok && c.Type() == types.MapType {
		return orderedLiteral{c}, nil
	}
	return i, nil
}

type orderedLiteral struct {
	interpreter.InterpretableConstructor
}

func (l orderedLiteral) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := l.InterpretableConstructor.Exec(frame)
	if m, ok := value.(traits.Mapper); ok {
		return ordered(m)
	}
	return value
}

func (l orderedLiteral) Eval(vars interpreter.Activation) ref.Val {
	return l.Exec(interpreter.AsFrame(vars))
}
