package evaluate

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/values"
)

// TestMain is also the process that evaluates modules.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == terraform.Command {
		os.Exit(Main(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// run is a run of its own, which takes as long as it needs.
func run(t testing.TB) *terraform.Run {
	r := &terraform.Run{Process: &child.Process{}, Timeout: 10 * time.Minute, Pack: packOf}
	t.Cleanup(r.Close)
	return r
}

// A case is a folder with modules. Each line of import names a path and the label of a profile, which may
// be absent; without the file it is m. The outcome is the profile with its notes, or the error; with
// -places it is where each word of the values of packs is written. packs has the packs that a source has:
// packs/NAME-VERSION/values.yaml, or fault with an error.
func TestModules(t *testing.T) {
	cases.Table(t, "modules/*", func(t *testing.T, c *cases.Case) string {
		in(t, c.Files("import", "want"))
		var b strings.Builder
		for line := range strings.Lines(cmp.Or(c.Text("import"), "m")) {
			arguments, isPlaces := strings.CutPrefix(strings.TrimSpace(line), "-places ")
			path, label, _ := strings.Cut(arguments, " ")
			if c.Has("import") && !isPlaces {
				fmt.Fprintf(&b, "$ %s\n", arguments)
				b.WriteString(files(path, run(t)))
			}
			p, err := importOf(path, label, run(t))
			switch {
			case err != nil:
				fmt.Fprintln(&b, "error:", err)
			case isPlaces:
				b.WriteString(places(t, p))
			default:
				b.WriteString(printed(t, p))
			}
		}
		return b.String()
	})
}

// files prints what is known of the files of a path.
func files(path string, run *terraform.Run) string {
	var b strings.Builder
	if terraform.IsModule(path) {
		b.WriteString("a module\n")
	}
	m, err := terraform.Open(path, run)
	if err != nil {
		return b.String()
	}
	for _, label := range m.Labels() {
		fmt.Fprintln(&b, "profile:", label)
	}
	for _, fault := range m.Faults {
		fmt.Fprintln(&b, "fault:", fault)
	}
	for _, note := range m.Notes {
		fmt.Fprintln(&b, "note:", note)
	}
	return b.String()
}

// packOf returns the values of a pack in the folder packs.
func packOf(name, version string) (string, bool, error) {
	dir := filepath.Join("packs", name+"-"+version)
	if fault, err := os.ReadFile(filepath.Join(dir, "fault")); err == nil {
		return "", false, errors.New(strings.TrimSpace(string(fault)))
	}
	text, err := os.ReadFile(filepath.Join(dir, "values.yaml"))
	return string(text), err == nil, nil
}

// printed prints a profile, the notes about it, and what of it is unknown.
func printed(t *testing.T, p *terraform.Profile) string {
	t.Helper()
	if found := p.Document().Duplicates(); len(found) > 0 {
		t.Errorf("duplicate keys: %v", found)
	}
	text, err := values.Print(p.Document().Root())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, note := range p.Notes {
		fmt.Fprintln(&b, "note:", note)
	}
	paths := []string{"spec.template.packs", "spec.variables"}
	if variables := values.Field(p.Document().Root(), "spec", "variables"); variables != nil {
		for i := range variables.Content {
			paths = append(paths, fmt.Sprintf("spec.variables[%d].defaultValue", i))
		}
	}
	for _, path := range paths {
		if p.IsUnknown(path) {
			fmt.Fprintln(&b, "unknown:", path)
		}
	}
	return b.String() + string(text)
}

// places prints the words of the values of packs, and their end, with their places.
func places(t *testing.T, p *terraform.Profile) string {
	t.Helper()
	var b strings.Builder
	place := func(pack int, n *yaml.Node, word string, offset int) {
		at, where := values.NewLines(n.Value).Position(offset), "nowhere"
		if file, in, ok := p.Place(pack, at); ok {
			where = fmt.Sprintf("%s:%d:%d", file, in.Line, in.Column)
		}
		fmt.Fprintf(&b, "%d:%d %s is at %s\n", at.Line, at.Column, word, where)
	}
	for i, one := range values.Field(p.Root, "spec", "template", "packs").Content {
		n, offset := values.Field(one, "values"), 0
		for word := range strings.FieldsSeq(n.Value) {
			offset += strings.Index(n.Value[offset:], word)
			place(i, n, word, offset)
			offset += len(word)
		}
		place(i, n, "the end", len(n.Value))
		if _, _, ok := p.Place(i, diag.Position{}); ok {
			t.Error("nothing has a place")
		}
	}
	return b.String()
}

// in makes the working directory one with some files.
func in(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for file, content := range files {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// importOf reads a profile as an import does.
func importOf(path, name string, run *terraform.Run) (*terraform.Profile, error) {
	m, err := terraform.Open(path, run)
	if err == nil {
		err = m.Fault()
	}
	if err != nil {
		return nil, err
	}
	p, err := m.Read(name)
	if err == nil {
		err = p.Nothing()
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// A file that is no regular one is not read.
func TestUnreadFile(t *testing.T) {
	in(t, map[string]string{"m/main.tf": profileOf("", `"a"`)})
	if err := os.Symlink("/dev/zero", "m/zero.tf"); err != nil {
		t.Fatal(err)
	}
	m, err := terraform.Open("m", run(t))
	if err != nil || !strings.Contains(fmt.Sprint(m.Faults), "m/zero.tf: ") {
		t.Errorf("%v %v", err, m)
	}
}

func TestField(t *testing.T) {
	p := &terraform.Profile{Label: "p", Blocks: []int{0, 2}}
	for path, want := range map[string]string{
		"metadata.name":                  "spectrocloud_cluster_profile.p.name",
		"spec.template.type":             "spectrocloud_cluster_profile.p.type",
		"spec.template.cloudType":        "spectrocloud_cluster_profile.p.cloud",
		"spec.template.packs[1].values":  "spectrocloud_cluster_profile.p.pack[2].values",
		"spec.template.packs[1]":         "spectrocloud_cluster_profile.p.pack[2]",
		"spec.template.packs[7]":         "spectrocloud_cluster_profile.p.pack[7]",
		"spec.variables[0].defaultValue": "spectrocloud_cluster_profile.p.profile_variables.variable[0].default_value",
		"":                               "spectrocloud_cluster_profile.p",
	} {
		if got := p.Field(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
