package celenv_test

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	celpb "cel.dev/expr"
	conformance "cel.dev/expr/conformance/test"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"google.golang.org/protobuf/encoding/prototext"

	"github.com/krm-packs/functions/pkg/internal/celenv"

	_ "cel.dev/expr/conformance/proto2" // messages that the files mention
	_ "cel.dev/expr/conformance/proto3"
)

// The files of CEL's conformance suite about what an environment has: no protocol
// buffers, no enums, no other extensions.
var conformanceFiles = []string{
	"basic", "comparisons", "conversions", "fields", "fp_math", "integer_math", "lists", "logic", "macros", "optionals",
	"parse", "plumbing", "string", "string_ext", "timestamps",
}

// notInCELGo are the tests that cel-go itself does not pass; it names them in its own
// run of the suite.
var notInCELGo = []string{
	"fields/qualified_identifier_resolution/map_value_repeat_key",
	"fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous",
	"optionals/optionals/map_null_entry_no_such_key",
	"optionals/optionals/map_present_key_invalid_field",
	"string_ext/value_errors/indexof_out_of_range",
	"string_ext/value_errors/lastindexof_out_of_range",
	"timestamps/duration_converters/get_milliseconds",
}

// The suite of https://github.com/google/cel-spec, from its module.
func TestConformance(t *testing.T) {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "cel.dev/expr").Output()
	if err != nil {
		t.Fatal(err)
	}
	ran, skipped := 0, 0
	for _, name := range conformanceFiles {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "tests/simple/testdata", name+".textproto"))
		if err != nil {
			t.Fatal(err)
		}
		var file conformance.SimpleTestFile
		if err := prototext.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for _, section := range file.Section {
			for _, test := range section.Test {
				name := file.Name + "/" + section.Name + "/" + test.Name
				if slices.Contains(notInCELGo, name) {
					continue
				}
				// An environment has no messages, no namespaces, and one way to compile.
				if test.Container != "" || test.DisableMacros || test.DisableCheck || test.CheckOnly || strings.Contains(test.Expr, "TestAllTypes") || strings.Contains(test.Expr, "google.protobuf") {
					skipped++
					continue
				}
				ran++
				t.Run(name, func(t *testing.T) { runConformance(t, test) })
			}
		}
	}
	t.Logf("%d tests ran, %d are about what no environment has", ran, skipped)
	if ran < 900 {
		t.Errorf("only %d tests ran", ran)
	}
}

func runConformance(t *testing.T, test *conformance.SimpleTest) {
	options := []celenv.Option{celenv.Library(ext.Strings()), celenv.Library(cel.OptionalTypes())}
	for _, declared := range test.TypeEnv {
		option, err := cel.ProtoAsDeclaration(declared)
		if err != nil {
			t.Fatal(err)
		}
		options = append(options, celenv.Library(option))
	}
	variables := map[string]any{}
	for name, bound := range test.Bindings {
		variables[name] = conformanceValue(t, bound.GetValue())
	}
	var got ref.Val
	program, err := celenv.New(options...).Compile(test.Expr, celenv.Any)
	if err == nil {
		got, err = program.Evaluate(context.Background(), variables)
	}
	wantsError := test.GetEvalError() != nil || test.GetAnyEvalErrors() != nil
	if wantsError || err != nil {
		if !wantsError || err == nil {
			t.Errorf("%s: got %v, %v", test.Expr, got, err)
		}
		return
	}
	var want ref.Val = types.True
	if value := test.GetValue(); value != nil {
		want = conformanceValue(t, value)
	} else if typed := test.GetTypedResult(); typed != nil {
		want = conformanceValue(t, typed.Result)
	}
	if !same(got, want) {
		t.Errorf("%s: got %v, want %v", test.Expr, got, want)
	}
}

func conformanceValue(t *testing.T, value *celpb.Value) ref.Val {
	t.Helper()
	made, err := cel.ProtoAsValue(types.DefaultTypeAdapter, value)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// same is equality of value and type, and NaN equals itself.
func same(a, b ref.Val) bool {
	if x, ok := a.(types.Double); ok && math.IsNaN(float64(x)) {
		y, ok := b.(types.Double)
		return ok && math.IsNaN(float64(y))
	}
	return a.Type() == b.Type() && types.Equal(a, b) == types.True
}
