package packfn

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

const webOld = `server:
  port: 8080   # where it listens
  name: web
  log: info
size: 1
token: ""
`

const webNew = `listener:
  port: 8080
server:
  name: web
  log: warn
size: 1
token: ""
`

// writeWeb writes the pack web in two versions.
func writeWeb(t *testing.T, dir string) (older, newer string) {
	t.Helper()
	older, newer = filepath.Join(dir, "web-1.0.0"), filepath.Join(dir, "web-2.0.0")
	metadata := `{"name": "web", "version": "%s", "layer": "addon", "constraints": {"dependencies": [%s]}}` + "\n"
	preset := "- {name: %s, add: \"%s\\n\"}\n"
	write(t, filepath.Join(older, "pack.json"), fmt.Sprintf(metadata, "1.0.0", ""))
	write(t, filepath.Join(newer, "pack.json"), fmt.Sprintf(metadata, "2.0.0", `{"packName": "dns", "minVersion": "1.0", "maxVersion": "", "type": "required"}`))
	write(t, filepath.Join(older, "values.yaml"), webOld)
	write(t, filepath.Join(newer, "values.yaml"), webNew)
	write(t, filepath.Join(older, "schema.yaml"), "size:\n  schema: '{{ format \"${number:[1-9]}\" }}'\n")
	write(t, filepath.Join(newer, "schema.yaml"), "size:\n  schema: '{{ format \"${number:[1-3]}\" }}'\ntoken:\n  schema: '{{ required }}'\n")
	write(t, filepath.Join(older, "presets.yaml"), "presets:\n"+fmt.Sprintf(preset, "quiet", "server: {log: error}")+fmt.Sprintf(preset, "named", "server: {name: x}"))
	write(t, filepath.Join(newer, "presets.yaml"), "presets:\n"+fmt.Sprintf(preset, "quiet", "server: {log: fatal}"))
	return older, newer
}

func upgradeFindings(t *testing.T, o outcome) []string {
	t.Helper()
	var file packfntest.File
	if err := json.Unmarshal([]byte(o.stdout), &file); err != nil {
		t.Fatalf("%v\n%s%s", err, o.stdout, o.stderr)
	}
	var found []string
	for _, f := range file.Findings {
		found = append(found, strings.TrimSpace(string(f.Severity)+" "+f.Rule+" "+f.Key))
		if f.File == "" {
			t.Errorf("%s has no file: %s", f.Rule, f.Message)
		}
	}
	slices.Sort(found)
	return found
}

// An upgrade says what it changes, and carries edits over.
func TestUpgrade(t *testing.T) {
	dir := t.TempDir()
	older, newer := writeWeb(t, dir)
	pkg := filepath.Join(dir, "p")
	packfn(t, dir, "import", older, "--to", "p", "--kptfile").want(t, 0)
	web := filepath.Join(pkg, "web.yaml")
	text, err := os.ReadFile(web)
	if err != nil {
		t.Fatal(err)
	}
	write(t, web, strings.NewReplacer("port: 8080", "port: 9090", "size: 1", "size: 5\n    own: true").Replace(string(text)))
	write(t, filepath.Join(pkg, "over.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: over}\nspec:\n  packRef: {name: web}\n  values: |\n    server:\n      port: 7070\n      name: other\n")

	before := tree(t, dir)
	got := packfn(t, dir, "upgrade", "p", newer, "--from", older, "--format", "json").want(t, 1)
	want := []string{
		"error upgrade/format size", "error upgrade/newly-required token", "error upgrade/requirement constraints.dependencies[0].packName",
		"info upgrade/added", "info upgrade/added", "info upgrade/changed-default server.log", "warning upgrade/orphaned-value server.port", "warning upgrade/orphaned-value server.port",
	}
	if diff := cmp.Diff(want, upgradeFindings(t, got)); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, got.stdout)
	}
	for _, word := range []string{"web 2.0.0 adds listener (1 value", "adds token (required", `"file": "p/over.yaml"`, "dns"} {
		if !strings.Contains(got.stdout, word) {
			t.Errorf("no %q in\n%s", word, got.stdout)
		}
	}
	if strings.Contains(got.stdout, "probably") { // the port of another component
		t.Errorf("got\n%s", got.stdout)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("files change without --write:\n%s", diff)
	}

	// Without the old version edits are not known.
	if got := packfn(t, dir, "upgrade", "p", newer, "--write").want(t, 1); !strings.Contains(got.stdout, "[upgrade/edited]") || tree(t, pkg)["web.yaml"] != before["p/web.yaml"] {
		t.Errorf("got\n%s", got.stdout)
	}

	packfn(t, dir, "upgrade", "p", newer, "--from", older, "--write").want(t, 1, "1 file written")
	after := tree(t, pkg)["web.yaml"]
	for _, want := range []string{`"version": "2.0.0"`, "      log: warn\n", "    size: 5\n", "    own: true\n", "      port: 8080\n", "      port: 9090 "} {
		if !strings.Contains(after, want) {
			t.Errorf("no %q in\n%s", want, after)
		}
	}
	// A second upgrade changes nothing.
	packfn(t, dir, "upgrade", "p", newer, "--from", newer, "--write").want(t, 0)
	if again := tree(t, pkg)["web.yaml"]; again != after {
		t.Errorf("the second upgrade:\n%s", cmp.Diff(after, again))
	}
}

// Presets that are applied are applied again; those that are gone or have changed are
// named.
func TestUpgradePresets(t *testing.T) {
	dir := t.TempDir()
	older, newer := writeWeb(t, dir)
	packfn(t, dir, "import", older, "--to", "p", "--as", "pack").want(t, 0)
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileHead+"pipeline:\n  mutators:\n  - {exec: apply-preset, configMap: {web: \"quiet,named\"}}\n")
	packfn(t, dir, "render", "p").want(t, 0)
	got := packfn(t, dir, "upgrade", "p", newer, "--from", older, "--write", "--format", "json").want(t, 1)
	var presets int
	for _, f := range upgradeFindings(t, got) {
		if f == "warning upgrade/preset" {
			presets++
		}
	}
	if presets != 2 || !strings.Contains(got.stdout, `quiet\"`) || !strings.Contains(got.stdout, `named\"`) {
		t.Errorf("got\n%s", got.stdout)
	}
	if after := tree(t, filepath.Join(dir, "p"))["web.yaml"]; !strings.Contains(after, "fatal") || strings.Contains(after, "name: x\n") {
		t.Errorf("the preset is not applied again, or one that is gone is:\n%s", after)
	}
}

func TestUpgradeRefuses(t *testing.T) {
	dir := t.TempDir()
	older, newer := writeWeb(t, dir)
	packfn(t, dir, "import", older, "--to", "p").want(t, 0)
	for name, tc := range map[string]struct {
		args  []string
		words []string
	}{
		"another old version": {[]string{"p", newer, "--from", newer}, []string{"--from", "2.0.0"}},
		"another pack":        {[]string{"p", testPack("vault-0.7.0")}, []string{"vault", "packfn import"}},
		"no pack directory":   {[]string{"p", "p"}, []string{"pack.json"}},
		"no package":          {[]string{"absent", newer}, []string{"absent"}},
		"from for two":        {[]string{"p", newer, older, "--from", older}, []string{"one at a time"}},
		"two versions":        {[]string{"p", newer, older}, []string{"one at a time"}},
	} {
		t.Run(name, func(t *testing.T) {
			before := tree(t, dir)
			packfn(t, dir, append([]string{"upgrade", "--write"}, tc.args...)...).want(t, 2, tc.words...)
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Errorf("files change:\n%s", diff)
			}
		})
	}
}

// An edit that the newer version has no place for is an error, and nothing is written.
func TestUpgradeLosesNoEdit(t *testing.T) {
	for _, form := range []string{"configmap", "pack"} {
		dir := t.TempDir()
		older, newer := writeWeb(t, dir)
		write(t, filepath.Join(newer, "values.yaml"), "server: none\nsize: 1\n")
		packfn(t, dir, "import", older, "--to", "p", "--kptfile", "--as", form).want(t, 0)
		web := filepath.Join(dir, "p/web.yaml")
		text, err := os.ReadFile(web)
		if err != nil {
			t.Fatal(err)
		}
		write(t, web, strings.Replace(string(text), "port: 8080", "port: 9090", 1))
		before := tree(t, dir)
		got := packfn(t, dir, "upgrade", "p", newer, "--from", older, "--write", "--format", "json").want(t, 1, "nothing is written, because edits would be lost")
		if found := upgradeFindings(t, got); !slices.Contains(found, "error upgrade/orphaned-value server.port") {
			t.Errorf("got %q", found)
		}
		if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
			t.Errorf("files change:\n%s", diff)
		}
		// The same edit in an override is kept, and reported where it is.
		write(t, web, string(text))
		write(t, filepath.Join(dir, "p/over.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: over}\nspec:\n  packRef: {name: web}\n  values: |\n    server:\n      port: 9090\n")
		got = packfn(t, dir, "upgrade", "p", newer, "--from", older, "--write").want(t, 1, "1 file written")
		if !strings.Contains(got.stdout, "p/over.yaml\n  8:7: warning: ") {
			t.Errorf("got\n%s", got.stdout)
		}
	}
}

// Changed defaults are shown, unless they may be secrets.
func TestUpgradeShowsDefaults(t *testing.T) {
	dir := t.TempDir()
	older, newer := writeWeb(t, dir)
	write(t, filepath.Join(older, "schema.yaml"), "pin:\n  schema: '{{ format \"${password}\" }}'\n")
	write(t, filepath.Join(newer, "schema.yaml"), "mode:\n  schema: '{{ format \"${list:[slow,fast]}\" }}'\n")
	write(t, filepath.Join(older, "values.yaml"), "port: 8080\nimage: web:1\ntag: 1.2.3\nmemory: 64Mi\non: true\nmode: slow\naddress: 10.0.0.1\napiKey: 11\npin: 22\nauth:\n  licence:\n    id: 33\nhosts: [a]\nargs: {}\n")
	write(t, filepath.Join(newer, "values.yaml"), "port: 9090\nimage: web:2\ntag: 1.2.4\nmemory: 1Gi\non: false\nmode: fast\naddress: 10.0.0.2\napiKey: 44\npin: 55\nauth:\n  licence:\n    id: 66\nhosts: [b]\nargs: []\n")
	packfn(t, dir, "import", older, "--to", "p", "--kptfile").want(t, 0)
	got := packfn(t, dir, "upgrade", "p", newer, "--from", older).want(t, 1).stdout
	for _, want := range []string{
		"port: the default changes: 8080 → 9090 ", "image: the default changes: web:1 → web:2 ", "tag: the default changes: 1.2.3 → 1.2.4 ",
		"memory: the default changes: 64Mi → 1Gi ", "on: the default changes: true → false ", "mode: the default changes: slow → fast ",
		"address: the default changes: 10.0.0.1 → 10.0.0.2 ", "apiKey: the default changes: ••• → ••• ", "pin: the default changes: ••• → ••• ",
		"auth.licence.id: the default changes: ••• → ••• ", "hosts: the default changes: a list of 1 → another list of 1 ", "args: the default changes: {} → [] ",
		"|     port: 8080\n", "|     image: web:1\n", "|     apiKey: •••\n", "|     pin: •••\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, secret := range []string{"11", "22", "33", "44", "55", "66"} {
		for line := range strings.Lines(got) {
			if _, message, ok := strings.Cut(line, ": the default"); ok && strings.Contains(message, secret) {
				t.Errorf("%s is shown: %s", secret, line)
			}
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// What is new is named, and warnings that come with the newer version.
func TestUpgradeNames(t *testing.T) {
	dir := t.TempDir()
	older, newer := writeWeb(t, dir)
	write(t, filepath.Join(newer, "values.yaml"), "cache: {size: 2, password: x}\nserver: {name: web, log: info, port: 8080, debug: false}\nsize: 1\ntoken: a\n")
	write(t, filepath.Join(newer, "schema.yaml"), "size:\n  schema: '{{ format \"${number:[1-9]}\" }}'\nserver.port:\n  schema: '{{ required | format \"${number}\" }}'\nserver.prot:\n  schema: '{{ hints \"x\" }}'\n")
	write(t, filepath.Join(newer, "presets.yaml"), "presets:\n- {name: quiet, add: \"server: {log: error}\\n\"}\n- {name: large, group: size, add: \"size: 3\\n\"}\n")
	write(t, filepath.Join(newer, "pack.json"), `{"name": "web", "version": "2.0.0", "layer": "addon", "constraints": {"dependencies": [{"packName": "dns", "maxVersion": "2.0"}]}}`)
	packfn(t, dir, "import", older, "--to", "p", "--kptfile").want(t, 0)
	got := packfn(t, dir, "upgrade", "p", newer, "--from", older).want(t, 0).stdout
	for _, want := range []string{
		"web 2.0.0 adds cache (2 values", "server: web 2.0.0 adds debug: false", `adds the preset "size:large"`,
		"the schema of web 2.0.0 adds server.port (required, a decimal number) and server.prot",
		"(values/key-not-in-values) [upgrade/format]", "(dependency/untyped) [upgrade/requirement]", "0 errors, 2 warnings, ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A comment above a user's key that the pack has, too, is there once after each upgrade. An upgrade
// to the version that is there changes no byte.
func TestUpgradeCarriesCommentsOnce(t *testing.T) {
	dir := t.TempDir()
	for version, values := range map[string]string{
		"1.0.0": "a:\n  b: 1\n  # note\n  c: 1\n  # the end\n", "2.0.0": "a:\n  b: 2\n  # note\n  c: 1\n  # the end\n", "3.0.0": "a:\n  b: 3\n  # note\n  c: 1\n  # the end\n",
	} {
		write(t, filepath.Join(dir, version, "pack.json"), `{"name": "web", "version": "`+version+`"}`)
		write(t, filepath.Join(dir, version, "values.yaml"), values)
	}
	packfn(t, dir, "import", "1.0.0", "--to", "p").want(t, 0)
	file := filepath.Join(dir, "p/web.yaml")
	mine := strings.NewReplacer("      # note\n", "      # note\n      mine: 1\n", "      # the end\n", "      # the end\n      last: 1\n")
	write(t, file, mine.Replace(tree(t, dir)["p/web.yaml"]))
	for _, version := range []string{"1.0.0", "2.0.0", "2.0.0", "3.0.0"} {
		before := tree(t, dir)["p/web.yaml"]
		from := before[strings.Index(before, `"version":"`)+len(`"version":"`):][:len(version)]
		packfn(t, dir, "upgrade", "p", version, "--from", from, "--write").want(t, 0)
		after := tree(t, dir)["p/web.yaml"]
		if from == version && after != before {
			t.Errorf("an upgrade from %s to %s changes\n%s", from, version, cmp.Diff(before, after))
		}
		for _, comment := range []string{"# note", "# the end", "mine: 1", "last: 1"} {
			if got := strings.Count(after, comment); got != 1 {
				t.Errorf("after %s %q is there %d times:\n%s", version, comment, got, after)
			}
		}
	}
}
