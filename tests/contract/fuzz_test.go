package contract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// decoding is what reads a format from bytes. Documents of values are read by pkg/values alone.
var decoding = regexp.MustCompile(`^(json|yaml|gob|gzip|tar|hclsyntax)\.(Unmarshal|NewDecoder|NewReader|ParseConfig)$`)

// parsers are the packages that read what others wrote, with the fuzz target of each format.
var parsers = map[string][]string{
	"pkg/values":                             {"FuzzParse", "FuzzReader", "FuzzParseJSON", "FuzzParsePath"},
	"pkg/internal/documents":                 {"FuzzEach"},
	"pkg/list":                               {"FuzzRead", "FuzzFlat"},
	"pkg/decode":                             {"FuzzNode", "FuzzFlat"},
	"pkg/internal/version":                   {"FuzzVersion"},
	"pkg/internal/template":                  {"FuzzActions", "FuzzParseAction"},
	"pkg/schema":                             {"FuzzCheck", "FuzzParseFormat", "FuzzParseTemplate"},
	"pkg/internal/jsonschema":                {"FuzzValidate"},
	"pkg/constraint":                         {"FuzzConstraint", "FuzzRange"},
	"pkg/capacity":                           {"FuzzQuantity", "FuzzDemands"},
	"pkg/macro":                              {"FuzzResolveText"},
	"pkg/internal/hydration":                 {"FuzzComment", "FuzzSources"},
	"pkg/pack":                               {"FuzzImported"},
	"pkg/preset":                             {"FuzzApply", "FuzzRecord"},
	"pkg/policy":                             {"FuzzDocuments", "FuzzPattern", "FuzzSchema"},
	"pkg/variant":                            {"FuzzKptfile"},
	"pkg/variant/set":                        {"FuzzTemplate"},
	"pkg/internal/facts":                     {"FuzzRead"},
	"pkg/internal/release":                   {"FuzzLoad", "FuzzPath"},
	"pkg/packfn/internal/breaking":           {"FuzzImmutable"},
	"pkg/packfn/internal/capact":             {"FuzzRead"},
	"pkg/packfn/internal/sets":               {"FuzzKustomization"},
	"pkg/packfn/internal/kustomization":      {"FuzzParse"},
	"pkg/packfn/internal/config":             {"FuzzConfig"},
	"pkg/packfn/internal/fleet/preview":      {"FuzzShard", "FuzzRecord"},
	"pkg/packfn/internal/kptpackage":         {"FuzzKptfile"},
	"pkg/packfn/internal/lsp/protocol":       {"FuzzFrame"},
	"pkg/packfn/internal/olm":                {"FuzzCatalog"},
	"pkg/packfn/internal/program":            {"FuzzOutput"},
	"pkg/packfn/internal/report":             {"FuzzFingerprints"},
	"pkg/packfn/internal/results":            {"FuzzResults"},
	"pkg/packfn/internal/transfer":           {"FuzzProfile"},
	"pkg/internal/folder":                    {"FuzzArchive"},
	"pkg/packfn/internal/chart":              {"FuzzChart"},
	"pkg/packfn/internal/packdir":            {"FuzzRead"},
	"pkg/packfn/internal/registry":           {"FuzzAnswers", "FuzzReference"},
	"pkg/packfn/internal/terraform/evaluate": {"FuzzRead"},
	"pkg/internal/celenv/evaluate-rules":     {}, // tests/bench writes what it reads
	"pkg/packfn/internal/lsp/language":       {}, // the schemas are in the program, or made by it
	"pkg/packfn/internal/child":              {}, // both sides are packfn
}

// Each parser of what others wrote has a fuzz target, and each package that decodes a format is
// in the list.
func TestFuzzTargets(t *testing.T) {
	const root = "../.."
	decoders, targets := map[string]string{}, map[string][]string{}
	err := filepath.WalkDir(filepath.Join(root, "pkg"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, filepath.Dir(name))
		pkg := filepath.ToSlash(relative)
		isTest := strings.HasSuffix(name, "_test.go") || strings.HasPrefix(pkg, "pkg/function/functiontest") || pkg == "pkg/packfn/reporttest"
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if isTest && n.Recv == nil && strings.HasPrefix(n.Name.Name, "Fuzz") {
					targets[pkg] = append(targets[pkg], n.Name.Name)
				}
			case *ast.SelectorExpr:
				if of, ok := n.X.(*ast.Ident); ok && !isTest && decoding.MatchString(of.Name+"."+n.Sel.Name) {
					decoders[pkg] = of.Name + "." + n.Sel.Name
				}
			}
			return true
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, call := range decoders {
		if _, known := parsers[pkg]; !known {
			t.Errorf("%s has %s; write a fuzz target for it, and name it here", pkg, call)
		}
	}
	for pkg, names := range parsers {
		for _, name := range names {
			if !slices.Contains(targets[pkg], name) {
				t.Errorf("%s has no fuzz target %s", pkg, name)
			}
		}
	}
	if len(decoders) < 10 {
		t.Errorf("found %v", decoders)
	}
}
