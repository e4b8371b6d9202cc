package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestTemplateCommands(t *testing.T) {
	for _, tc := range []commandTest{
		{"template platform", 0, []string{"---\n# Source: registry/registry/templates/deployment.yaml\napiVersion: apps/v1\n"}, nil},
		{"template ../packs/registry-2.4.0 --to made", 0, nil, []string{"made: 1 file"}},
		{"template platform --to drafts", 2, nil, []string{"--to: drafts is not empty"}},
		{"template platform drafts/fails --source ../packs", 1, []string{"# Source: registry/"}, []string{"drafts/fails", "error: ", "2 |", "^", "", "1 error"}},
		{"template drafts/fails --to made", 1, nil, []string{"drafts/fails", "error: ", "2 |", "^", "", "1 error", "made: 0 files"}},
		{"template ../profiles/edge-site.json", 1, []string{"# Source: registry/"}, []string{"registry: 2 values with a macro, rendered as written", "edge-site.json", "site-namespaces: spec.template.packs[2]: nothing of the pack is rendered", "", "1 error"}},
		{"template drafts/two/b.yaml", 2, nil, []string{"drafts/two/b.yaml: no pack is here. Give packages with packs, or pack directories"}},
		{"template platform --pack none", 2, nil, []string{`--pack: no pack named "none". Available: "registry"`}},
		{"template platform --source none", 2, nil, []string{"packfn: none: no such file"}},
		{"template platform --source oci://HOST", 2, nil, []string{"oci://HOST"}},
		{"template platform --charts none", 2, nil, []string{"packfn: none: no such file"}},
		{"template platform --timeout 0s", 2, nil, []string{", got 0s"}},
		{"template ../packs/registry-2.4.0 --kube-version 1.x", 2, nil, []string{`, got "1.x"`}},
		{"template", 2, nil, []string{"got 0 arguments. Usage: packfn template PACKAGE|PACK-DIR… [flags]"}},
		{"images platform", 0, []string{"registry.example.com/library/registry:2.8.3  registry  Deployment/registry\n"}, nil},
		{"images platform --format json", 0, []string{"[\n  {\n    \"image\": \"registry.example.com/library/registry:2.8.3\","}, nil},
		{"images ../packs/cache-1.4.0", 0, nil, nil},
		{"images ../packs/cache-1.4.0 --format json", 0, []string{"[]\n"}, nil},
		{"images drafts/fails --format json", 1, []string{"[]\n"}, []string{"drafts/fails", "error: ", "2 |", "^", "", "1 error"}},
		{"images drafts/fails", 1, nil, []string{"drafts/fails", "error: ", "2 |", "^", "", "1 error"}},
		{"images ../packs/registry-2.3.0 ../packs/registry-2.3.0", 0, []string{"registry  Deployment/registry\n", "!Deployment/registry\nregistry.example.com"}, nil},
		{"images platform --format x", 2, nil, []string{`--format: must be "lines" or "json", got "x"`}},
		{"images none", 2, nil, []string{"packfn: none: no such file"}},
		{"images platform --source none", 2, nil, []string{"packfn: none: no such file"}},
	} {
		tc.run(t)
	}
}

// The manifests of a template are one file.
func TestTemplateOut(t *testing.T) {
	inRepository(t)
	var out bytes.Buffer
	if exit := mainOf(&out, &out, "template", "drafts/odd", "../packs/registry-2.4.0", "--to", "made"); exit != 0 || out.String() != "made: 2 files\n" {
		t.Errorf("exit code %d, %s", exit, out.String())
	}
	const source = "# Source: odd/c/templates/a.yaml\n"
	want := "---\n" + source + "apiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n---\n" + source + "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: \"\u202e\"}\n"
	if text, err := os.ReadFile("made/odd/c/templates/a.yaml"); err != nil || string(text) != want {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestRenderCommand(t *testing.T) {
	for _, tc := range []commandTest{
		{"render platform", 0, []string{clean + "\n"}, []string{"platform: 2 functions ran, 0 files changed"}},
		{"render drafts/mutated --notes", 0, []string{"preset/applied"}, []string{"drafts/mutated: 1 function ran, 1 file changed"}},
		{"render drafts/package", 1, []string{"values/format"}, []string{"drafts/package/link.yaml is a symbolic link out of the package; it is not read", "drafts/package: nothing is written"}},
		{"render drafts/package --fail-on never", 0, []string{"values/format"}, []string{"link.yaml", "drafts/package: nothing is written"}},
		{"render drafts/warned", 0, []string{"warning: ", "1 warning"}, []string{"1 function ran"}},
		{"render drafts/warned --quiet", 0, []string{"!warning: ", "1 warning"}, []string{"1 function ran"}},
		{"render drafts/warned --fail-on warning", 1, []string{"warning: "}, []string{"1 function ran"}},
		{"render drafts/warned --config drafts/warnings.yaml", 1, []string{"warning: "}, []string{"1 function ran"}},
		{"render drafts/warned --config drafts/warnings.yaml --fail-on error --to made", 0, []string{"warning: "}, []string{"made: 2 files written"}},
		{"render drafts/warned --fail-on warnings", 2, nil, []string{`--fail-on: must be "error", "warning" or "never", got "warnings". Did you mean "warning"?`}},
		{"render drafts/warned --fail-on new", 2, nil, []string{"must be \"error\", \"warning\" or \"never\""}},
		{"render platform --kpt --fail-on never", 2, nil, []string{"--kpt and --fail-on exclude each other"}},
		{"render drafts/package platform", 1, []string{"values/format"}, []string{"link.yaml", "drafts/package: nothing is written", "platform: 2 functions ran"}},
		{"render drafts/skipped", 1, []string{"values/format"}, []string{"packfn v0.1.0 runs in place of i/check-resources:v9.9.9", "drafts/skipped: nothing is written", "kpt writes what ran before an error, because the Kptfile has the annotation kpt.dev/save-on-render-failure", "drafts/skipped/Kptfile: pipeline.validators[0] of check-resources is skipped: its field when is false"}},
		{"render drafts/local", 0, []string{clean}, []string{"drafts/local: 0 functions ran, 0 files changed"}},
		{"render drafts/mode", 2, nil, []string{"drafts/mode is not a package: it has no Kptfile"}},
		{"render none", 2, nil, []string{"packfn: none: no such file"}},
		{"render", 2, nil, []string{"link.yaml", ". is not a package"}},
		{"render platform ./platform", 2, nil, []string{"platform is in ./platform, which is rendered with it; name one of them"}},
		{"render platform -- --allow-exec", 2, nil, []string{"arguments after -- are for kpt; add --kpt"}},
		{"render platform --kpt --to made", 2, nil, []string{"--to is for packfn; give kpt its flag --output after --"}},
		{"render platform --deployable", 2, nil, []string{"--deployable: want --to with a folder or -"}},
		{"render platform drafts/mutated --to made", 2, nil, []string{"--to takes one package, got 2"}},
		{"render platform --to platform/made", 2, nil, []string{"--to: platform/made is in the package platform"}},
		{"render platform --to drafts", 2, nil, []string{"--to: drafts is not empty"}},
		{"render platform --to made", 0, []string{clean}, []string{"made: 3 files written"}},
		{"render drafts/mutated --to made --format json", 0, []string{"preset/applied", `!"fingerprint": ""`}, []string{"made: 2 files written"}},
		{"render drafts/mutated --format json", 0, []string{"preset/applied", `!"fingerprint": ""`}, []string{"1 function ran"}},
		{"render platform --to made --deployable", 0, []string{clean}, []string{"made: 1 file written"}},
		{"render platform --to made --deployable && check made", 0, []string{clean}, []string{"not checked: 1 file outside"}},
		{"render platform --to -", 0, []string{"apiVersion: kpt.dev/v1\n", "kind: ConfigMap", "!" + clean}, []string{clean}},
		{"render platform --to - --deployable", 0, []string{"kind: Namespace", "!Kptfile", "!ConfigMap"}, []string{clean}},
		{"render platform --to - --format json --output made", 0, []string{"kind: Namespace"}, nil},
		{"render drafts/local --to - --deployable", 0, nil, []string{"drafts/local: no resource is left", clean}},
		{"render drafts/package --to -", 1, nil, []string{"link.yaml", "drafts/package: nothing is written", "drafts/package/a.yaml", "error: ", "7 |", "^", "", "1 error"}},
		{"render drafts/mode --to -", 2, nil, []string{"drafts/mode is not a package"}},
		{"render platform --format x", 2, nil, []string{`, got "x"`}},
	} {
		tc.run(t)
	}
	// By a kpt on PATH, which takes what comes after --, and without one.
	path := t.TempDir()
	t.Setenv("PATH", path)
	commandTest{"render --kpt platform", 2, nil, []string{"--kpt: there is no kpt on PATH"}}.run(t)
	commandTest{"fleet --kpt", 2, nil, []string{"--kpt: there is no kpt on PATH"}}.run(t)
	const script = "#!/bin/sh\necho \"$@\"\necho a note >&2\ncase $3 in fails) exit 3;; dies) kill -9 $$;; esac\n"
	if err := os.WriteFile(filepath.Join(path, "kpt"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []commandTest{
		{"render --kpt", 0, []string{"fn render .\n"}, []string{"a note"}},
		{"render --kpt platform other -- --allow-exec", 0, []string{"fn render platform --allow-exec\nfn render other --allow-exec\n"}, []string{"a note", "a note"}},
		{"render --kpt fails other", 1, []string{"fn render fails\nfn render other\n"}, []string{"a note", "a note"}},
		{"render --kpt dies other", 2, []string{"fn render dies\n", "!other"}, []string{"a note", "packfn: signal: killed"}},
		{"fleet --kpt", 0, []string{"1 can be deployed"}, nil},
		{"fleet -- --allow-exec", 2, nil, []string{"arguments after -- are for kpt; add --kpt"}},
		{"fleet x --kpt -- --allow-exec", 2, nil, []string{"got 2 arguments. Usage: packfn fleet"}},
	} {
		tc.run(t)
	}
}

func TestFleetCommand(t *testing.T) {
	for _, tc := range []commandTest{
		{"fleet", 0, []string{"edge-1    can be deployed", "1 cluster: 1 can be deployed"}, nil},
		{"fleet --config none", 2, nil, []string{`required flag(s) "set", "upstream" not set. Usage: packfn fleet --set PATH`}},
		{"fleet --config none --set clusters", 2, nil, []string{`required flag(s) "upstream" not set`}},
		{"fleet --config none --set clusters --upstream platform", 0, []string{"1 can be deployed"}, nil},
		{"fleet --set none", 2, nil, []string{"none: no such file"}},
		{"fleet --upstream none", 2, nil, []string{"--upstream: "}},
		{"fleet --upstream packfn.yaml", 2, nil, []string{"--upstream: "}},
		{"fleet --downstream none=", 2, nil, []string{`, got "none="`}},
		{"fleet --format x", 2, nil, []string{`, got "x"`}},
		{"fleet --config absent", 2, nil, []string{"--config: "}},
		{"fleet --fail-on nw", 2, nil, []string{`--fail-on: must be "error", "warning", "never" or "new", got "nw". Did you mean "new"?`}},
		{"fleet --fail-on any", 2, nil, []string{`Did you mean "error"?`}},
		{"fleet --out made", 2, nil, []string{"unknown flag: --out (did you mean --to?)"}},
		{"fleet --fail-on warning --like kpt", 0, []string{"1 can be deployed"}, nil},
		{"fleet --fail-on warning", 1, []string{"warning variant-set/not-in-porch"}, nil},
		{"fleet --config drafts/warnings.yaml --set clusters --upstream platform", 1, []string{"warning variant-set/not-in-porch"}, nil},
		{"fleet --upstream blueprints/platform=drafts/package --like kpt --fail-on never", 0, []string{"1 refused"}, nil},
		{"template platform --out made", 2, nil, []string{"unknown flag: --out (did you mean --to?)"}},
		{"upgrade platform registry --to 2.4.x", 2, nil, []string{"unknown flag: --to (did you mean --version?)"}},
		{"report drafts/results.yaml --fail-on never", 0, []string{"1 error"}, nil},
		{"report drafts/results.yaml --fail-on new", 2, nil, []string{"must be \"error\", \"warning\" or \"never\""}},
		{"report drafts/results.yaml --merge --package platform", 2, nil, []string{"--merge and --package exclude each other"}},
		{"fleet --notes --upstream blueprints/platform=drafts/mutated --like kpt", 0, []string{"info preset/applied: 1 of 1 cluster", " failed; 2 notes\n"}, nil},
		{"fleet --upstream blueprints/platform=drafts/mutated --like kpt", 0, []string{"!info ", " failed; 2 notes (--notes shows them)\n"}, nil},
		{"fleet --quiet --upstream blueprints/platform=drafts/mutated --like kpt", 0, []string{"!info ", " failed; 2 notes\n"}, nil},
		{"fleet --quiet", 0, []string{"!warning ", " failed\n"}, nil},
		{"fleet --quiet --fail-on warning", 1, []string{"warning variant-set/not-in-porch"}, nil},
		{"fleet --quiet --notes", 2, nil, []string{"--notes and --quiet exclude each other"}},
		{"fleet --notes --format json", 2, nil, []string{"--notes is for the table"}},
		{"fleet --shard 0/1 -o made --notes", 2, nil, []string{"--notes: a shard has no report"}},
		{"fleet --shard 0/1 -o made --upstream blueprints/platform=drafts/mutated --like kpt && report --merge made --notes", 0, []string{"info preset/applied", "; 2 notes\n"}, nil},
		{"fleet --fail-on new", 2, nil, []string{"--fail-on new needs --against with the folder of an earlier run"}},
		{"fleet --template", 2, nil, []string{"--template needs --against with the folder of an earlier run"}},
		{"fleet --template --against x --format json", 2, nil, []string{"--template: the differences follow the table; remove --format and --output"}},
		{"fleet --template --against x --shard 0/2 -o made", 2, nil, []string{"--shard and --template exclude each other"}},
		{"fleet --charts x", 2, nil, []string{"--charts is only for --template"}},
		{"fleet --template --against x --source none", 2, nil, []string{"no such file"}},
		{"fleet --to before && fleet --against before --template", 0, []string{"no change in 1 cluster", "no package changes, so no manifest does"}, nil},
		{"fleet --shard x/2", 2, nil, []string{`, got "x/2"`}},
		{"fleet --shard 0/2", 2, nil, []string{"--shard: want --output with the file for the shard"}},
		{"fleet --shard 0/2 --format json -o made", 2, nil, []string{"--format: a shard has no report; give it to packfn report --merge"}},
		{"fleet --shard 0/2 --all -o made", 2, nil, []string{"--all: a shard has no report"}},
		{"fleet --shard 0/1 -o made && report --merge made", 0, []string{"1 can be deployed"}, nil},
		{"fleet --shard 0/1 -o made && report --merge made --fail-on new", 2, nil, []string{"--fail-on new: the shards were computed without --against"}},
		{"fleet --to before && fleet --upstream blueprints/platform=drafts/package --like kpt --against before --shard 0/1 -o made && report --merge made --show-values", 2, nil, []string{"--show-values: the shards were computed without it"}},
		{"fleet --to before && fleet --upstream blueprints/platform=drafts/package --like kpt --against before --shard 0/1 --show-values -o made && report --merge made --show-values", 1, []string{"+    token: hunter2"}, nil},
		{"fleet --to before && fleet --upstream blueprints/platform=drafts/package --like kpt --against before", 1, []string{"token: •••", "!hunter"}, nil},
		{"fleet --to before && fleet --upstream blueprints/platform=drafts/package --like kpt --against before --shard 0/1 -o made && report --merge made --fail-on new", 1, []string{"1 refused"}, nil},
		{"fleet --shard 0/1 -o made && report --merge made --format html", 0, []string{"<!doctype html>"}, nil},
		{"fleet --to platform/made", 2, nil, []string{"--to: platform/made is in the package platform, which would get the packages of all clusters"}},
		{"fleet --to drafts", 2, nil, []string{"--to: drafts is not empty"}},
		{"fleet --to made", 0, []string{"1 can be deployed"}, nil},
		{"fleet --to made && fleet --against made", 0, []string{"no change in 1 cluster"}, nil},
		{"fleet --to made && fleet --against made --fail-on new", 0, []string{"no change in 1 cluster"}, nil},
		{"fleet --against none", 2, nil, []string{"--against: "}},
		{"fleet --against platform --fail-on new", 2, nil, []string{"platform: outcomes cannot be compared", "--fail-on new: the earlier folder has no record of outcomes"}},
		{"fleet --upstream blueprints/platform=drafts/package", 1, []string{"1 refused"}, nil},
		{"fleet --like kpt --upstream blueprints/platform=drafts/package --to made", 1, []string{"1 refused"}, []string{"made has the packages as rendered, also 1 package that must not be deployed"}},
		{"fleet --to made && fleet --upstream blueprints/platform=drafts/package --against made --fail-on new", 1, []string{"1 refused"}, nil},
		{"fleet --upstream blueprints/platform=drafts/package --to made && fleet --upstream blueprints/platform=drafts/package --against made --fail-on new", 0, []string{"1 refused"}, nil},
		{"fleet --format html", 0, []string{"<!doctype html>"}, nil},
		{"fleet --format json --output made", 0, nil, nil},
		{"fleet x", 2, nil, []string{"got 1 argument. Usage: packfn fleet"}},
		{"report none", 2, nil, []string{"none: "}},
		{"report drafts/results.yaml", 1, []string{"error: ", "a fault [a/b]", "1 error, 1 warning"}, nil},
		{"report drafts/results.yaml --package drafts/mode --format github", 1, []string{"::error file=drafts/mode/pack.yaml,line=3", "::warning "}, nil},
		{"report drafts/results.yaml --output made", 1, nil, nil},
		{"report drafts/results.yaml --package drafts/mod", 2, nil, []string{"--package: stat drafts/mod"}},
		{"report drafts/results.yaml --package drafts/mode/pack.yaml", 2, nil, []string{"--package: drafts/mode/pack.yaml is a file, not a folder"}},
		{"report none --format x", 2, nil, []string{`, got "x"`}},
		{"report none --all", 2, nil, []string{"--all is only for --merge"}},
		{"report none --fail-on new", 2, nil, []string{"must be \"error\", \"warning\" or \"never\""}},
		{"report none --show-values", 2, nil, []string{"--show-values is only for --merge"}},
		{"report none --merge --package x", 2, nil, []string{"--merge and --package exclude each other"}},
		{"report none --merge --fail-on x", 2, nil, []string{`, got "x"`}},
		{"report none --merge --format github", 2, nil, []string{`, got "github"`}},
		{"report none --merge", 2, nil, []string{"--merge: none: "}},
	} {
		tc.run(t)
	}
}

func TestUpgradeCommand(t *testing.T) {
	const from = "platform/registry.yaml: the directory that it was imported from is ../packs/registry-2.3.0"
	for _, tc := range []commandTest{
		{"upgrade platform ../packs/registry-2.4.0", 0, []string{"upgrade/changed-default"}, []string{from}},
		{"upgrade platform ../packs/registry-2.4.0 --from ../packs/registry-2.3.0", 0, []string{"upgrade/changed-default"}, nil},
		{"upgrade platform ../packs/registry-2.4.0 --source ../packs-with-faults", 1, []string{"upgrade/edited", "upgrade/changed-default"}, nil},
		{"upgrade platform ../packs/registry-2.4.0 --config none", 1, []string{"upgrade/edited", "upgrade/changed-default"}, nil},
		{"upgrade platform ../packs/registry-2.4.0 --config none --write", 1, []string{"upgrade/edited"}, []string{"nothing is written"}},
		{"upgrade platform ../packs/registry-2.4.0 --config none --write && list packs platform", 0, []string{"registry  2.3.0"}, nil},
		{"upgrade platform ../packs/registry-2.4.0 --config none --discard-edits", 0, []string{"!upgrade/edited", "upgrade/changed-default"}, []string{"platform/registry.yaml: edits of the values of registry look like old defaults, and are dropped"}},
		{"upgrade platform ../packs/registry-2.4.0 --source none", 2, nil, []string{"none: no such file"}},
		{"upgrade platform ../packs/registry-2.4.0 --source oci://HOST", 2, nil, []string{"oci://HOST"}},
		{"upgrade platform ../packs/registry-2.4.0 --write", 0, []string{"upgrade/changed-default"}, []string{from, "platform: 1 file written"}},
		{"upgrade platform ../packs/registry-2.4.0 --write && list packs platform", 0, []string{"registry  2.4.0"}, nil},
		{"upgrade platform ../packs/registry-2.4.0 && list packs platform", 0, []string{"registry  2.3.0"}, nil},
		{"upgrade platform registry --version 2.4.x", 0, []string{"upgrade/changed-default"}, []string{"registry 2.4.x is ../packs/registry-2.4.0", from}},
		{"upgrade platform registry --version 9.x", 2, nil, []string{"--version: no version of registry is 9.x; the sources have 2.3.0 or 2.4.0"}},
		{"upgrade platform registry --version 2.x --source none", 2, nil, []string{"none: no such file"}},
		{"upgrade platform none --version 2.x", 2, nil, []string{"no source has a pack of the name none; with --version, name packs of the package, and their sources by --source"}},
		{"upgrade platform ../packs/registry-2.4.0 --template", 0, []string{"upgrade/changed-default", "\n\nDeployment/registry: changed\n", "1 change in the rendered manifests\n"}, []string{from}},
		{"upgrade platform ../packs/registry-2.4.0 --template --from ../packs/registry-2.3.0 --config none", 0, []string{"1 change in the rendered manifests\n"}, nil},
		{"upgrade platform ../packs/registry-2.4.0 --template --config none", 2, nil, []string{"--template: name the directory with the charts of the old version, by --from, --charts or --source"}},
		{"upgrade platform ../packs/registry-2.4.0 --template --source ../packs-with-faults", 1, []string{"in the rendered manifests\n"}, []string{"platform/registry.yaml", "nothing of the pack is rendered: its charts are unknown", "1 |", "^", "", "1 error"}},
		{"upgrade platform ../packs/registry-2.4.0 --template --format json", 2, nil, []string{"--template: the differences follow the table; remove --format and --output"}},
		{"upgrade platform ../packs/registry-2.4.0 --template --output made", 2, nil, []string{"--template: the differences follow the table; remove --format and --output"}},
		{"upgrade platform ../packs/registry-2.4.0 --template --timeout 0s", 2, nil, []string{", got 0s"}},
		{"upgrade platform none", 2, nil, []string{"none"}},
		{"upgrade none ../packs/registry-2.4.0", 2, nil, []string{"none"}},
		{"upgrade platform oci://HOST", 2, nil, []string{"oci://HOST"}},
		{"upgrade platform ../packs/registry-2.4.0 --format x", 2, nil, []string{`, got "x"`}},
		{"upgrade platform", 2, nil, []string{"got 1 argument. Usage: packfn upgrade"}},
	} {
		tc.run(t)
	}
}

// Without a folder for the cache, no command takes packs of registries.
func TestNoCache(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	const oci = "oci://127.0.0.1:1/packs"
	for _, command := range []string{
		"check platform --source " + oci, "template platform --source " + oci, "import " + oci + "/a:1.0.0 --to made", "import ../profiles/edge-site.json --to made --source " + oci,
		"list packs " + oci, "upgrade platform registry --version 2.x --source " + oci, "upgrade platform ../packs/registry-2.4.0 --source " + oci, "upgrade platform " + oci + "/registry:2.4.0",
	} {
		commandTest{command, 2, nil, []string{"HOME"}}.run(t)
	}
}

// What is asked of a registry that does not answer fails, and what is not needed from it does not.
func TestNoRegistry(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const oci, refused = "oci://127.0.0.1:1/packs", "connection refused"
	for _, tc := range []commandTest{
		{"check platform --source " + oci, 0, []string{clean}, nil},
		{"check drafts/charted.yaml --source " + oci, 0, []string{"0 errors"}, []string{"the cache has no archives of them from " + oci}},
		{"template platform --source " + oci, 1, nil, []string{"platform/registry.yaml", "its charts are unknown", "1 |", "^", "", "1 error"}},
		{"import " + oci + "/a:1.0.0 --to made", 2, nil, []string{refused}},
		{"import ../profiles/edge-site.json --to made --source " + oci, 0, nil, []string{refused, refused, "no source has registry 2.3.0, ingress 1.11.3", "registry", "ingress", "site-namespaces", "edge-site", "has no Kptfile"}},
		{"list packs " + oci, 2, nil, []string{refused}},
		{"upgrade platform registry --version 2.x --source " + oci, 2, nil, []string{refused}},
		{"upgrade platform registry --version 2.4.x --source ../packs --source " + oci, 0, []string{"upgrade/changed-default"}, []string{"registry 2.4.x is ../packs/registry-2.4.0", "imported from"}},
		{"upgrade platform " + oci + "/registry:2.4.0", 2, nil, []string{refused}},
	} {
		tc.run(t)
	}
}

func TestTransferCommands(t *testing.T) {
	const kptfile = "has no Kptfile; kpt needs one"
	for _, tc := range []commandTest{
		{"import ../packs/registry-2.4.0 --to made", 0, nil, []string{"made/registry.yaml: registry 2.4.0", kptfile}},
		{"import ../packs/registry-2.4.0 --to made --kptfile", 0, nil, []string{"made/registry.yaml: registry 2.4.0", "Kptfile"}},
		{"import ../packs/registry-2.4.0 --to made --exec", 0, nil, []string{"made/registry.yaml: registry 2.4.0", "Kptfile"}},
		{"import ../packs/registry-2.4.0 --to made --as x", 2, nil, []string{`--as: must be "configmap" or "pack", got "x"`}},
		{"import ../packs/registry-2.4.0 --to made --as pack", 0, nil, []string{"made/registry.yaml: registry 2.4.0", kptfile}},
		{"import ../packs/registry-2.4.0 --to made --name one=../packs/./registry-2.4.0", 0, nil, []string{"made/one.yaml: registry 2.4.0", kptfile}},
		{"import ../packs/registry-2.4.0 --to made --name one", 2, nil, []string{"--name one: want NEW=DIR"}},
		{"import ../packs/registry-2.4.0 --to made --name one=", 2, nil, []string{"--name one=: want NEW=DIR"}},
		{"import ../packs/registry-2.4.0 --to made --name One=a", 2, nil, []string{`--name One=a: "One" is not a name`}},
		{"import none --to made", 2, nil, []string{"none"}},
		{"import oci://HOST --to made", 2, nil, []string{"oci://HOST"}},
		{"import oci://user:hunter2@host/a:1 --to made", 2, nil, []string{"oci://•••@host/a:1: a reference cannot name a user or a password"}},
		{"export platform --to oci://user:hunter2@host/a", 2, nil, []string{"oci://•••@host/a: a reference cannot name a user"}},
		{"check platform --source oci://user:hunter2@host/a", 2, nil, []string{"oci://•••@host/a: a reference cannot name a user"}},
		{"check oci://user:hunter2@host/a", 2, nil, []string{"oci://•••@host/a: no such file"}},
		{"import ../profiles/edge-site.json --to made", 0, nil, []string{"registry.yaml", "ingress.yaml", "site-namespaces.yaml", "made/edge-site.yaml: the profile Edge Site with 3 packs", kptfile}},
		{"import ../profiles/edge-site.json --to made --source none", 2, nil, []string{"none: no such file"}},
		{"import ../profiles/edge-site.json --to made --source oci://HOST", 2, nil, []string{"oci://HOST"}},
		{"import packfn.yaml ../packs/cache-1.4.0/pack.json --to made", 2, nil, []string{"not a cluster profile"}},
		{"import ../packs/registry-2.4.0 --to q && export q --to made", 0, nil, []string{"made/registry: 4 new files of registry"}},
		{"export drafts/mode/pack.yaml --to made", 0, nil, []string{"made/mode: "}},
		{"export drafts/mode/pack.yaml --to made --effective && check made --config none", 1, []string{"made/mode/values.yaml"}, nil},
		{"export drafts/mode/pack.yaml --to made --effective && list values made --config none --show-values", 0, []string{"token  hunter3"}, nil},
		{"export drafts/mode/pack.yaml --to made && list values made --config none --show-values", 0, []string{"token  hunter2"}, nil},
		{"export drafts/package --to made", 0, nil, []string{"drafts/package/link.yaml is a symbolic link out of the folder; it is not read", "made/mode: "}},
		{"export drafts/two/b.yaml --to made", 2, nil, []string{"drafts/two/b.yaml has no packs"}},
		{"export drafts/mode/pack.yaml --to packfn.yaml/made", 2, nil, []string{"mode/pack.json: not a directory", "mode/values.yaml", "mode/schema.yaml", "mode/presets.yaml"}},
		{"import ../packs/registry-2.4.0 --to packfn.yaml/made", 2, nil, []string{"not a directory"}},
		{"export none --to made", 2, nil, []string{"none"}},
		{"export platform", 2, nil, []string{"--to is missing: name the folder for the files of packs"}},
		{"export platform --as helm", 2, nil, []string{"--to is missing"}},
		{"export platform --as x", 2, nil, []string{`--as: must be "packs", "helm" or "profile", got "x"`}},
		{"export platform --as profile", 2, nil, []string{"ClusterProfile"}},
		{"import ../profiles/edge-site.json --to q && export q --as profile", 0, []string{`"name": "Edge Site"`}, nil},
		{"import ../profiles/edge-site.json --to q && export q --as profile --to made", 0, nil, []string{"made: a cluster profile"}},
		{"import ../profiles/edge-site.json --to q && export q --as profile --to packfn.yaml", 2, nil, []string{"packfn.yaml is there already with other content; use --force to replace it"}},
		{"import ../profiles/edge-site.json --to q && export q --as profile --to packfn.yaml --force", 0, nil, []string{"packfn.yaml: a cluster profile"}},
		{"import ../profiles/edge-site.json --to q && export q --as profile --to made && export q --as profile --to made", 0, nil, []string{"made: a cluster profile"}},
		{"import ../profiles/edge-site.json --to q && export q --as profile --to platform", 2, nil, []string{"platform"}},
		{"import ../profiles/edge-site.json --to q && export q --as profile --profile none", 2, nil, []string{"none"}},
	} {
		tc.run(t)
	}
}
