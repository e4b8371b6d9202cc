package terraform

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

const edge = `
locals {
  greeting = "hello"
  values   = "greeting: ${local.greeting}\n"
  other    = var.other
}

data "spectrocloud_pack" "k8s" {
  name = "kubernetes"
}

resource "spectrocloud_cluster_profile" "edge" {
  count       = var.deploy ? 1 : 0
  name        = "edge"
  description = null
  tags        = ["dev", "team:edge", "dev:again"]
  cloud       = "edge-native"
  type        = "cluster"

  pack {
    name          = "registry"
    tag           = "2.3.0"
    uid           = data.spectrocloud_pack.registry.id
    registry_name = "Public"
    values        = <<-EOT
      charts:
        registry:
          port: '{{ .spectro.var.port }}'
    EOT
  }
  pack {
    name   = "kubernetes"
    tag    = "1.33.x"
    values = data.spectrocloud_pack.k8s.values
  }
  pack {
    name   = "ingress"
    tag    = "1.11.x"
    values = file("${path.module}/ingress.yaml")
  }
  pack {
    name   = "outside"
    values = file("../outside.yaml")
  }
  pack {
    name   = var.name
    values = yamldecode("a")
  }
  pack {
    name = "manifests"
    type = "manifest"
    manifest {
      name    = "one"
      content = local.values
    }
  }
  dynamic "pack" {
    for_each = var.packs
    content {}
  }
  profile_variables {
    variable {
      name          = "port"
      display_name  = "Port"
      format        = "number"
      default_value = 5001
      required      = true
      is_sensitive  = "false"
    }
    variable {
      name          = "size"
      default_value = var.size
      input_type    = "dropdown"
      options {
        value = "small"
        label = "Small"
      }
    }
  }
}

resource "spectrocloud_cluster_profile" "other" {
  name = "other"
  pack {
    name   = "a"
    values = var.a
  }
}
`

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

// read reads a profile of tf/main.tf, as an import does.
func read(t *testing.T, text, name string) (*Profile, error) {
	t.Helper()
	in(t, map[string]string{"tf/main.tf": text, "tf/ingress.yaml": "a: 1\n", "outside.yaml": "b: 1\n"})
	return importOf("tf/main.tf", name, &Run{})
}

func importOf(path, name string, run *Run) (*Profile, error) {
	m, err := Open(path, run)
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

func TestRead(t *testing.T) {
	p, err := read(t, edge, "edge")
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := p.Document.Root().Decode(&got); err != nil {
		t.Fatal(err)
	}
	const want = `{"metadata": {"name": "edge", "labels": {"dev": "spectro__tag", "team": "edge"}},
"spec": {"version": "1.0.0", "template": {"type": "cluster", "cloudType": "edge-native", "packs": [
 {"name": "registry", "type": "spectro", "tag": "2.3.0", "version": "2.3.0", "values": "charts:\n  registry:\n    port: '{{ .spectro.var.port }}'\n", "registry": {"metadata": {"name": "Public"}}},
 {"name": "ingress", "type": "spectro", "tag": "1.11.x", "values": "a: 1\n"},
 {"name": "manifests", "type": "manifest", "manifests": [{"name": "one", "content": "greeting: hello\n"}]}]},
"variables": [
 {"name": "port", "displayName": "Port", "format": "number", "defaultValue": "5001", "required": true, "isSensitive": false, "inputType": "text"},
 {"name": "size", "format": "string", "inputType": "dropdown", "options": [{"value": "small", "label": "Small"}]}]}}`
	var wanted any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	notes := []string{
		"tf/main.tf:34:14: the pack kubernetes is left out: values reads data.spectrocloud_pack.k8s, which has no version",
		`tf/main.tf:43:14: the pack outside is left out: values cannot be evaluated: error in function call: Call to function "file" failed: ../outside.yaml is not in the folder of the module`,
		"tf/main.tf:46:14: the pack at line 45 is left out: name reads var.name, which no file of the module defines",
		"tf/main.tf:47:14: the pack at line 45 is left out: values calls yamldecode(), which packfn does not evaluate",
		"tf/main.tf:57:3: the block dynamic pack is left out: it is not constant",
		"tf/main.tf:72:23: default_value reads var.size, which no file of the module defines",
	}
	if diff := cmp.Diff(notes, p.Notes); diff != "" {
		t.Errorf("notes: -want +got:\n%s", diff)
	}
}

func TestFaults(t *testing.T) {
	for _, tc := range []struct{ name, text, profile, want string }{
		{"no syntax", "resource \"a\" {\n  b = \n}\n", "", "tf/main.tf:2:7: Invalid expression"},
		{"no profile", "resource \"a\" \"b\" {}\n", "", `tf/main.tf has no resource "spectrocloud_cluster_profile"`},
		{"several profiles", edge, "", "tf/main.tf has 2 profiles: edge and other; name one with --profile"},
		{"an unknown profile", edge, "egde", `--profile: no profile named "egde". Did you mean "edge"?`},
		{"nothing constant", edge, "other", "tf/main.tf: no pack of other can be read\ntf/main.tf:86:14: the pack a is left out: values reads var.a, which no file of the module defines"},
		{"deep brackets", "a = " + strings.Repeat("(", 1<<17), "", "nested deeper than 500 levels"},
		{"deep templates", "a = " + strings.Repeat(`"${`, 1<<17), "", "nested deeper than 500 levels"},
		{"as deep as can be", "a = " + strings.Repeat("(", maxDepth) + "1" + strings.Repeat(")", maxDepth), "", "has no resource"},
		{"as many operators as can be", "a = " + strings.Repeat("(", 400) + strings.Repeat("!", maxOperators-401) + "a" + strings.Repeat(")", 400), "", "has no resource"},
		{"many texts", "a = [" + strings.Repeat(`"b",`, maxOperators+1) + "]", "", "has no resource"},
		{"many elements", "a = b" + strings.Repeat("[0]", maxOperators), "", "more than 10000 operators"},
		{"deep blocks", strings.Repeat("a {\n", 1<<16), "", "nested deeper than 500 levels"},
		{"many operators", "a = " + strings.Repeat("!", 1<<15), "", "more than 10000 operators"},
		{"many conditions", "a = " + strings.Repeat("1 ? 2 : ", 1<<15), "", "more than 10000 operators"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := read(t, tc.text, tc.profile); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%.300v", err)
			}
		})
	}
}

// What is not constant, or of another kind, is left out with a note at its place. The rest is
// as the provider of Terraform has it.
func TestConstants(t *testing.T) {
	const pack = "  pack {\n    name = \"a\"\n  }\n"
	const onePack = `{"name":"a","type":"spectro"}`
	for name, tc := range map[string]struct {
		before, body string
		want, spec   string // metadata and spec
		notes        []string
	}{
		"nothing":           {"", pack, `{"name":"p"}`, `{"template":{"cloudType":"all","packs":[` + onePack + `],"type":"add-on"},"version":"1.0.0"}`, nil},
		"a number as text":  {"", "  name = 17\n  description = true\n" + pack, `{"description":"true","name":"17"}`, "", nil},
		"a list as text":    {"", "  name = [1]\n" + pack, `{"name":"p"}`, "", []string{"tf/main.tf:2:10: name is not a string"}},
		"an empty name":     {"", "  name = \"\"\n" + pack, `{"name":"p"}`, "", nil},
		"tags":              {"", "  tags = [\"a:b\", \"a:c\", null, \"d\", \"e:f:g\"]\n" + pack, `{"labels":{"a":"b","d":"spectro__tag","e":"f:g"},"name":"p"}`, "", nil},
		"tags like numbers": {"", "  tags = [\"1:2\", \"true:null\"]\n" + pack, `{"labels":{"1":"2","true":"null"},"name":"p"}`, "", nil},
		"no tags":           {"", "  tags = null\n" + pack, `{"name":"p"}`, "", nil},
		"tags of a kind":    {"", "  tags = {a = 1}\n" + pack, `{"name":"p"}`, "", []string{"tf/main.tf:2:10: tags is not a list of string"}},
		"tags of variables": {"", "  tags = [var.a]\n" + pack, `{"name":"p"}`, "", []string{"tf/main.tf:2:10: tags reads var.a, which no file of the module defines"}},
		"locals":            {"locals {\n  b = local.a\n  a = \"x\"\n}\n", "  name = local.b\n" + pack, `{"name":"x"}`, "", nil},
		"other blocks":      {"other {\n  b = \"x\"\n}\n", "  name = local.b\n" + pack, `{"name":"p"}`, "", []string{"tf/main.tf:5:10: name reads local.b, which no file of the module defines"}},
		"a block of variables": {"", pack + "  profile_variables {\n    variable {\n      name = \"v\"\n      required = \"true\"\n      hidden = \"x\"\n    }\n    dynamic \"variable\" {\n    }\n  }\n", `{"name":"p"}`,
			`{"template":{"cloudType":"all","packs":[` + onePack + `],"type":"add-on"},"variables":[{"format":"string","inputType":"text","name":"v","required":true}],"version":"1.0.0"}`,
			[]string{"tf/main.tf:9:16: hidden is not a bool", "tf/main.tf:11:5: the block dynamic is left out: it is not constant"}},
		"packs that are left out": {"", pack + "  pack {\n    tag = \"1\"\n  }\n  pack {\n    name = \"c\"\n    other {\n    }\n  }\n", `{"name":"p"}`, `{"template":{"cloudType":"all","packs":[` + onePack + `],"type":"add-on"},"version":"1.0.0"}`,
			[]string{"tf/main.tf:5:3: the pack at line 5 is left out: it has no name", "tf/main.tf:10:5: the pack c is left out: the block other is not constant"}},
	} {
		text := tc.before + "resource \"spectrocloud_cluster_profile\" \"p\" {\n" + tc.body + "}\n"
		p, err := read(t, text, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		metadata, _ := values.JSON(values.Field(p.Document.Root(), "metadata"))
		spec, _ := values.JSON(values.Field(p.Document.Root(), "spec"))
		if len(p.Document.Duplicates()) > 0 {
			t.Errorf("%s: duplicate keys", name)
		}
		for _, pair := range values.Pairs(values.Field(p.Document.Root(), "metadata", "labels")) {
			if pair.Key.ShortTag() != "!!str" {
				t.Errorf("%s: the label %s is not text", name, pair.Key.Value)
			}
		}
		if metadata != tc.want || tc.spec != "" && spec != tc.spec {
			t.Errorf("%s: got %s %s", name, metadata, spec)
		}
		if diff := cmp.Diff(tc.notes, p.Notes); diff != "" {
			t.Errorf("%s: notes: -want +got:\n%s", name, diff)
		}
	}
}
