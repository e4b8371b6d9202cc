package packfn

import (
	"path/filepath"
	"strings"
	"testing"
)

const configHead = `apiVersion: packs.kpt.dev/v1alpha1
kind: PackfnConfig
`

// repositoryWithConfig is a repository with a package, a pack directory, an excluded folder and
// a packfn.yaml.
func repositoryWithConfig(t *testing.T, config string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":   "",
		"packfn.yaml": configHead + config,
		".github/workflows/a.yml": `on: push
jobs: {}
`,
		"platform/Kptfile": kptfileText,
		"platform/vault.yaml": packResource(`registry:
  port: 70000
  token: xyz
`),
		"old/Kptfile": kptfileText,
		"old/vault.yaml": packResource(`registry:
  port: 70000
  token: xyz
`),
		"packs/web-1.0.0/pack.json": `{"name": "web", "version": "1.0.0", "charts": ["charts/c"]}`,
		"packs/web-1.0.0/values.yaml": `charts:
  c:
    used: 1
    unused: 2
`,
		"packs/web-1.0.0/charts/c/Chart.yaml": `name: c
version: 1.0.0
`,
		"packs/web-1.0.0/charts/c/values.yaml":    "used: 1\n",
		"packs/web-1.0.0/charts/c/templates/a.in": "",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
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
	if got := packfn(t, dir, "check", "platform", "--only", "values/inert"); !strings.Contains(got.stdout, "the cache has no archive of it from "+host+"/base") {
		t.Errorf("got %s", got.stdout)
	}

	write(t, filepath.Join(dir, "new/web/pack.json"), `{"name": "web", "version": "1.1.0"}`)
	write(t, filepath.Join(dir, "new/web/values.yaml"), `charts:
  c:
    used: 3
    unused: 4
`)
	packfn(t, dir, "upgrade", "platform", "new/web").want(t, 0, "the directory that it was imported from is ")
	check(1)
	packfn(t, dir, "upgrade", "platform", "new/web", "--source", host+"/other", "--source", host+"/third").want(t, 0,
		"/other/web:1.0.0: the registry does not have it\n"+host+"/third/web:1.0.0: the registry does not have it\n")
}
