package variant

import (
	"os"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "variant")) }

func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

// in makes the metadata of a resource in a file.
func in(file, name string, more ...string) string {
	text := "metadata:\n  name: " + name + "\n  annotations:\n    internal.config.kubernetes.io/path: '" + file + "'\n"
	for _, m := range more {
		text += "    " + m + "\n"
	}
	return text
}

const required = "kpt.dev/config-injection: required"

var kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\n" + in("Kptfile", "root")

func thing(file, name string, more ...string) string {
	return "apiVersion: ex.com/v1\nkind: Thing\n" + in(file, name, more...) + "spec:\n  of: " + name + " # as it came\n"
}

// With files as arguments a PackageVariant among them is the configuration.
func TestFiles(t *testing.T) {
	if f := Function(); !f.AcceptsFiles || len(f.Accepts) != 1 || f.Accepts[0].Kind != Kind {
		t.Errorf("%v of %v", f.AcceptsFiles, f.Accepts)
	}
}
