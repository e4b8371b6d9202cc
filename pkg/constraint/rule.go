package constraint

import (
	"errors"
	"fmt"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/krm-packs/functions/pkg/internal/celenv"
)

// propertiesVariable is the one variable of a rule: the properties of one
// bundle.
const propertiesVariable = "properties"

// newRules returns the environment of rules. It is OLM's: nothing may be added,
// or what passes here is rejected there.
func newRules() *celenv.Env {
	return celenv.New(
		celenv.Variable(propertiesVariable, cel.ListType(cel.MapType(cel.StringType, cel.AnyType))),
		celenv.Library(cel.Function("semver_compare",
			cel.Overload("semver_compare", []*cel.Type{cel.AnyType, cel.AnyType}, cel.IntType, cel.BinaryBinding(compareVersions)),
		)),
		celenv.Costs(ruleCosts{}),
	)
}

// compareVersions orders two versions, which may be as incomplete as v1.2, and
// numbers.
func compareVersions(a, b ref.Val) ref.Val {
	v, err := looseVersion(a)
	if err != nil {
		return types.WrapErr(err)
	}
	w, err := looseVersion(b)
	if err != nil {
		return types.WrapErr(err)
	}
	return types.Int(v.Compare(w))
}

// looseVersion reads a version as semver_compare takes it: 1.2.3, v1.2 or the number 1.
func looseVersion(v ref.Val) (semver.Version, error) {
	switch v.(type) {
	case types.String, types.Int, types.Uint, types.Double:
	default:
		return semver.Version{}, fmt.Errorf("semver_compare: a %s is not a version", v.Type().TypeName())
	}
	text := fmt.Sprint(v.Value())
	parsed, err := semver.ParseTolerant(text)
	if err != nil {
		return semver.Version{}, errors.New("semver_compare: the string is not a version like 1.2.3 or v1.2")
	}
	return parsed, nil
}

// ruleCosts counts semver_compare by the length of its arguments.
type ruleCosts struct{}

// CallCost returns the cost of a call of semver_compare, and nil for the default cost of other
// functions.
func (ruleCosts) CallCost(function, _ string, arguments []ref.Val, _ ref.Val) *uint64 {
	if function != "semver_compare" {
		return nil
	}
	cost := uint64(1)
	for _, a := range arguments {
		if s, ok := a.(types.String); ok {
			cost += uint64(len(s)) / 10
		}
	}
	return &cost
}
