package schema

import (
	"os"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "schema")) }

// The cases are in testdata/cases.
func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

// spec is a functionConfig of the function's own kind.
func spec(fields string) string {
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: ValidatePackValues, metadata: {name: config}, spec: {" + fields + "}}"
}
