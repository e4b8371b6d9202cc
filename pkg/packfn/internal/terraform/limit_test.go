package terraform

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// profileOf is a file with locals and a profile whose values read one of them.
func profileOf(locals, values string) string {
	return "locals {\n" + locals + "}\nresource \"spectrocloud_cluster_profile\" \"p\" {\n  pack {\n    name = \"a\"\n    values = " + values + "\n  }\n}\n"
}

// What an expression can make is bounded before it is made.
func TestLimits(t *testing.T) {
	const steps, made, number = "the limit of 2000000 steps of evaluation", "the limit of 33554432 bytes of texts", "number is too long"
	doubled := func(first, next string) string {
		var b strings.Builder
		b.WriteString("x0 = " + first + "\n")
		for i := range 40 {
			fmt.Fprintf(&b, "x%d = %s\n", i+1, strings.ReplaceAll(next, "X", fmt.Sprintf("local.x%d", i)))
		}
		return b.String()
	}
	digits := strings.Repeat("1", 90)
	for name, tc := range map[string]struct{ text, want string }{
		"a text twice":                  {profileOf(doubled(`"x"`, `"${X}${X}"`), `"a"`), made},
		"a text that conditions choose": {profileOf(doubled(`"x"`, `true ? "${X}${X}" : "a"`), `"a"`), made},
		"a template that joins":         {profileOf(doubled(`"x"`, `"%{for i in [1, 2]}${X}%{endfor}"`), `"a"`), made},
		"a large text many times":       {profileOf("x = \""+strings.Repeat("x", 100_000)+"\"\ny = \""+strings.Repeat("${local.x}", 4000)+"\"\n", `"a"`), made},
		"a tuple twice":                 {profileOf(doubled("[1]", "[X, X]"), `"a"`), steps},
		"an object twice":               {profileOf(doubled("{}", "{a = X, b = X}"), `"a"`), steps},
		"a type without a value":        {profileOf(doubled("[1]", "[X, X]")+"y = true ? null : local.x40\n", `"a"`), steps},
		"products":                      {profileOf("l = ["+strings.Repeat("0,", 20)+"]\nm = [for a in local.l : [for b in local.l : [for c in local.l : [for d in local.l : [for e in local.l : [for f in local.l : 1]]]]]]\n", `"a"`), steps},
		"a splat of products":           {profileOf(doubled("[[1]]", "[X, X][*]"), `"a"`), steps},
		"keys":                          {profileOf(doubled(`{x = "${"x"}"}`, `{for k, v in X : "${k}${k}" => v}`), `"a"`), made},
		"a literal":                     {profileOf("", "1e8000000"), "more than 100 digits, or an exponent of more than 3"},
		"a long literal":                {profileOf("", digits+digits), "more than 100 digits"},
		"a text as a number":            {profileOf("", `"1e8000000" + 1`), number},
		"a text as a factor":            {profileOf("", `-"1e8000000"`), number},
		"a long text as a number":       {profileOf("", `"`+digits+digits+`x" > 1`), number},
		"a text as an index":            {profileOf("", `[1]["${"1e8000000"}"]`), number},
		"an index":                      {profileOf("x = [1]\n", `local.x["1e8000000"]`), number},
		"an index of a value":           {profileOf("", `[1]["1e8000000"]`), number},
		"powers":                        {profileOf(doubled("1e9", "X * X"), "local.x39"), "values reads local.x39"},
		"powers of a value":             {profileOf("", "1e999"+strings.Repeat(" * 1e999", 20)), number},
		"deep brackets":                 {"a = " + strings.Repeat("(", 1<<17), "nested deeper than 500 levels"},
		"deep templates":                {"a = " + strings.Repeat(`"${`, 1<<17), "nested deeper than 500 levels"},
		"deep blocks":                   {strings.Repeat("a {\n", 1<<16), "nested deeper than 500 levels"},
		"as deep as can be":             {"a = " + strings.Repeat("(", maxDepth) + "1" + strings.Repeat(")", maxDepth), "has no resource"},
		"as many operators as can be":   {"a = " + strings.Repeat("(", 400) + strings.Repeat("!", maxOperators-401) + "a" + strings.Repeat(")", 400), "has no resource"},
		"many texts":                    {"a = [" + strings.Repeat(`"b",`, maxOperators+1) + "]", "has no resource"},
		"many elements":                 {"a = b" + strings.Repeat("[0]", maxOperators), "more than 10000 operators"},
		"many operators":                {"a = " + strings.Repeat("!", 1<<15), "more than 10000 operators"},
		"many conditions":               {"a = " + strings.Repeat("1 ? 2 : ", 1<<15), "more than 10000 operators"},
		"a long file":                   {strings.Repeat("#", maxBytes+1), "a Terraform file can have at most 1048576"},
		"many lines":                    {profileOf("x = <<E\n"+strings.Repeat("\n", maxLines+1)+"E\n", `"a"`), "a heredoc or a template has more than 10000 lines"},
		"many faults":                   {strings.Repeat("a\n", 100), "and 80 more"},
		"calls":                         {profileOf("l = ["+strings.Repeat("0,", 100)+"]\nm = [for a in local.l : [for b in local.l : file(\"ingress.yaml\")]]\n", `"a"`), "file(\"ingress.yaml\") is called more often"},
		"a list twice":                  {profileOf(doubled("[1]", "concat(X, X)"), `"a"`), steps},
		"a list in lists":               {profileOf(doubled("[1]", "concat(X, [X])"), `"a"`), steps},
		"an object in objects":          {profileOf(doubled("{}", "merge({a = X}, {b = X})"), `"a"`), steps},
		"a text that is joined":         {profileOf(doubled(`"x"`, `join(X, ["", "", X])`), `"a"`), made},
		"a text that is formatted":      {profileOf(doubled(`"x"`, `format("%[1]s%[1]s", X)`), `"a"`), made},
		"a text that is replaced":       {profileOf(doubled(`"x"`, `replace(X, "x", "xx")`), `"a"`), made},
		"nothing that is replaced":      {profileOf(doubled(`"x"`, `replace(X, "", X)`), `"a"`), made},
		"a pattern that is replaced":    {profileOf(doubled(`"x"`, `replace(X, "/.*/", "$0$0")`), `"a"`), made},
		"lines that are indented":       {profileOf("", `indent(1e9, "a\nb")`), made},
		"a text that is split":          {profileOf("x = \""+strings.Repeat("x", 500_000)+"\"\n", `join("", concat(`+strings.Repeat(`split("", local.x), `, 5)+`[]))`), steps},
		"a text that is encoded":        {profileOf(doubled(`"x"`, `base64encode(base64encode(X))`), `"a"`), made},
		"a text in JSON":                {profileOf(doubled(`"x"`, `jsonencode({a = X, b = X})`), `"a"`), made},
		"a pattern of all":              {profileOf("x = \""+strings.Repeat("a", 100_000)+"\"\n", `replace(local.x, "/a[^b]*b|a/", "")`), "takes too long over this text"},
		"a large pattern":               {profileOf("", `replace("`+strings.Repeat("a", 10_000)+`", "/`+strings.Repeat("(a?){100}", 100)+`/", "")`), "takes too long over this text"},
		"a long pattern":                {profileOf("", `replace("a", "/`+strings.Repeat("a", 1001)+`/", "")`), "more than 1000 bytes"},
		"types of many elements":        {"variable \"x\" {\n  type = list(any)\n  default = [" + strings.Repeat("{a = 1}, {b = 2},", 8000) + "]\n}\n" + profileOf("", `"a"`), steps},
		"attributes of many elements":   {"variable \"x\" {\n  type = list(object({" + attributes(2000) + "}))\n  default = [" + strings.Repeat("{},", 4000) + "]\n}\n" + profileOf("", `"a"`), steps},
		"a long profile":                {"locals {\n  x = \"" + strings.Repeat("x", 500_000) + "\"\n}\nresource \"spectrocloud_cluster_profile\" \"p\" {\n" + strings.Repeat("  pack {\n    name = \"a\"\n    values = local.x\n  }\n", 100) + "}\n", "the profile has more than 33554432 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := read(t, tc.text); err == nil || !strings.Contains(err.Error(), tc.want) || len(err.Error()) > 5000 {
				t.Errorf("got %.300v, want %s", err, tc.want)
			}
		})
	}
}

// attributes are those of a type.
func attributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d = optional(string), ", i)
	}
	return b.String()
}

// A module has a limit of its size, and packs and templates one of what is read.
func TestModuleLimits(t *testing.T) {
	const data = "data \"spectrocloud_pack\" \"a%[1]d\" {\n  name = \"a\"\n  version = \"%[1]d\"\n}\nlocals {\n  a%[1]d = data.spectrocloud_pack.a%[1]d.values\n}\n"
	var packs strings.Builder
	for i := range 20 {
		fmt.Fprintf(&packs, data, i)
	}
	large := &Run{Pack: func(string, string) (string, bool, error) { return strings.Repeat("x", 2<<20), true, nil }}
	files := map[string]string{"packs/a.tf": packs.String() + profileOf("", `"a"`), "template/a.tf": profileOf("x = [for i in ["+strings.Repeat("1,", 200)+"] : templatefile(\"t\", {})]\n", `"a"`), "template/t": strings.Repeat("x\n", 4000)}
	for i := range 9 {
		files[fmt.Sprintf("large/%d.tf", i)] = strings.Repeat("#", 1<<20)
	}
	for i := range 1001 {
		files[fmt.Sprintf("many/%d.tf", i)] = ""
	}
	in(t, files)
	for path, want := range map[string]string{"packs": "the limit of 33554432 bytes of files and of values of packs that are read", "large": "at most 1000 files with 8388608 bytes", "many": "at most 1000 files"} {
		if _, err := importOf(path, "", large); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
		large.beyond, large.read = nil, 0
	}
	run := &Run{}
	for range 20 { // a run, not each module, has the limit
		if _, err := importOf("template", "", run); err != nil && strings.Contains(err.Error(), "is called more often") || run.Beyond() != nil {
			return
		}
	}
	t.Error("no limit is met")
}

// All files that are read together are bounded, and nothing is read that is no file.
func TestFilesAreBounded(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 20<<20); err != nil {
		t.Fatal(err)
	}
	text := profileOf("a = file(\"large.yaml\")\nb = file(\"large.yaml\")\n", `"a"`)
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := importOf(dir, "", &Run{}); err == nil || !strings.Contains(err.Error(), "the files that file() reads have more than 33554432 bytes in total, up to large.yaml") {
		t.Errorf("%.300v", err)
	}
}

// A long chain of locals is evaluated in its order, each local once.
func TestChain(t *testing.T) {
	const n = 5000
	var chain strings.Builder
	for i := n; i > 0; i-- {
		fmt.Fprintf(&chain, "  x%d = local.x%d\n", i, i-1)
	}
	if got := valuesOf(read(t, profileOf(chain.String()+"  x0 = \"end\"\n", fmt.Sprintf("local.x%d", n)))); got != "end" {
		t.Errorf("got %.300s", got)
	}
}

// valuesOf are the values of the first pack, or the error.
func valuesOf(p *Profile, err error) string {
	if err != nil {
		return err.Error()
	}
	return values.Text(values.Field(values.Field(p.Document.Root(), "spec", "template", "packs").Content[0], "values"))
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
		f.Add("variable \"b\" {\n  type = map(object({c = optional(any, 1)}))\n}\ndata \"spectrocloud_pack\" \"a\" {\n  count = 1\n  name = \"a\"\n  version = local.z\n}\n"+
			profileOf("x = [1, [2]]\ny = local.x\nz = local.z\n", values), "b = {c = {}}\n", "%{ for x in a ~}\n${x}\n%{ endfor }")
	}
	run := Run{Pack: func(name, version string) (string, bool, error) { return "a: 1\n", name == "a", nil }}
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
		m, err := Open(dir, &Run{Pack: run.Pack})
		if err != nil {
			t.Fatal(err)
		}
		for _, label := range m.Labels() {
			p, err := m.Read(label)
			if (p == nil) == (err == nil) {
				t.Errorf("got %v and %v", p, err)
			}
			if p == nil {
				continue
			}
			for n := range p.origins {
				for i := range strings.Split(n.Value, "\n") {
					p.Place(n, diag.Position{Line: i + 1, Column: 1})
				}
			}
		}
	})
}
