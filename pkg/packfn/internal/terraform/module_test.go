package terraform

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// site is a module in the files that people write.
var site = map[string]string{
	"m/inputs.tf": `variable "name" { default = "site" }
variable "replicas" {
  type    = number
  default = "2"
}
variable "ports" {
  type    = map(object({ http = number, tls = optional(bool, true) }))
  default = { web = { http = "80" } }
}
variable "password" { type = string }
variable "tags" {
  type    = list(string)
  default = ["a:b"]
}
`,
	"m/locals.tf": `locals {
  full  = "${local.short}.example.com"
  short = lower(var.name)
  old   = "10.0.0.0/24"
  loop  = "${local.short}${local.pool}"
  pool  = local.loop
  of    = local.loop
}
`,
	"m/data.tf": `data "spectrocloud_registry" "public" { name = "Public" }
data "spectrocloud_pack" "web" {
  name         = "web"
  version      = "1.2.0"
  registry_uid = data.spectrocloud_registry.public.id
}
data "spectrocloud_pack" "dns" {
  count   = var.replicas > 1 ? 1 : 0
  name    = local.short == "site" ? "dns" : "none"
  version = "2.0.0"
}
data "spectrocloud_pack" "latest" { name = "latest" }
data "spectrocloud_pack" "each" {
  for_each = var.tags
  name     = each.value
}
data "spectrocloud_pack_simple" "simple" {
  type    = "helm"
  name    = "simple"
  version = "0.1.0"
}
`,
	"m/profile.tf": `resource "spectrocloud_cluster_profile" "site" {
  name = var.name
  tags = concat(var.tags, ["env:x"])
  pack {
    name         = data.spectrocloud_pack.web.name
    tag          = data.spectrocloud_pack.web.version
    uid          = data.spectrocloud_pack.web.id
    registry_uid = data.spectrocloud_registry.public.id
    values       = PACK
  }
}
`,
	"m/values/web.yaml": "host: ${host}\n%{ for name, port in ports ~}\n${name}: ${port.http}\n%{ endfor ~}\n",
	"m/plain.yaml":      "plain: 1\n",
	"m/bad.yaml":        "a: ${\n",
	"m/self.yaml":       "a: ${templatefile(\"self.yaml\", {})}\n",
	"outside.yaml":      "b: 1\n",
	"m/other.json":      "{}",
}

// withPack is the module with an expression for the values of its pack, and with other files.
func withPack(values string, more ...string) map[string]string {
	files := map[string]string{}
	for name, text := range site {
		files[name] = strings.Replace(text, "PACK", values, 1)
	}
	for i := 0; i+1 < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return files
}

// sources have web 1.2.0 and dns 2.0.0.
func sources() *Run {
	return &Run{Pack: func(name, version string) (string, bool, error) {
		switch name + " " + version {
		case "web 1.2.0":
			return "net: 10.0.0.0/24\nkeep: 1\n", true, nil
		case "dns 2.0.0":
			return "zone: a\n", true, nil
		case "broken 1.0.0":
			return "", false, fmt.Errorf("no pack.json")
		}
		return "", false, nil
	}}
}

// The values of a pack are evaluated with the names of all files of its folder.
func TestValues(t *testing.T) {
	for _, tc := range []struct{ values, want string }{
		{`data.spectrocloud_pack.web.values`, "net: 10.0.0.0/24\nkeep: 1\n"},
		{`data.spectrocloud_pack.dns[0].values`, "zone: a\n"},
		{`replace(data.spectrocloud_pack.web.values, local.old, "10.1.0.0/24")`, "net: 10.1.0.0/24\nkeep: 1\n"},
		{`replace("a1b22", "/([a-z])[0-9]+/", "$1.")`, "a.b."},
		{`replace("aaa", "a", "bb")`, "bbbbbb"},
		{`replace("a/b", "/", "-")`, "a-b"},
		{`templatefile("values/web.yaml", { host = local.full, ports = var.ports })`, "host: site.example.com\nweb: 80\n"},
		{`templatefile("${path.module}/values/web.yaml", { host = 1, ports = {} })`, "host: 1\n"},
		{`file("plain.yaml")`, "plain: 1\n"},
		{`join(", ", ["a", "b"], [var.name])`, "a, b, site"},
		{`format("%s: %03d %q %v", "a", var.replicas, "x", ["y"])`, `a: 002 "x" ["y"]`},
		{`base64encode("ab")`, "YWI="},
		{`"a:\n${indent(2, "b\nc")}"`, "a:\nb\n  c"},
		{`jsonencode(merge({ a = 1 }, { b = lookup({ c = "d" }, "c", "e") }))`, `{"a":1,"b":"d"}`},
		{`join("", split(",", trimspace(" a,b ")))`, "ab"},
		{`"${length(var.tags)}${upper("a")}${chomp("b\n")}${trimprefix("cd", "c")}${trimsuffix("ef", "f")}${trim("-g-", "-")}"`, "1Abdeg"},
		{`sensitive(tostring(var.replicas))`, "2"},
		{`"${var.ports["web"].http}${var.ports.web.tls}"`, "80true"},
		{`"a" == "a" ? "x" : var.password`, "x"},

		{`var.password`, "values reads var.password, which has no default and no value in terraform.tfvars or *.auto.tfvars"},
		{`"${local.of}"`, "values reads local.of, but local.loop reads itself by way of local.pool"},
		{`local.loop`, "values reads local.loop, which reads itself by way of local.pool"},
		{`var.none`, "values reads var.none, which no file of the module defines"},
		{`replace(data.spectrocloud_pack_simple.simple.values, "a", "b")`, "values reads data.spectrocloud_pack_simple.simple.values, and no source has simple 0.1.0: name the folder of its directory with --source"},
		{`data.spectrocloud_pack.latest.values`, "values reads data.spectrocloud_pack.latest, which has no version"},
		{`data.spectrocloud_pack.each["a:b"].values`, "values reads data.spectrocloud_pack.each, which has for_each, which packfn does not evaluate"},
		{`data.spectrocloud_pack.none.values`, "values reads data.spectrocloud_pack.none.values, which no file of the module defines"},
		{`data.spectrocloud_pack.web.id`, "values reads data.spectrocloud_pack.web.id, which only Palette knows"},
		{`data.spectrocloud_registry.public.values`, "values reads data.spectrocloud_registry.public, which has no version"},
		{`data.spectrocloud_pack`, "values reads data.spectrocloud_pack, which packfn does not evaluate"},
		{`data.aws_region.here.name`, "values reads data.aws_region.here.name, which packfn does not evaluate"},
		{`module.a.b`, "values reads module.a.b, which packfn does not evaluate"},
		{`path.cwd`, "values reads path.cwd, which packfn does not evaluate"},
		{`yamlencode({ a = 1 })`, "values calls yamlencode(), which packfn does not evaluate"},
		{`join(",", [try(var.name, "")])`, "values calls try(), which packfn does not evaluate"},
		{`file("../outside.yaml")`, "../outside.yaml is not in the folder of the module"},
		{`templatefile("../outside.yaml", {})`, "../outside.yaml is not in the folder of the module"},
		{`file("none.yaml")`, "none.yaml: no such file"},
		{`templatefile("bad.yaml", {})`, "m/bad.yaml:2:1: Missing expression"},
		{`templatefile("self.yaml", {})`, `There is no function named "templatefile"`},
		{`templatefile("values/web.yaml", { host = 1 })`, "m/values/web.yaml:2:"},
		{`templatefile("values/web.yaml", "a")`, "the second argument is not a map"},
		{`format("%*d", 5, 1)`, "a width has more than 3 digits, or is an argument"},
		{`format("%d", "1e8000000")`, "number is too long"},
		{`replace("a", "/(/", "")`, "missing closing )"},
	} {
		in(t, withPack(tc.values))
		if got := valuesOf(importOf("m", "", sources())); !strings.Contains(got, tc.want) || strings.HasPrefix(tc.want, "values ") && !strings.HasSuffix(got, ": "+tc.want) {
			t.Errorf("%s: got %q, want %q", tc.values, got, tc.want)
		}
	}
}

// Variables take their values from terraform.tfvars, and then from *.auto.tfvars in the order of
// their names, else from their defaults.
func TestVariables(t *testing.T) {
	for name, tc := range map[string]struct {
		values string
		more   []string
		want   string
	}{
		"a default":                {`var.name`, nil, "site"},
		"a file":                   {`var.name`, []string{"m/terraform.tfvars", `name = "x"`}, "x"},
		"an automatic file":        {`var.name`, []string{"m/terraform.tfvars", `name = "x"`, "m/a.auto.tfvars", `name = "y"`}, "y"},
		"two automatic files":      {`var.name`, []string{"m/b.auto.tfvars", `name = "z"`, "m/a.auto.tfvars", `name = "y"`}, "z"},
		"another file":             {`var.name`, []string{"m/prod.tfvars", `name = "x"`}, "site"},
		"without a default":        {`var.password`, []string{"m/terraform.tfvars", `password = "p"`}, "p"},
		"converted":                {`"${var.replicas + 1}"`, []string{"m/terraform.tfvars", `replicas = "4"`}, "5"},
		"a function":               {`var.name`, []string{"m/terraform.tfvars", `name = lower("X")`}, "reads var.name, which cannot be evaluated"},
		"a name":                   {`var.name`, []string{"m/terraform.tfvars", `name = local.a`}, "reads var.name, which cannot be evaluated"},
		"another type":             {`"${var.replicas}"`, []string{"m/terraform.tfvars", `replicas = "many"`}, "reads var.replicas, which is not a number"},
		"a long number":            {`"${var.replicas}"`, []string{"m/terraform.tfvars", `replicas = "1e8000000"`}, "reads var.replicas, which is not a number"},
		"null":                     {`var.n`, []string{"m/n.tf", "variable \"n\" {\n  default = \"d\"\n  nullable = false\n}\n", "m/terraform.tfvars", `n = null`}, "d"},
		"null for a nullable":      {`var.n == null ? "none" : "some"`, []string{"m/n.tf", "variable \"n\" {\n  default = \"d\"\n}\n", "m/terraform.tfvars", `n = null`}, "none"},
		"an unknown type":          {`var.n`, []string{"m/n.tf", "variable \"n\" {\n  type = text\n  default = \"d\"\n}\n"}, "reads var.n, which has a type that cannot be read"},
		"a type that is evaluated": {`var.n`, []string{"m/n.tf", "variable \"n\" {\n  type = object({a = optional(any, [for x in [1] : x])})\n  default = {}\n}\n"}, "has a type that cannot be read"},
		"a file with a fault":      {`var.name`, []string{"m/terraform.tfvars", `name = `}, "reads var.name, which can have a value in m/terraform.tfvars, which is not read"},
		"a file in JSON":           {`var.name`, []string{"m/terraform.tfvars.json", `{"name": "x"}`}, "reads var.name, which can have a value in m/terraform.tfvars.json, which is not read"},
		"an override":              {`var.name`, []string{"m/override.tf", `variable "name" { default = "o" }`}, "o"},
		"an override of a local":   {`local.old`, []string{"m/my_override.tf", "locals {\n  old = \"o\"\n  new = 1\n}\n"}, "o"},
		"an override that adds":    {`var.password`, []string{"m/override.tf", `variable "password" { default = "o" }`}, "o"},
		"an override of a local that is not there": {`local.new`, []string{"m/override.tf", "locals {\n  new = \"o\"\n}\n"}, "reads local.new, which no file of the module defines"},
		"null for a fault":                         {`var.n`, []string{"m/n.tf", "variable \"n\" {\n  default = local.old\n  nullable = false\n}\n", "m/terraform.tfvars", `n = null`}, "reads var.n, which cannot be evaluated"},
		"an override of a pack":                    {`"a"`, []string{"m/override.tf", "resource \"spectrocloud_cluster_profile\" \"site\" {\n  pack {\n    name = \"b\"\n    values = \"from the override\"\n  }\n}\n"}, "from the override"},
		"a file of an editor":                      {`var.name`, []string{"m/.#override.tf", `variable "name" { default = "o" }`}, "site"},
	} {
		in(t, withPack(tc.values, tc.more...))
		if got := valuesOf(importOf("m", "", sources())); !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

// A pack with the values of its data source comes without values if no source has it: they are its
// own. Its registry has a name, and its version is that of the uid.
func TestOwnValues(t *testing.T) {
	const whole = `{"name":"web","type":"spectro","tag":"1.2.0","values":"net: 10.0.0.0/24\nkeep: 1\n","version":"1.2.0","registry":{"metadata":{"name":"Public"}}}`
	for name, tc := range map[string]struct {
		run              *Run
		old, new, values string
		want             string
	}{
		"a source has it":              {sources(), "", "", `data.spectrocloud_pack.web.values`, whole},
		"no source has it":             {&Run{}, "", "", `data.spectrocloud_pack.web.values`, strings.Replace(whole, `"values":"net: 10.0.0.0/24\nkeep: 1\n",`, "", 1)},
		"a range":                      {&Run{}, "data.spectrocloud_pack.web.version", `"1.2.x"`, `"${data.spectrocloud_pack.web.values}"`, `{"name":"web","type":"spectro","tag":"1.2.x","version":"1.2.0","registry":{"metadata":{"name":"Public"}}}`},
		"no tag":                       {&Run{}, "data.spectrocloud_pack.web.version", `null`, `data.spectrocloud_pack.web.values`, `{"name":"web","type":"spectro","version":"1.2.0","registry":{"metadata":{"name":"Public"}}}`},
		"another tag than that of uid": {&Run{}, "data.spectrocloud_pack.web.version", `"1.1.0"`, `data.spectrocloud_pack.web.values`, `{"name":"web","type":"spectro","tag":"1.1.0","version":"1.2.0","registry":{"metadata":{"name":"Public"}}}`},
		"another version":              {&Run{}, "= data.spectrocloud_pack.web.id", `= "5f"`, `data.spectrocloud_pack_simple.simple.values`, "no source has simple 0.1.0"},
		"another pack":                 {&Run{}, "data.spectrocloud_pack.web.name", `"other"`, `data.spectrocloud_pack.web.values`, "no source has web 1.2.0"},
		"another registry":             {&Run{}, "= data.spectrocloud_registry.public.id", `= var.password`, `"a"`, `{"name":"web","type":"spectro","tag":"1.2.0","values":"a","version":"1.2.0"}`},
		"a pack with a fault":          {sources(), "data \"spectrocloud_pack\" \"web\" {\n  name         = \"web\"\n  version      = \"1.2.0\"", "data \"spectrocloud_pack\" \"web\" {\n  name         = \"broken\"\n  version      = \"1.0.0\"", `data.spectrocloud_pack.web.values`, "values reads data.spectrocloud_pack.web.values: no pack.json"},
	} {
		files := withPack(tc.values)
		for file, text := range files {
			files[file] = strings.Replace(text, tc.old, tc.new, 1)
			if tc.old == "" {
				files[file] = text
			}
		}
		in(t, files)
		p, err := importOf("m", "", tc.run)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got, _ = values.JSON(values.Field(p.Document.Root(), "spec", "template", "packs").Content[0])
		}
		if strings.HasPrefix(tc.want, "{") {
			got = sortedFields(got)
			tc.want = sortedFields(tc.want)
		}
		if !strings.Contains(got, tc.want) {
			t.Errorf("%s: got\n%s, want\n%s", name, got, tc.want)
		}
		if name == "another registry" && (err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "m/profile.tf:8:20: the pack web comes without its registry: registry_uid reads var.password, which has no default")) {
			t.Errorf("%v", p)
		}
	}
}

func sortedFields(json string) string {
	d, err := values.ParseJSON(json)
	if err != nil {
		return err.Error()
	}
	var fields []string
	for _, pair := range values.Pairs(d.Root()) {
		text, _ := values.JSON(pair.Value)
		fields = append(fields, pair.Key.Value+"="+text)
	}
	slices.Sort(fields)
	return strings.Join(fields, " ")
}

// A file with a fault hides nothing of the others, and a file with profiles stands for those.
func TestOpen(t *testing.T) {
	in(t, withPack(`local.old`, "m/broken.tf", "locals {\n  x = \n  y = (\n}\n", "m/more.tf", "resource \"spectrocloud_cluster_profile\" \"more\" {\n}\n", "m/main.tf.json", "{}", "n/empty.tf", ""))
	labels := func(path string) (labels []string, faults int) {
		m, err := Open(path, &Run{})
		if err != nil {
			t.Fatal(err)
		}
		return m.Labels(), len(m.Faults)
	}
	for path, want := range map[string][]string{"m": {"more", "site"}, "m/more.tf": {"more"}, "m/inputs.tf": {"more", "site"}, "m/broken.tf": {"more", "site"}, "n": nil} {
		got, faults := labels(path)
		if diff := cmp.Diff(want, got); diff != "" || (faults > 0) != (path != "n") {
			t.Errorf("%s: %s%d faults", path, diff, faults)
		}
	}
	m, err := Open("m", &Run{})
	if err != nil || !strings.Contains(fmt.Sprint(m.Faults), "m/broken.tf:2:7: Invalid expression") {
		t.Errorf("%v %v", err, m.Faults)
	}
	if diff := cmp.Diff([]string{"m/main.tf.json is not read, because it is JSON: what it defines is unknown"}, m.Notes); diff != "" {
		t.Error(diff)
	}
	if got := valuesOf(importOf("m", "site", &Run{})); got != "10.0.0.0/24" {
		t.Errorf("got %s", got)
	}
	for path, want := range map[string]string{"m/broken.tf": "m/broken.tf:2:7: Invalid expression", "n": `n/empty.tf has no resource "spectrocloud_cluster_profile"`, "m": "m has 2 profiles: more and site; name one with --profile", "none": "no such file"} {
		if _, err := importOf(path, "", &Run{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for dir, want := range map[string]bool{"m": true, "n": false, "m/values": false, "none": false} {
		if IsModule(dir) != want {
			t.Errorf("%s: want %v", dir, want)
		}
	}
}

// A file that is not read, and a name in a file with a fault.
func TestUnreadFile(t *testing.T) {
	in(t, withPack(`local.x`, "m/broken.tf", "locals {\n  x = \n}\n"))
	if err := os.Symlink("/dev/zero", "m/zero.tf"); err != nil {
		t.Fatal(err)
	}
	m, err := Open("m", &Run{})
	if err != nil || !strings.Contains(fmt.Sprint(m.Faults), "m/zero.tf: ") {
		t.Errorf("%v %v", err, m)
	}
	if got := valuesOf(importOf("m", "", &Run{})); !strings.Contains(got, "values reads local.x, which no file that can be read defines") {
		t.Errorf("got %s", got)
	}
}

// Findings about values are where they are written.
func TestPlace(t *testing.T) {
	for name, tc := range map[string]struct{ values, text, want string }{
		"a heredoc":                  {"<<EOT\na: 1\nb: 2\nEOT\n", "2", "m/profile.tf:11:4"},
		"an indented heredoc":        {"<<-EOT\n      a: 1\n        b: ü2\n    EOT\n", "2", "m/profile.tf:11:13"},
		"a heredoc with a name":      {"<<-EOT\n    a: ${var.name}\n    c: ${var.name}${\"x\"} d\n    e: 3\n    EOT\n", "3", "m/profile.tf:12:8"},
		"after a name":               {"<<-EOT\n    a: ${var.name}\n    c: ${var.name}${\"x\"} d\n    e: 3\n    EOT\n", "d\n", "m/profile.tf:11:26"},
		"what a name has":            {"<<-EOT\n    a: 1\n    c: ${var.name}\n    EOT\n", "site", "m/profile.tf:11:10"},
		"a text in quotes":           {`"a: \"1\"\nb: $${x} \u00e4\n2: 1\n"`, "2", "m/profile.tf:9:48"},
		"a local":                    {"local.text", "2", "m/text.tf:4:4"},
		"a local in a template":      {"\"${local.text}\"", "2", "m/text.tf:4:4"},
		"a variable":                 {"(var.text)", "2", "m/terraform.tfvars:1:14"},
		"a file":                     {`file("${path.module}/plain.yaml")`, "1", "m/plain.yaml:1:8"},
		"a template":                 {`templatefile("t.yaml", {a = "x"})`, "2", "m/t.yaml:2:4"},
		"what a template has":        {`templatefile("t.yaml", {a = "x"})`, "x", "m/t.yaml:1:6"},
		"a function":                 {`replace("a: 1", "1", "2")`, "2", "none"},
		"a pack":                     {`data.spectrocloud_pack.web.values`, "1", "none"},
		"a text that is normalized":  {`"a\u0308: ${var.name} 2"`, "2", "m/profile.tf:9:42"},
		"a condition":                {`true ? "a: 1" : "b"`, "1", "none"},
		"a line behind the last one": {`"a"`, "", "m/profile.tf:9:22"},
	} {
		in(t, withPack(tc.values, "m/text.tf", "locals {\n  text = <<E\na: 1\nb: 2\nE\n}\nvariable \"text\" {}\n", "m/terraform.tfvars", "text = \"a: 1 2\"\n", "m/t.yaml", "a: ${a}\nb: 2\n"))
		p, err := importOf("m", "", sources())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n := values.Field(values.Field(p.Document.Root(), "spec", "template", "packs").Content[0], "values")
		before, _, ok := strings.Cut(n.Value, tc.text)
		if !ok || tc.text == "" {
			before = n.Value
		}
		at := values.NewLines(n.Value).Position(len(before))
		got := "none"
		if file, in, ok := p.Place(n, at); ok {
			got = fmt.Sprintf("%s:%d:%d", file, in.Line, in.Column)
		}
		if got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
		if _, _, ok := p.Place(n, diag.Position{}); ok {
			t.Errorf("%s: a place of nothing", name)
		}
	}
}

func TestField(t *testing.T) {
	p := &Profile{Label: "p", blocks: []int{0, 2}}
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

// What is left out of a profile is unknown there.
func TestUnknown(t *testing.T) {
	const pack = "  pack {\n    name = \"a\"\n  }\n"
	for body, want := range map[string]string{
		pack: "",
		pack + "  pack {\n    name = var.x\n  }\n": "spec.template.packs",
		pack + "  profile_variables {\n    variable {\n      name = \"v\"\n    }\n    variable {\n      name = \"w\"\n      default_value = var.x\n    }\n  }\n": "spec.variables[1].defaultValue",
		pack + "  profile_variables {\n    variable {\n      name = var.x\n    }\n  }\n":                                                                         "spec.variables",
		pack + "  profile_variables {\n    dynamic \"variable\" {\n    }\n  }\n":                                                                                 "spec.variables",
	} {
		p, err := read(t, "resource \"spectrocloud_cluster_profile\" \"p\" {\n"+body+"}\n", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"spec.template.packs", "spec.variables", "spec.variables[1].defaultValue"} {
			if p.IsUnknown(path) != (path == want) {
				t.Errorf("%s: %s, want %s", body, path, want)
			}
		}
	}
}
