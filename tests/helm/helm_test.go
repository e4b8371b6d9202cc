package helm

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/cmd"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/yaml"

	"github.com/krm-packs/functions/pkg/internal/facts"
	packfnengine "github.com/krm-packs/functions/pkg/packfn/helm/engine"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/values"
)

// TestMain keeps Helm's warnings out of the output. It is also the process that renders
// charts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == helm.Command {
		os.Exit(packfnengine.Main(os.Stdin, os.Stdout))
	}
	if os.Getenv(asHelm) != "" && len(os.Args) > 1 && slices.Contains([]string{"template", "version"}, os.Args[1]) {
		os.Exit(runHelm(os.Args[1:]))
	}
	quiet()
	os.Exit(m.Run())
}

// asHelm is an environment variable with which this program is Helm for kustomize.
const asHelm = "TEST_AS_HELM"

// runHelm is the program of Helm. Kustomize wants one of version 3.
func runHelm(args []string) int {
	if args[0] == "version" {
		os.Stdout.WriteString("v3.19.0+g0000000\n")
		return 0
	}
	command, err := cmd.NewRootCmd(os.Stdout, args, func(bool) {})
	if err == nil {
		err = command.Execute()
	}
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	return 0
}

// add adds a file to a subject.
func (s *subject) add(name, text string) {
	s.files = append(s.files, &archive.BufferedFile{Name: name, Data: []byte(text)})
}

// subject is a chart that both sides check.
type subject struct {
	name  string
	files []*archive.BufferedFile
	facts *facts.Chart
	// given are values that its pack has for it, as YAML.
	given string
	// broken are files that do not render.
	broken map[string]bool
}

// load returns the chart. Helm changes it while it renders, so each run needs its own.
func (s *subject) load() (*v2.Chart, error) {
	var files []*archive.BufferedFile
	for _, f := range s.files {
		if !s.broken[f.Name] {
			files = append(files, f)
		}
	}
	return loader.LoadFiles(files)
}

// values returns what Helm renders with, and says why it refuses values.
func (s *subject) values(given map[string]any) (*v2.Chart, common.Values, error) {
	c, err := s.load()
	if err != nil {
		return nil, nil, err
	}
	if err := chartutil.ProcessDependencies(c, given); err != nil {
		return nil, nil, err
	}
	capabilities := common.DefaultCapabilities.Copy()
	capabilities.KubeVersion = common.KubeVersion{Version: "v1.33.0", Major: "1", Minor: "33"}
	all, err := util.ToRenderValuesWithSchemaValidation(c, given, common.ReleaseOptions{Name: "r", Namespace: "n", IsInstall: true, Revision: 1}, capabilities, true)
	return c, all, err
}

var failing = regexp.MustCompile(`\(?([^\s():]+/templates/[^\s():]+)`)

// fails is the output of a file that fails.
const fails = "fails"

// render returns the output of each file. When one fails, the others are rendered again.
func (s *subject) render(given map[string]any) (map[string]string, error) {
	defer func(broken map[string]bool) { s.broken = broken }(s.broken)
	s.broken = maps.Clone(s.broken)
	if s.broken == nil {
		s.broken = map[string]bool{}
	}
	for range 20 {
		c, all, err := s.values(given)
		if err != nil {
			return nil, err
		}
		out, err := engine.Engine{LintMode: true, CustomTemplateFuncs: steady}.Render(c, all)
		if err == nil {
			for file := range s.broken {
				out[file] = fails
			}
			return out, nil
		}
		found := failing.FindStringSubmatch(err.Error())
		if found == nil {
			return nil, err
		}
		_, file, _ := strings.Cut(found[1], "/")
		if s.broken[file] {
			return nil, err
		}
		s.broken[file] = true
	}
	return nil, errors.New("too many files fail")
}

// steady are the functions that give another result each time, with the same one always.
var steady = func() template.FuncMap {
	all := template.FuncMap{
		"now":            func() time.Time { return time.Unix(0, 0).UTC() },
		"uuidv4":         func() string { return "00000000-0000-4000-8000-000000000000" },
		"shuffle":        func(text string) string { return text },
		"ago":            func(any) string { return "0s" },
		"bcrypt":         func(string) string { return "bcrypt" },
		"htpasswd":       func(name, _ string) string { return name + ":bcrypt" },
		"encryptAES":     func(string, string) string { return "" },
		"randBytes":      func(n int) string { return strings.Repeat("x", n) },
		"derivePassword": func(...any) string { return "password" },
		"genPrivateKey":  func(string) string { return "key" },
	}
	for _, name := range []string{"randAlpha", "randAlphaNum", "randNumeric", "randAscii"} {
		all[name] = func(n int) string { return strings.Repeat("1", n) }
	}
	for _, name := range []string{"genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey", "buildCustomCert"} {
		all[name] = func(...any) struct{ Cert, Key string } { return struct{ Cert, Key string }{"cert", "key"} }
	}
	return all
}()

// corpus are the charts of public packs, as far as they can be read.
func corpus(t *testing.T) (all []*subject) {
	t.Helper()
	root := os.Getenv("PACK_CORPUS")
	archives, err := filepath.Glob(filepath.Join(root, "packs/*/charts/*.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	if root == "" {
		t.Log("PACK_CORPUS is not set: without public packs")
		return nil
	}
	for _, path := range archives {
		c, err := chart.Open(path)
		if err != nil {
			t.Logf("%s: %v", path, err)
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files, err := archive.LoadArchiveFiles(bytes.NewReader(text))
		if err != nil {
			t.Logf("%s: %v", path, err)
			continue
		}
		pack := filepath.Dir(filepath.Dir(path))
		s := &subject{name: filepath.Base(pack) + "/" + filepath.Base(path), files: files, facts: c.Facts(), given: "{}"}
		if own, err := os.ReadFile(filepath.Join(pack, "values.yaml")); err == nil {
			if document, err := values.Parse(string(own)); err == nil {
				if n := values.Field(document.Root(), "charts", c.Name); n != nil {
					var given map[string]any
					if n.Decode(&given) == nil && given != nil {
						s.given = textOf(t, given)
					}
				}
			}
		}
		all = append(all, s)
	}
	return all
}

func textOf(t *testing.T, given map[string]any) string {
	t.Helper()
	text, err := yaml.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mapOf reads values as Helm does.
func mapOf(t *testing.T, text string) map[string]any {
	t.Helper()
	given, err := loader.LoadValues(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return given
}

// made are charts that have each case of Helm's layers once.
func made(t *testing.T) (all []*subject) {
	t.Helper()
	for name, files := range charts {
		s := &subject{name: name, given: "{}"}
		dir := filepath.Join(t.TempDir(), name)
		for _, file := range slices.Sorted(maps.Keys(files)) {
			path := filepath.Join(dir, file)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(files[file]), 0o600)); err != nil {
				t.Fatal(err)
			}
			s.files = append(s.files, &archive.BufferedFile{Name: file, Data: []byte(files[file])})
		}
		c, err := chart.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		s.facts = c.Facts()
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *subject) int { return strings.Compare(a.name, b.name) })
	return all
}

// travelled returns the facts of a chart as they travel with a pack.
func travelled(t *testing.T, s *subject) *facts.Chart {
	t.Helper()
	text, notes, err := (&facts.Pack{Charts: map[string]*facts.Chart{"c": s.facts}}).Text()
	if err != nil {
		t.Fatal(err)
	}
	if len(notes) > 0 {
		return s.facts // too large to travel whole
	}
	document, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	read, err := facts.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	return read.Charts["c"]
}

// runs is the number of tries for a chart: fewer by default.
func runs(few, many int) int {
	if os.Getenv("TEST_ALL") != "" {
		return many
	}
	return few
}
