package evaluate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/values"
)

// profileOf is a file with locals and a profile whose values read one of them.
func profileOf(locals, values string) string {
	return "locals {\n" + locals + `}
resource "spectrocloud_cluster_profile" "p" {
  pack {
    name = "a"
    values = ` + values + `
  }
}
`
}

// doubled are locals, each of which has the one before it twice.
func doubled(first, next string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "x0 = %s\n", first)
	for i := range 40 {
		fmt.Fprintf(&b, "x%d = %s\n", i+1, strings.ReplaceAll(next, "X", fmt.Sprintf("local.x%d", i)))
	}
	return b.String()
}

// A module that takes too long, or too much memory, is a fault at its profile, and the modules after
// it are not evaluated.
func TestLimits(t *testing.T) {
	const beyond = "evaluating the module takes more than 1s, more than 1024 MiB of memory, or is nested too deeply"
	for name, tc := range map[string]struct{ text, want string }{
		"a text twice":               {profileOf(doubled(`"x"`, `"${X}${X}"`), "local.x40"), "main.tf:44:1: " + beyond},
		"a tuple twice":              {profileOf(doubled("[1]", "concat(X, X)"), "local.x40"), beyond},
		"an object twice":            {profileOf(doubled("{}", "{a = X, b = X}"), "jsonencode(local.x40)"), beyond},
		"a long number":              {profileOf("", `"${1e80000000}"`), beyond},
		"a text that is replaced":    {profileOf(doubled(`"x"`, `replace(X, "x", "xx")`), "local.x40"), beyond},
		"products":                   {profileOf("l = ["+strings.Repeat("0,", 30)+"]\n", strings.Repeat("[for x in local.l : ", 9)+"1"+strings.Repeat("]", 9)), beyond},
		"lines that are indented":    {profileOf("", `indent(1e10, "a\nb")`), beyond},
		"deep brackets":              {profileOf("", strings.Repeat("(", 1<<22)), beyond},
		"deep blocks":                {profileOf("", `"a"`) + strings.Repeat("a {\n", 1<<20), beyond},
		"a large pattern":            {profileOf("", `replace("`+strings.Repeat("a", 100_000)+`", "/`+strings.Repeat("(a?){500}", 100)+`/", "")`), beyond},
		"many conditions":            {profileOf("", strings.Repeat("true ? \"a\" : ", 1000)+`"b"`), "a"},
		"many lines":                 {profileOf("", "<<E\n"+strings.Repeat("\n", 20_000)+"E\n"), strings.Repeat("\n", 20_000)},
		"a long chain":               {profileOf(chain(5000)+"  x0 = \"end\"\n", "local.x5000"), "end"},
		"a chain that nothing reads": {profileOf(doubled("[1]", "[X, X]"), `"a"`), "a"},
		"many faults":                {strings.Repeat("a\n", 100), "and 80 more"},
		"a long profile": {
			`locals {
  x = "` + strings.Repeat("x", 500_000) + `"
}
resource "spectrocloud_cluster_profile" "p" {
` + strings.Repeat(`  pack {
    name = "a"
    values = local.x
  }
`, 100) + "}\n",
			"main.tf:275:14: the profile has more than 33554432 bytes with this values",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			r, isBeyond := run(t), strings.Contains(tc.want, beyond)
			if isBeyond {
				r.Timeout = time.Second
			}
			if got := valuesOf(importOf(dir, "", r)); !strings.Contains(got, tc.want) || r.IsBeyond != isBeyond {
				t.Errorf("got %.300s, want %.300s", got, tc.want)
			}
		})
	}
}

// chain are locals that read each other, the last one first.
func chain(n int) string {
	var b strings.Builder
	for i := n; i > 0; i-- {
		fmt.Fprintf(&b, "  x%d = local.x%d\n", i, i-1)
	}
	return b.String()
}

// A module has a limit of its size, and what expressions read has one of its number and its size,
// which all modules share.
func TestModuleLimits(t *testing.T) {
	var packs strings.Builder
	for i := range 20 {
		fmt.Fprintf(&packs, `data "spectrocloud_pack" "a%[1]d" {
  name = "a"
  version = "%[1]d"
}
locals {
  a%[1]d = data.spectrocloud_pack.a%[1]d.values
}
`, i)
	}
	all := make([]string, 20)
	for i := range all {
		all[i] = fmt.Sprintf("local.a%d", i)
	}
	files := map[string]string{
		"packs/a.tf": packs.String() + profileOf("", `join("", [`+strings.Join(all, ", ")+"])"),
		"asks/a.tf":  profileOf("", `join("", [for i in [`+numbers(1001)+`] : file("${i}")])`),
		"files/a.tf": profileOf("", `join("", [file("large"), file("copy"), "${1}"])`),
		"again/a.tf": profileOf("", `join("", [for i in [`+numbers(1000)+`] : file("small")])`),
	}
	files["files/large"], files["again/small"] = strings.Repeat("x", 20<<20), "x"
	files["files/copy"] = files["files/large"]
	for i := range 9 {
		files[fmt.Sprintf("large/%d.tf", i)] = strings.Repeat("#", 1<<20)
	}
	for i := range 1001 {
		files[fmt.Sprintf("many/%d.tf", i)] = ""
	}
	in(t, files)
	for path, want := range map[string]string{
		"packs": "packs/a.tf:143:1: the files and packs that expressions read have more than 33554432 bytes in total, up to a; import fewer packs at a time",
		"asks":  "the expressions of a module can read at most 1000 files and packs",
		"files": "more than 33554432 bytes in total, up to copy",
		"large": "at most 1000 files with 8388608 bytes", "many": "at most 1000 files",
		"again": strings.Repeat("x", 1000),
	} {
		r := run(t)
		r.Pack = func(string, string) (string, bool, error) { return strings.Repeat("x", 2<<20), true, nil }
		if got := valuesOf(importOf(path, "", r)); !strings.Contains(got, want) {
			t.Errorf("%s: %.300s", path, got)
		}
	}
}

// numbers are the first ones, with commas.
func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,", i)
	}
	return b.String()
}

// valuesOf are the values of the first pack, or the error.
func valuesOf(p *terraform.Profile, err error) string {
	if err != nil {
		return err.Error()
	}
	return values.Text(values.Field(values.Field(p.Root, "spec", "template", "packs").Content[0], "values"))
}

func FuzzRead(f *testing.F) {
	archives, err := filepath.Glob("testdata/modules/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".tf") {
				f.Add(string(file.Data), "other = \"a\"\n", "a: ${a}\n")
			}
		}
	}
	for _, values := range []string{`"${local.x}${local.x}"`, `[for a in local.x : {for k, v in a : k => v...}]`, `true ? 1e9 * 1e9 : "%{for x in local.y}${x}%{endfor}"`, `local.x[*].a["1e5"]`, `file("a")`, "<<-E\n a ${1 + \"2\"}\n E\n",
		`replace(data.spectrocloud_pack.a[0].values, "/(a)|b/", "$1${var.b}")`, `templatefile("t", {a = local.x, b = local.z})`, `format("%05d%s%q", 1, "a", join(",", ["b"]))`, `indent(2, jsonencode(merge({a = 1}, lookup(var.b, "c", {}))))`} {
		f.Add(`variable "b" {
  type = map(object({c = optional(any, 1)}))
}
data "spectrocloud_pack" "a" {
  count = 1
  name = "a"
  version = local.z
}
`+
			profileOf("x = [1, [2]]\ny = local.x\nz = local.z\n", values), "b = {c = {}}\n", "%{ for x in a ~}\n${x}\n%{ endfor }")
	}
	process := &child.Process{}
	f.Cleanup(process.Close)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, main, variables, template string) {
		if len(main)+len(variables)+len(template) > 10_000 {
			return
		}
		for name, text := range map[string]string{"main.tf": main, "terraform.tfvars": variables, "t": template} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		m, err := terraform.Open(dir, &terraform.Run{Process: process, Timeout: time.Second, Pack: func(name, version string) (string, bool, error) { return "a: 1\n", name == "a", nil }})
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range m.Faults {
			if strings.Contains(fault.Text, "evaluating the module failed") {
				t.Error(fault)
			}
		}
		for _, label := range m.Labels() {
			p, err := m.Read(label)
			if err != nil {
				t.Fatal(err)
			}
			for pack := range p.Packs() {
				for i := range 20 {
					p.Place(pack, diag.Position{Line: i + 1, Column: 1})
				}
			}
		}
	})
}
