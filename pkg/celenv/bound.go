package celenv

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
)

// Data are the variables of evaluations, converted once for all of them.
type Data struct {
	variables map[string]any
	// largest is the length of the longest list, map or text in them.
	largest uint64
}

// NewData returns the variables of evaluations. Values are as [Value] takes them.
func NewData(variables map[string]any) *Data {
	d := &Data{make(map[string]any, len(variables)), 1}
	for name, v := range variables {
		d.variables[name] = Value(v)
		d.largest = max(d.largest, largest(v))
	}
	return d
}

// largest returns the length of the longest list, map or text in a value, and the
// largest number there is when that is not known.
func largest(v any) uint64 {
	size := uint64(1)
	switch v := v.(type) {
	case nil, bool, int, int64, uint64, float64:
	case string:
		size = uint64(len(v))
	case []any:
		size = uint64(len(v))
		for _, element := range v {
			size = max(size, largest(element))
		}
	case map[string]any:
		size = uint64(len(v))
		for key, element := range v {
			size = max(size, uint64(len(key)), largest(element))
		}
	case map[string]string:
		size = uint64(len(v))
		for key, text := range v {
			size = max(size, uint64(len(key)), uint64(len(text)))
		}
	default:
		size = math.MaxUint64
	}
	return size
}

// affordableCost is the estimate up to which nothing is counted. CEL's estimates
// are a little less than what is counted for some functions, such as startsWith.
const affordableCost = CostLimit / 10

// affordable reports whether an evaluation over data in which nothing is longer
// than largest certainly keeps within CostLimit, so that its cost need not be
// counted: to count it takes twice as long as the evaluation itself.
func (p *Program) affordable(largest uint64) bool {
	size := bits.Len64(largest)
	p.mu.Lock()
	defer p.mu.Unlock()
	known, ok := p.affords[size]
	if !ok {
		known = p.estimate(1<<size-1) <= affordableCost
		if p.affords == nil {
			p.affords = map[int]bool{}
		}
		p.affords[size] = known
	}
	return known
}

// estimate returns what an evaluation costs at the most.
func (p *Program) estimate(largest uint64) uint64 {
	b, err := p.env.build()
	if err != nil {
		return math.MaxUint64
	}
	m := &measure{tree: p.tree.NativeRep(), callCost: b.callCost, longest: largest}
	if !m.keepsSizes(p.tree.NativeRep().Expr(), "") {
		return math.MaxUint64
	}
	largest = m.longest
	cost, err := b.env.EstimateCost(p.tree, estimator{b.variables, largest, b.callCost})
	if err != nil {
		return math.MaxUint64
	}
	return cost.Max
}

// harmless are the functions whose results are no longer than their arguments, or
// are numbers and booleans.
var harmless = map[string]bool{
	operators.Index: true,
	operators.Less:  true, operators.LessEquals: true, operators.Greater: true, operators.GreaterEquals: true,
	operators.LogicalAnd: true, operators.LogicalOr: true, operators.LogicalNot: true, operators.NotStrictlyFalse: true,
	operators.Negate: true, operators.Subtract: true, operators.Multiply: true, operators.Divide: true, operators.Modulo: true,
	overloads.Size: true, overloads.Contains: true, overloads.StartsWith: true, overloads.EndsWith: true,
	overloads.Matches: true, overloads.TypeConvertInt: true, overloads.TypeConvertDouble: true,
}

// longestWay is the number of fields, one in the other, up to which what CEL does not
// estimate of them, those of values of any type, is within what affordableCost leaves.
const longestWay = 8

// measure looks at an expression for what CEL's estimates are not right about: they
// take the sizes of what was computed for those of a variable where a field is called
// like it, lose them where a condition chooses between types, and do not know what
// repetitions in patterns and nested values cost. So only expressions that make
// nothing longer than what there is are estimated.
type measure struct {
	tree     *ast.AST
	callCost CallEstimate
	// longest is the length of the longest list, map or text there can be.
	longest uint64
}

// keepsSizes reports whether nothing gets longer in an expression; accumulator is the
// variable of the loop around it.
func (m *measure) keepsSizes(e ast.Expr, accumulator string) bool {
	all := func(expressions ...ast.Expr) bool {
		return !slices.ContainsFunc(expressions, func(e ast.Expr) bool { return !m.keepsSizes(e, accumulator) })
	}
	longest := func(length int) { m.longest = max(m.longest, uint64(length)) }
	switch e.Kind() {
	case ast.IdentKind:
		return true
	case ast.LiteralKind:
		switch literal := e.AsLiteral().(type) {
		case types.String:
			longest(len(literal))
		case types.Bytes:
			longest(len(literal))
		}
		return true
	case ast.SelectKind:
		way := 0
		for ; e.Kind() == ast.SelectKind; e = e.AsSelect().Operand() {
			way++
		}
		return way <= longestWay && all(e)
	case ast.CallKind:
		call := e.AsCall()
		arguments := call.Args()
		if call.IsMemberFunction() {
			arguments = append([]ast.Expr{call.Target()}, arguments...)
		}
		return m.keepsSize(call.FunctionName(), arguments, accumulator) && all(arguments...)
	case ast.ListKind:
		longest(e.AsList().Size())
		return all(e.AsList().Elements()...)
	case ast.MapKind:
		longest(e.AsMap().Size())
		for _, entry := range e.AsMap().Entries() {
			if !all(entry.AsMapEntry().Key(), entry.AsMapEntry().Value()) {
				return false
			}
		}
		return true
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		return all(loop.IterRange()) && !slices.ContainsFunc([]ast.Expr{loop.AccuInit(), loop.LoopCondition(), loop.LoopStep(), loop.Result()},
			func(e ast.Expr) bool { return !m.keepsSizes(e, loop.AccuVar()) })
	}
	return false
}

func (m *measure) keepsSize(function string, arguments []ast.Expr, accumulator string) bool {
	accumulates := func(i int) bool {
		return i < len(arguments) && arguments[i].Kind() == ast.IdentKind && arguments[i].AsIdent() == accumulator
	}
	switch function {
	case operators.Add: // as map, filter and exists_one add one
		return accumulates(0)
	case operators.Conditional: // and leave out others
		return accumulates(2)
	case operators.Equals, operators.NotEquals, operators.In:
		a, b := m.tree.GetType(arguments[0].ID()), m.tree.GetType(arguments[1].ID())
		if function == operators.In && len(b.Parameters()) > 0 {
			b = b.Parameters()[0]
		}
		return !mayBeNested(a) || !mayBeNested(b)
	case overloads.Matches:
		pattern := arguments[len(arguments)-1]
		text, ok := types.String(""), pattern.Kind() == ast.LiteralKind
		if ok {
			text, ok = pattern.AsLiteral().(types.String)
		}
		return ok && !strings.Contains(string(text), "{")
	}
	if harmless[function] {
		return true
	}
	if m.callCost == nil {
		return false
	}
	_, known := m.callCost(function, make([]uint64, len(arguments)))
	return known
}

// mayBeNested reports whether values of a type can have others in them.
func mayBeNested(t *types.Type) bool {
	switch t.Kind() {
	case types.BoolKind, types.BytesKind, types.DoubleKind, types.DurationKind, types.IntKind,
		types.NullTypeKind, types.StringKind, types.TimestampKind, types.TypeKind, types.UintKind:
		return false
	}
	return true
}

// CallEstimate says what a call of a function costs at the most, by the largest
// sizes of its arguments. It is not ok for functions that CEL itself counts.
type CallEstimate func(function string, sizes []uint64) (cost uint64, ok bool)

// estimator tells CEL how large things can be.
type estimator struct {
	variables []string
	largest   uint64
	callCost  CallEstimate
}

// EstimateSize implements checker.CostEstimator. What does not lead back to a
// variable may be longer than everything in it.
func (e estimator) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	if path := node.Path(); len(path) == 0 || !slices.Contains(e.variables, path[0]) {
		return nil
	}
	return &checker.SizeEstimate{Max: e.largest}
}

// EstimateCallCost implements checker.CostEstimator.
func (e estimator) EstimateCallCost(function, _ string, target *checker.AstNode, arguments []checker.AstNode) *checker.CallEstimate {
	if e.callCost == nil {
		return nil
	}
	if target != nil {
		arguments = append([]checker.AstNode{*target}, arguments...)
	}
	var sizes []uint64
	for _, a := range arguments {
		sizes = append(sizes, e.sizeOf(a))
	}
	cost, ok := e.callCost(function, sizes)
	if !ok {
		return nil
	}
	return &checker.CallEstimate{CostEstimate: checker.CostEstimate{Max: cost}}
}

func (e estimator) sizeOf(node checker.AstNode) uint64 {
	if size := node.ComputedSize(); size != nil {
		return size.Max
	}
	if size := e.EstimateSize(node); size != nil {
		return size.Max
	}
	if node.Expr().Kind() == ast.LiteralKind {
		return 1 // the literals without a computed size are numbers
	}
	return math.MaxUint64
}

var _ checker.CostEstimator = estimator{}
