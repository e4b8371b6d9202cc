package celenv

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// orderedMap is a map that is iterated in the order of its keys. CEL does not
// specify the order, so `labels.map(k, k)[0]` and the cost of an evaluation would
// differ from run to run.
type orderedMap struct {
	traits.Mapper
	// keys are the keys in their order.
	keys []ref.Val
}

// ordered returns a map whose keys are in order.
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

// textMap is a map with text keys in their order and converted values. There are very many
// maps, most with a few entries: a list of these takes the least memory.
// entries are sorted by their keys.
type textMap struct{ entries []textEntry }

// textEntry is an entry of a map.
type textEntry struct {
	key   string
	value ref.Val
}

func (e textEntry) compare(key string) int { return strings.Compare(e.key, key) }

// newTextMap returns a map of converted values.
func newTextMap[V any](of map[string]V, convert func(V) ref.Val) *textMap {
	m := &textMap{make([]textEntry, 0, len(of))}
	for key, value := range of {
		m.entries = append(m.entries, textEntry{key, convert(value)})
	}
	slices.SortFunc(m.entries, func(a, b textEntry) int { return a.compare(b.key) })
	return m
}

// Find implements traits.Mapper.
func (m *textMap) Find(key ref.Val) (ref.Val, bool) {
	text, ok := key.(types.String)
	i, found := slices.BinarySearchFunc(m.entries, string(text), textEntry.compare)
	if !ok || !found {
		return nil, false
	}
	return m.entries[i].value, true
}

// Get implements traits.Indexer.
func (m *textMap) Get(key ref.Val) ref.Val {
	if value, found := m.Find(key); found {
		return value
	}
	return types.ValOrErr(key, "no such key: %v", key)
}

// Contains implements traits.Container.
func (m *textMap) Contains(key ref.Val) ref.Val {
	_, found := m.Find(key)
	return types.Bool(found)
}

// Iterator implements traits.Iterable.
func (m *textMap) Iterator() traits.Iterator {
	keys := make([]string, 0, len(m.entries))
	for _, e := range m.entries {
		keys = append(keys, e.key)
	}
	return types.NewStringList(types.DefaultTypeAdapter, keys).Iterator()
}

// Size implements traits.Sizer.
func (m *textMap) Size() ref.Val { return types.Int(len(m.entries)) }

// IsZeroValue implements traits.Zeroer, as CEL's own maps do.
func (m *textMap) IsZeroValue() bool { return len(m.entries) == 0 }

// Type implements ref.Val.
func (m *textMap) Type() ref.Type { return types.MapType }

// Value implements ref.Val.
func (m *textMap) Value() any { return m.plain().Value() }

// Equal implements ref.Val.
func (m *textMap) Equal(other ref.Val) ref.Val { return m.plain().Equal(other) }

// ConvertToNative implements ref.Val.
func (m *textMap) ConvertToNative(to reflect.Type) (any, error) { return m.plain().ConvertToNative(to) }

// ConvertToType implements ref.Val.
func (m *textMap) ConvertToType(to ref.Type) ref.Val { return m.plain().ConvertToType(to) }

// plain returns the map as CEL's own type, for rare operations.
func (m *textMap) plain() ref.Val {
	entries := make(map[string]any, len(m.entries))
	for _, e := range m.entries {
		entries[e.key] = e.value
	}
	return types.NewStringInterfaceMap(types.DefaultTypeAdapter, entries)
}

// orderLiterals orders the maps that an expression contains as literals.
func orderLiterals(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	if c, ok := i.(interpreter.InterpretableConstructor); ok && c.Type() == types.MapType {
		return orderedLiteral{c}, nil
	}
	return i, nil
}

// orderedLiteral makes the maps that an expression writes itself, such as {'a': 1}, ordered ones.
type orderedLiteral struct {
	interpreter.InterpretableConstructor
}

// Exec makes the value, and orders it if it is a map.
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
