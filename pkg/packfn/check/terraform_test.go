package check

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
)

// module is a Terraform module with the pack of profileFiles.
func module(profile string, more ...string) map[string]string {
	files := map[string]string{
		"tf/data.tf":          "data \"spectrocloud_pack\" \"web\" {\n  name    = \"web\"\n  version = \"1.0.0\"\n}\nvariable \"port\" {\n  type = number\n}\n",
		"tf/profile.tf":       profile,
		"packs/web/pack.json": sourceMetadata, "packs/web/values.yaml": sourceValues, "packs/web/schema.yaml": sourceSchema,
	}
	for i := 0; i+1 < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return files
}

const webProfile = `resource "spectrocloud_cluster_profile" "edge" {
  name = "Edge"
  pack {
    name   = data.spectrocloud_pack.web.name
    tag    = data.spectrocloud_pack.web.version
    values = VALUES
  }
}
`

// checkModule checks paths of a folder, with its packs as the sources.
func checkModule(t *testing.T, files map[string]string, paths ...string) (found, notes []string) {
	t.Helper()
	dir := folderOf(t, files)
	options := Options{Functions: suite.All(), Root: dir, Sources: []string{filepath.Join(dir, "packs")}}
	options.Note = func(line string) { notes = append(notes, strings.ReplaceAll(line, dir+"/", "")) }
	for i := range paths {
		paths[i] = filepath.Join(dir, paths[i])
	}
	r, err := runNoted(paths, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Own.Source.Text != "" && strings.HasSuffix(f.File, ".tf") {
			t.Errorf("a line of the module is shown: %s", f.Own.Source.Text)
		}
		if !strings.HasPrefix(f.Rule, "resources/") && f.Rule != "dependency/missing" && !strings.HasPrefix(f.Rule, "pack/") {
			found = append(found, fmt.Sprintf("%s:%d:%d %s %s %s: %s", f.File, f.Line, f.Column, f.Severity, f.Rule, f.Field, f.Message))
		}
	}
	return found, notes
}

// A profile in Terraform is checked as one that Palette exported, and its findings are where the
// values are written.
func TestTerraform(t *testing.T) {
	const field = "spectrocloud_cluster_profile.edge.pack[0].values: "
	for name, tc := range map[string]struct {
		values string
		path   string
		more   []string
		want   []string
	}{
		"a heredoc":                    {"<<-EOT\n      port: 101\n      host: a\n      version: 1.0.0\n    EOT\n", "tf", nil, []string{"tf/profile.tf:7:13 error values/format " + field + "port: must be a number from 1 to 100, got 101 (values.yaml)"}},
		"a file by its name":           {"<<-EOT\n      port: 101\n      host: a\n      version: 1.0.0\n    EOT\n", "tf/profile.tf", nil, []string{"tf/profile.tf:7:13 error values/format"}},
		"another file by name":         {"<<-EOT\n      port: 101\n      host: a\n      version: 1.0.0\n    EOT\n", "tf/data.tf", nil, []string{"tf/profile.tf:7:13 error values/format"}},
		"a folder above":               {`"port: 101\nhost: a\nversion: 1.0.0\n"`, ".", nil, []string{"tf/profile.tf:6:21 error values/format"}},
		"a file that is read":          {`file("values.yaml")`, "tf", []string{"tf/values.yaml", "port: 1\nhost: a\nversion: 2.0.0\n"}, []string{"tf/values.yaml:3:10 error values/readonly " + field + "version: must be the pack's own value (the key is read-only), got \"2.0.0\""}},
		"values that a function makes": {`replace(data.spectrocloud_pack.web.values, "80", "180")`, "tf", nil, []string{"tf/profile.tf:6:14 error values/format " + field + "port: must be a number from 1 to 100, got 180"}},
		"the pack's own values":        {`data.spectrocloud_pack.web.values`, "tf", nil, nil},
		"a syntax error":               {`"port: 101\nhost: a\nversion: 1.0.0\n"`, "tf", []string{"tf/broken.tf", "a {\n  password =\n}\n"}, []string{"tf/broken.tf:2:13 error input/invalid : Invalid expression", "tf/profile.tf:6:21 error values/format"}},
		"a syntax error by name":       {`"port: 101\nhost: a\nversion: 1.0.0\n"`, "tf/broken.tf", []string{"tf/broken.tf", "a {\n  password =\n}\n"}, []string{"tf/broken.tf:2:13 error input/invalid : Invalid expression", "tf/profile.tf:6:21 error values/format"}},
		"a fault of the profile":       {`"a: 1"` + "\n  }\n  type = \"clutser\"\n  pack {\n    name = \"x\"", "tf", nil, []string{`tf/profile.tf:8:10 error input/invalid : spectrocloud_cluster_profile.edge.type: must be "cluster", "infra", "add-on" or "system", got "clutser"`}},
		"nothing known, by name":       {`var.port`, "tf/profile.tf", nil, []string{"tf/profile.tf:1:1 error input/invalid : no pack of this profile can be checked"}},
		"no profile, by name":          {``, "other/a.tf", []string{"other/a.tf", "locals {}\n"}, []string{"other/a.tf:1:1 error input/invalid : no file of this folder has a resource spectrocloud_cluster_profile"}},
		"nothing known, found":         {`var.port`, "tf", nil, nil},
		"a folder of Terraform":        {`"a: ["`, "tf", []string{"tf/.terraform/modules/a/main.tf", webProfile}, []string{"tf/profile.tf:6:15 error values/invalid-yaml"}},
	} {
		found, _ := checkModule(t, module(strings.Replace(webProfile, "VALUES", tc.values, 1), tc.more...), tc.path)
		isEqual := len(found) == len(tc.want)
		for i := range min(len(found), len(tc.want)) {
			isEqual = isEqual && strings.HasPrefix(found[i], tc.want[i])
		}
		if !isEqual {
			t.Errorf("%s: got %q, want %q", name, found, tc.want)
		}
	}
}

// What is left out is named, and what only follows from that is not reported.
func TestTerraformLeftOut(t *testing.T) {
	const rest = `
resource "spectrocloud_cluster_profile" "whole" {
  name = "Whole"
  type = "cluster"
  pack {
    name   = "a"
    tag    = "1.0.0"
    values = "port: '{{ .spectro.var.unknown }}'\n"
  }
  MORE
  profile_variables {
    variable {
      name     = "unused"
      required = true
      DEFAULT
    }
    VARIABLE
  }
}
`
	for name, tc := range map[string]struct {
		more, fallback, variable string
		want                     []string // rules and severities
	}{
		"all is known":       {"", "", "", []string{"error profile/variable no variable", "info profile/variable no pack", "error profile/variable the variable"}},
		"an unknown pack":    {"pack {\n    name = var.none\n  }", "", "", []string{"error profile/variable no variable", "error profile/variable the variable"}},
		"unknown packs":      {"dynamic \"pack\" {\n  }", "", "", []string{"error profile/variable the variable"}},
		"an unknown default": {"", "default_value = var.none", "", []string{"error profile/variable no variable", "info profile/variable no pack"}},
		"unknown variables":  {"", "", "dynamic \"variable\" {\n    }", []string{"info profile/variable no pack", "error profile/variable the variable"}},
	} {
		text := strings.NewReplacer("MORE", tc.more, "DEFAULT", tc.fallback, "VARIABLE", tc.variable).Replace(rest)
		found, notes := checkModule(t, module(text), "tf")
		var got []string
		for _, line := range found {
			_, line, _ = strings.Cut(line, " ")
			rule, message, _ := strings.Cut(line, ": ")
			if at := strings.LastIndex(message, ": "); strings.HasPrefix(message, "port: ") && at > 0 {
				message = message[len("port: "):]
			}
			words := strings.Fields(message)
			got = append(got, strings.Join(append(strings.Fields(rule)[:2], words[:2]...), " "))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s\n%q", name, diff, notes)
		}
		if isNamed := strings.Contains(strings.Join(notes, "\n"), "tf/profile.tf:1"); isNamed != (name != "all is known") {
			t.Errorf("%s: %q", name, notes)
		}
	}
}

// The modules of a walk: each profile once, the files without one counted, excluded ones left out,
// and one note about the packs that no source has.
func TestTerraformInWalk(t *testing.T) {
	two := strings.Replace(webProfile, "VALUES", `"port: 1"`, 1)
	files := module(two+strings.Replace(strings.ReplaceAll(two, "edge", "other"), "data.spectrocloud_pack.web.name", `"gone"`, 1), "net/main.tf", "resource \"a\" \"b\" {}\n", "old/main.tf", webProfile, "gone/main.tf", "/*\n"+webProfile+"*/\n")
	dir := folderOf(t, files)
	var notes []string
	options := Options{Functions: suite.All(), Root: dir, Note: func(line string) { notes = append(notes, line) }}
	options.Excluded = func(name string, isDir bool) bool { return strings.HasSuffix(name, "old/main.tf") }
	r, err := runNoted([]string{dir}, options)
	if err != nil {
		t.Fatal(err)
	}
	profiles := map[string]bool{}
	for _, one := range r.Cases {
		profiles[one.File+" "+one.Resource.Name] = true
	}
	if !profiles["tf/profile.tf web"] || !profiles["tf/profile.tf gone"] || profiles["old/main.tf web"] {
		t.Errorf("%v", profiles)
	}
	all := strings.Join(notes, "\n")
	if strings.Count(all, "no source has") != 1 || !strings.Contains(all, "no source has web 1.0.0, gone 1.0.0; ") || !strings.Contains(all, "not checked: 2 files outside of packages") {
		t.Errorf("%s", all)
	}
	found, _ := checkModule(t, files, "tf/profile.tf", "tf/data.tf")
	if strings.Count(strings.Join(found, ""), "host is required") != 1 {
		t.Errorf("%q", found)
	}
}

// A limit ends the evaluation of all modules of a run.
func TestTerraformBeyondLimits(t *testing.T) {
	locals := "locals {\nx0 = [1]\n"
	for i := range 40 {
		locals += fmt.Sprintf("x%d = [local.x%d, local.x%d]\n", i+1, i, i)
	}
	found, notes := checkModule(t, module(webProfile, "tf/profile.tf", webProfile, "tf/a.tf", locals+"}\n", "tf2/main.tf", webProfile), ".")
	if len(found) != 1 || !strings.HasPrefix(found[0], "tf/a.tf:16:19 error input/invalid : the limit of 2000000 steps of evaluation is exceeded") || !strings.Contains(strings.Join(notes, "\n"), "not checked: the Terraform in tf2, ") {
		t.Errorf("%q %q", found, notes)
	}
}
