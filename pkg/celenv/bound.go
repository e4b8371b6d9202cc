package celenv

import (
	"math"
	"math/bits"
	"slices"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
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

// Variables returns the variables for evaluations of single values.
func (d *Data) Variables() map[string]any { return d.variables }

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
	cost, err := b.env.EstimateCost(p.tree, estimator{b.variables, largest, b.callCost})
	if err != nil {
		return math.MaxUint64
	}
	return cost.Max
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
