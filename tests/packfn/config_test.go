package packfn

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

const configHead = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\n"

// repositoryWithConfig is a repository with a package, a pack directory, an excluded folder and
// a packfn.yaml.
func repositoryWithConfig(t *testing.T, config string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":                               "",
		"packfn.yaml":                             configHead + config,
		".github/workflows/a.yml":                 "on: push\njobs: {}\n",
		"platform/Kptfile":                        kptfileText,
		"platform/vault.yaml":                     packResource("registry:\n  port: 70000\n  token: xyz\n"),
		"old/Kptfile":                             kptfileText,
		"old/vault.yaml":                          packResource("registry:\n  port: 70000\n  token: xyz\n"),
		"packs/web-1.0.0/pack.json":               `{"name": "web", "version": "1.0.0", "charts": ["charts/c"]}`,
		"packs/web-1.0.0/values.yaml":             "charts:\n  c:\n    used: 1\n    unused: 2\n",
		"packs/web-1.0.0/charts/c/Chart.yaml":     "name: c\nversion: 1.0.0\n",
		"packs/web-1.0.0/charts/c/values.yaml":    "used: 1\n",
		"packs/web-1.0.0/charts/c/templates/a.in": "",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// Check, without arguments and flags, does what the configuration says. A flag wins.
func TestConfiguration(t *testing.T) {
	const platform, old = "platform/vault.yaml", "old/vault.yaml"
	for _, tc := range []struct {
		config, args string
		exit         int
		want, words  []string
	}{
		{"", "", 1, []string{old, platform}, nil},
		{"exclude: [old/]\n", "", 1, []string{platform}, []string{"1 excluded path"}},
		{"exclude: [old/]\n", "--verbose", 1, []string{platform}, []string{"old is not checked: it is excluded"}},
		{"exclude: [old/]\n", "old", 1, []string{old}, nil},
		{"exclude: [old/]\n", "--exclude platform", 1, []string{old}, nil},
		{"exclude: [old/]\n", "--config none", 1, []string{old, platform}, nil},
		{"exclude: [old/]\n", "--config other.yaml", 1, []string{old}, nil},
		{"exclude: ['**/vault.yaml']\n", "", 1, []string{old, platform}, []string{"platform/vault.yaml is not excluded, because kpt reads it: add it to the .krmignore of its package"}},
		{"severity: {values/format: warning}\n", "", 0, nil, nil},
		{"severity: {values/format: warning}\n", "--severity values/format=error", 1, []string{old, platform}, nil},
		{"severity: {values/unknown-key: error}\n", "old", 1, []string{old}, nil},
		{"exclude: [old, platform]\n", "--exclude [", 2, nil, []string{`--exclude: the pattern "["`}},
		{"excluded: [old, platform]\n", "", 2, nil, []string{`packfn.yaml:3: excluded: unknown field "excluded"`, `Did you mean "exclude"`}},
		{"", "--config none.yaml", 2, nil, []string{"none.yaml"}},
	} {
		dir := repositoryWithConfig(t, tc.config)
		write(t, filepath.Join(dir, "other.yaml"), configHead+"exclude: [platform]\n")
		got := packfn(t, dir, append([]string{"check", "--format", "json"}, strings.Fields(tc.args)...)...).want(t, tc.exit, tc.words...)
		if tc.exit == 2 {
			continue
		}
		var found []string
		for _, f := range readFindings(t, got) {
			if f.Severity == "error" {
				found = append(found, f.File)
			}
		}
		if !slices.Equal(found, tc.want) {
			t.Errorf("%q %s: got %q, want %q\n%s", tc.config, tc.args, found, tc.want, got.stderr)
		}
		if strings.Contains(got.stderr, "nothing that ran reports this rule") {
			t.Errorf("%q: a note about a rule of the configuration: %s", tc.config, got.stderr)
		}
	}
}

// Commands that list packs, and fix, leave out what the configuration excludes.
func TestExcludedFromOthers(t *testing.T) {
	dir := repositoryWithConfig(t, "exclude: [old/]\n")
	got := packfn(t, dir, "list", "packs").want(t, 0)
	if !strings.Contains(got.stdout, "platform/vault.yaml") || strings.Contains(got.stdout, "old/") {
		t.Errorf("got\n%s", got.stdout)
	}
	if got := packfn(t, dir, "list", "packs", "--config", "none").want(t, 0); !strings.Contains(got.stdout, "old/") {
		t.Errorf("got\n%s", got.stdout)
	}
	misspelt := "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: site}\nspec: {packref: {name: vault}, values: {registry: {port: 5001}}}\n"
	write(t, filepath.Join(dir, "platform/site.yaml"), misspelt)
	write(t, filepath.Join(dir, "old/site.yaml"), misspelt)
	packfn(t, dir, "fix")
	if files := tree(t, dir); !strings.Contains(files["platform/site.yaml"], "packRef") || files["old/site.yaml"] != misspelt {
		t.Errorf("got\n%s%s", files["platform/site.yaml"], files["old/site.yaml"])
	}
}

// The charts of the sources check the packs of packages.
func TestSources(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := repositoryWithConfig(t, "sources: [packs/, oci://example.com/base]\nexclude: [packs]\n")
	packfn(t, dir, "import", "packs/web-1.0.0", "--to", "platform", "--no-charts").want(t, 0)
	for args, want := range map[string]int{"": 1, "--config none": 0, "--source old": 2, "--source packs": 1, "--config none --source packs": 1, "--source oci://example.com/x": 0} {
		got := packfn(t, dir, append([]string{"check", "platform", "--only", "values/inert", "--severity", "values/inert=error", "--format", "json"}, strings.Fields(args)...)...).want(t, want)
		if want == 1 && !slices.ContainsFunc(facts(readFindings(t, got)), func(fact string) bool { return strings.HasPrefix(fact, "error values/inert platform/web.yaml:") }) {
			t.Errorf("%s: %s", args, got.stdout)
		}
		if isMissing := strings.Contains(args, "oci"); strings.Contains(got.stderr, "the cache has no archives of them from oci://example.com/x") != isMissing {
			t.Errorf("%s: %s", args, got.stderr)
		}
	}
	// A pack of the sources that cannot be read is left out, and the others are used.
	write(t, filepath.Join(dir, "packs/bad/pack.json"), "{")
	packfn(t, dir, "check", "platform", "--only", "values/inert", "--severity", "values/inert=error").want(t, 1, "source packs: packs/bad/pack.json: ", "it is left out")
}

// Check takes archives of a registry that were pulled before, and opens no connection. Upgrade
// pulls what a pack was imported from.
func TestRegistrySources(t *testing.T) {
	dir := repositoryWithConfig(t, "")
	web := filepath.Join(dir, archived(t, dir, filepath.Join(dir, "packs/web-1.0.0")))
	host := serve(t, dir, map[string]string{"base/spectro-packs/archive/web:1.0.0": web})
	write(t, filepath.Join(dir, "packfn.yaml"), configHead+"sources: ["+host+"/base]\n")
	packfn(t, dir, "import", "packs/web-1.0.0", "--to", "platform", "--no-charts").want(t, 0)
	check := func(exit int, words ...string) {
		t.Helper()
		packfn(t, dir, "check", "platform", "--only", "values/inert", "--severity", "values/inert=error").want(t, exit, words...)
	}
	check(0, "the cache has no archives of them from "+host+"/base")

	write(t, filepath.Join(dir, "new/web/pack.json"), `{"name": "web", "version": "1.1.0"}`)
	write(t, filepath.Join(dir, "new/web/values.yaml"), "charts:\n  c:\n    used: 3\n    unused: 4\n")
	packfn(t, dir, "upgrade", "platform", "new/web").want(t, 0, "the directory that it was imported from is ")
	check(1)
	packfn(t, dir, "upgrade", "platform", "new/web", "--source", host+"/other").want(t, 0, "the registry does not have it")
}

// Upgrade finds the directory that a pack was imported from among the sources, and keeps edits.
func TestUpgradeFromSources(t *testing.T) {
	dir := repositoryWithConfig(t, "sources: [packs]\n")
	write(t, filepath.Join(dir, "new/web/pack.json"), `{"name": "web", "version": "1.1.0"}`)
	write(t, filepath.Join(dir, "new/web/values.yaml"), "charts:\n  c:\n    used: 3\n    unused: 4\n")
	packfn(t, dir, "import", "packs/web-1.0.0", "--to", "p", "--no-charts").want(t, 0)
	edited := strings.Replace(tree(t, dir)["p/web.yaml"], "used: 1", "used: 7", 1)
	write(t, filepath.Join(dir, "p/web.yaml"), edited)
	for _, flags := range [][]string{{"--config", "none"}, {"--source", "new", "--write"}} {
		if got := packfn(t, dir, append([]string{"upgrade", "p", "new/web"}, flags...)...).want(t, 1); !strings.Contains(got.stdout, "upgrade/edited") || tree(t, dir)["p/web.yaml"] != edited {
			t.Errorf("%s: got\n%s", flags, got.stdout)
		}
	}
	packfn(t, dir, "upgrade", "p", "new/web", "--config", "none", "--discard-edits").want(t, 0, "edits of the values of web look like old defaults, and are dropped")
	packfn(t, dir, "upgrade", "p", "new/web", "--write").want(t, 0, "the directory that it was imported from is packs/web-1.0.0")
	if got := tree(t, dir)["p/web.yaml"]; !strings.Contains(got, "used: 7") || !strings.Contains(got, "unused: 4") {
		t.Errorf("got\n%s", got)
	}
}

// Fleet takes sets and upstreams from the configuration.
func TestFleetConfiguration(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "clusters/set.yaml"), "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: a, namespace: default}\nspec:\n  upstream: {repo: r, package: p, revision: v1}\n  downstream: {repo: d, package: a}\n")
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "packfn.yaml"), configHead+"fleet: {set: clusters, upstream: {r/p: p}}\n")
	packfn(t, dir, "fleet").want(t, 0)
	packfn(t, dir, "fleet", "--upstream", "absent").want(t, 2, "absent")
	packfn(t, dir, "fleet", "--config", "none", "--set", "clusters").want(t, 2, `required flag(s) "upstream" not set. Usage: packfn fleet --set PATH --upstream`)
}

// A configuration that kpt would read as a resource is refused by all that read it, and is a
// finding of check.
func TestConfigurationInPackage(t *testing.T) {
	dir := repositoryWithConfig(t, "")
	write(t, filepath.Join(dir, "platform/packfn.yaml"), configHead)
	for _, args := range []string{"check", "fix", "config", "list packs", "fleet --set a", "upgrade . x"} {
		packfn(t, filepath.Join(dir, "platform"), strings.Fields(args)...).want(t, 2, "packfn.yaml: is in the package ., where kpt reads it as a resource; move it above the package, or add the line packfn.yaml to .krmignore")
	}
	got := packfn(t, dir, "check", "platform").want(t, 1)
	if want := "kpt reads the configuration of packfn as a resource. If it is not a resource, add the line packfn.yaml to .krmignore"; !strings.Contains(got.stdout, want) {
		t.Errorf("got %s", got.stdout)
	}
	packfn(t, dir, "check", "packfn.yaml").want(t, 2, "packfn.yaml is the configuration of packfn; read it with packfn config")
	write(t, filepath.Join(dir, "platform/.krmignore"), "packfn.yaml\n")
	packfn(t, filepath.Join(dir, "platform"), "check").want(t, 1)
}

// Config prints what is in force, and from where.
func TestConfigCommand(t *testing.T) {
	dir := repositoryWithConfig(t, "sources: [packs]\nchecks:\n  template: true\n")
	got := packfn(t, filepath.Join(dir, "platform"), "config").want(t, 0)
	for _, want := range []string{"sources ../packs --source ../packfn.yaml:3", "checks.template true --template ../packfn.yaml:5", "exclude - --exclude default"} {
		if !strings.Contains(strings.Join(strings.Fields(got.stdout), " "), want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	packfn(t, t.TempDir(), "config").want(t, 0, "there is no packfn.yaml in the working directory, nor above it")
	packfn(t, dir, "config", "--config", "none").want(t, 0)
	write(t, filepath.Join(dir, "packs/web-1.0.0/charts/c/templates/b.yaml"), `{{ required "set a" .Values.a }}`)
	for args, want := range map[string]bool{"packs/web-1.0.0": true, "packs/web-1.0.0 --template=false": false, "packs/web-1.0.0 --config none": false, "packs/web-1.0.0 --config none --template": true} {
		has := slices.ContainsFunc(findings(t, dir, 0, strings.Fields(args)...), func(f packfntest.Finding) bool { return f.Rule == "values/chart-fails" })
		if has != want {
			t.Errorf("%s: values/chart-fails: %v", args, has)
		}
	}
}
