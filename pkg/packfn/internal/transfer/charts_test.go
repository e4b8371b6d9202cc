package transfer_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

// withChart is a pack directory with one chart that reads a key.
func withChart(key string) map[string]string {
	return map[string]string{
		"p/pack.json": `{"name": "p", "version": "1.0.0", "charts": ["charts/web"]}`, "p/values.yaml": "charts: {web: {port: 1}}\n",
		"p/charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n", "p/charts/web/templates/a.yaml": "{{ .Values." + key + " }}",
	}
}

// apply imports the pack of a folder, and writes the result.
func apply(t *testing.T, dir string, options transfer.Options) (text, notes string) {
	t.Helper()
	plan, err := transfer.Import(filepath.Join(dir, "pkg"), []string{filepath.Join(dir, "p")}, options)
	if err != nil {
		t.Fatal(err)
	}
	var area staging.Area
	if err := area.Write(t.Context(), plan.Changes); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(filepath.Join(dir, "pkg/p.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(written), strings.Join(plan.Notes, "\n")
}

const facts = "  chart-facts.yaml: |\n    charts:\n      web:\n        name: web\n        version: 1.0.0\n        reads:\n          global:\n          port: '*'\n"

func TestImportCharts(t *testing.T) {
	dir := files(t, withChart("port"))
	text, notes := apply(t, dir, transfer.Options{})
	if !strings.HasSuffix(text, facts) {
		t.Errorf("got\n%s", text)
	}
	if !strings.Contains(text, `"charts":{"charts/web":"`) || strings.Contains(notes, "left out") {
		t.Errorf("got\n%s\n%s", text, notes)
	}
	again, notes := apply(t, dir, transfer.Options{})
	if again != text || !strings.Contains(notes, "nothing to do") {
		t.Errorf("again: %s", notes)
	}
	p, err := kptpackage.Read(filepath.Join(dir, "pkg"))
	if err != nil {
		t.Fatal(err)
	}
	exported, err := transfer.Packs(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(exported) != 1 || len(exported[0].Files) != 2 {
		t.Errorf("the export has %v", exported)
	}
}

// A pack that was imported without facts, or with those of other charts, gets them, and all
// else stays.
func TestImportChartsAgain(t *testing.T) {
	for form, want := range map[transfer.Form]string{transfer.ConfigMap: facts, transfer.Pack: strings.Replace(facts, "chart-facts.yaml", "chartFacts", 1)} {
		dir := files(t, withChart("port"))
		plain, notes := apply(t, dir, transfer.Options{Form: form, NoCharts: true})
		if strings.Contains(plain, "web:\n") || !strings.Contains(notes, "left out charts") {
			t.Errorf("%s without charts:\n%s\n%s", form, plain, notes)
		}
		edited := strings.Replace(plain, "port: 1", "port: 2 # mine", 1)
		path := filepath.Join(dir, "pkg/p.yaml")
		if err := os.WriteFile(path, []byte(edited), 0o644); err != nil {
			t.Fatal(err)
		}
		if text, _ := apply(t, dir, transfer.Options{Form: form, NoCharts: true}); text != edited {
			t.Errorf("%s without charts again:\n%s", form, text)
		}
		for _, key := range []string{"host", "port"} {
			if err := os.WriteFile(filepath.Join(dir, "p/charts/web/templates/a.yaml"), []byte("{{ .Values."+key+" }}"), 0o644); err != nil {
				t.Fatal(err)
			}
			text, notes := apply(t, dir, transfer.Options{Form: form})
			if !strings.Contains(notes, "what the charts of p 1.0.0 read is renewed") {
				t.Errorf("%s: %s", form, notes)
			}
			added := func(line string) bool {
				return strings.Contains(line, "packs.kpt.dev/imported:") || strings.Contains(strings.ReplaceAll(want, "port", key), line)
			}
			lines := func(text string) []string { return slices.DeleteFunc(strings.SplitAfter(text, "\n"), added) }
			if diff := cmp.Diff(lines(edited), lines(text)); diff != "" {
				t.Errorf("%s: something else has changed (-want +got):\n%s", form, diff)
			}
			if !strings.Contains(text, strings.ReplaceAll(want, "port", key)) {
				t.Errorf("%s: got\n%s", form, text)
			}
		}
	}
}

func TestImportUnreadableChart(t *testing.T) {
	all := withChart("port")
	all["p/charts/web/templates/b.yaml"] = "{{ if }"
	all["p/pack.json"] = strings.Replace(all["p/pack.json"], "]", `, "charts/absent.tgz"]`, 1)
	text, notes := apply(t, files(t, all), transfer.Options{})
	for _, want := range []string{"incomplete: true", "reads: '*'"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !strings.Contains(notes, "the chart charts/absent.tgz is not in the directory of the pack") {
		t.Errorf("got %s", notes)
	}
}

// Charts are found where pack.json says, in whichever folder. A folder without charts is left
// out.
func TestImportChartsOfAnotherFolder(t *testing.T) {
	all := map[string]string{}
	for name, text := range withChart("port") {
		all[strings.Replace(name, "p/charts", "p/helm", 1)] = strings.Replace(text, "charts/web", "helm/web", 1)
	}
	text, notes := apply(t, files(t, all), transfer.Options{})
	if !strings.HasSuffix(text, facts) || !strings.Contains(text, `"charts":{"helm/web":"`) || strings.Contains(notes, "left out") {
		t.Errorf("got\n%s\n%s", text, notes)
	}
	delete(all, "p/helm/web/Chart.yaml")
	all["p/README.md"] = ""
	text, notes = apply(t, files(t, all), transfer.Options{})
	if strings.Contains(text, "chart-facts") || strings.Contains(text, `"charts":{"`) || !strings.Contains(notes, "left out README.md and helm,") {
		t.Errorf("without charts: got\n%s\n%s", text, notes)
	}
}

// What the manifests of a pack read is imported, too, also if it has no charts. A manifest that
// is missing is named.
func TestImportManifests(t *testing.T) {
	all := map[string]string{
		"p/pack.json":          `{"name": "p", "version": "1.0.0", "kubeManifests": ["manifests/vip.yaml", "manifests/absent.yaml"]}`,
		"p/values.yaml":        "manifests: {vip: {port: 1}, absent: {port: 1}}\n",
		"p/manifests/vip.yaml": "port: {{ .Values.port }}\n", "p/README.md": "",
	}
	const want = "  chart-facts.yaml: |\n    manifests:\n      vip:\n        port: '*'\n"
	for form, want := range map[transfer.Form]string{transfer.ConfigMap: want, transfer.Pack: strings.Replace(want, "chart-facts.yaml", "chartFacts", 1)} {
		dir := files(t, all)
		text, notes := apply(t, dir, transfer.Options{Form: form})
		if !strings.HasSuffix(text, want) || !strings.Contains(text, `"charts":{"manifests/vip.yaml":"`) {
			t.Errorf("%s: got\n%s", form, text)
		}
		if !strings.Contains(notes, "the manifest manifests/absent.yaml is not in the directory of the pack") || !strings.Contains(notes, "left out README.md,") {
			t.Errorf("%s: got %s", form, notes)
		}
		if again, notes := apply(t, dir, transfer.Options{Form: form}); again != text || !strings.Contains(notes, "nothing to do") {
			t.Errorf("%s, again: %s", form, notes)
		}
		if err := os.WriteFile(filepath.Join(dir, "p/manifests/vip.yaml"), []byte("{{ .Values.host }}"), 0o644); err != nil {
			t.Fatal(err)
		}
		if text, notes := apply(t, dir, transfer.Options{Form: form}); !strings.HasSuffix(text, strings.Replace(want, "port", "host", 1)) || !strings.Contains(notes, "is renewed") {
			t.Errorf("%s: got\n%s\n%s", form, text, notes)
		}
	}
}

// What is wrong with the presets of a pack is said, and the pack is imported as it is.
func TestImportPresets(t *testing.T) {
	all := map[string]string{"p/pack.json": `{"name": "p", "version": "1.0.0"}`, "p/values.yaml": "# spectrocloud.com/enabled-presets: g:b\ncharts: {web: {port: 1}}\n"}
	for presets, want := range map[string][]string{
		"- {name: a, group: g, add: 'charts: {web: {port: 1}}'}\n- {name: b, group: g, add: 'charts: {web: {port: 2}}'}\n": nil, // the comment of the values is not checked
		"- name: a\n  nme: b\n- name: a\n- name: c\n  add: |\n    x: 1\n    y: [\n":                                        {":2:3: error: [0].nme: unknown field \"nme\"", ":3:3: error: duplicate preset \"a\"", ":7: error: [2].add: cannot be read"},
		"a: [": {":1: error: cannot be read"},
	} {
		all["p/presets.yaml"] = presets
		dir := files(t, all)
		text, notes := apply(t, dir, transfer.Options{})
		var got []string
		for note := range strings.SplitSeq(notes, "\n") {
			if strings.Contains(note, " [preset/") {
				got = append(got, strings.TrimPrefix(note, filepath.Join(dir, "p/presets.yaml")))
			}
		}
		isWanted := func(note, want string) bool {
			return strings.HasPrefix(note, want) && strings.HasSuffix(note, " [preset/invalid]")
		}
		if !slices.EqualFunc(got, want, isWanted) {
			t.Errorf("%q: got %q", presets, got)
		}
		if !strings.Contains(text, "  presets.yaml: |") {
			t.Errorf("%q: got\n%s", presets, text)
		}
	}
}

// Facts that are laid out in another way are those that they were.
func TestImportEqualFacts(t *testing.T) {
	const other = "{charts: {web: {name: web, version: 1.0.0, reads: {port: '*', global: }}}}"
	for form, written := range map[transfer.Form][]string{
		transfer.ConfigMap: {"chart-facts.yaml: \"" + other + "\""},
		transfer.Pack:      {"chartFacts: " + other, "chartFacts: \"" + other + "\""},
	} {
		for _, line := range written {
			dir := files(t, withChart("port"))
			text, _ := apply(t, dir, transfer.Options{Form: form})
			laid, _, _ := strings.Cut(text, "  "+line[:strings.Index(line, ":")]+": |")
			laid += "  " + line + "\n"
			if err := os.WriteFile(filepath.Join(dir, "pkg/p.yaml"), []byte(laid), 0o644); err != nil {
				t.Fatal(err)
			}
			again, notes := apply(t, dir, transfer.Options{Form: form})
			if diff := cmp.Diff(laid, again); diff != "" || !strings.Contains(notes, "nothing to do") {
				t.Errorf("%s: %s\n(-want +got):\n%s", form, notes, diff)
			}
		}
	}
}

// The newer version of a pack has the facts of its charts.
func TestNewerCharts(t *testing.T) {
	all := withChart("port")
	for name, text := range withChart("host") {
		all["2"+name[1:]] = text
	}
	dir := files(t, all)
	apply(t, dir, transfer.Options{})
	target, err := transfer.OpenTarget(filepath.Join(dir, "pkg"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := target.Newer(filepath.Join(dir, "2"), filepath.Join(dir, "p"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(n.After); !strings.Contains(got, strings.ReplaceAll(facts, "port", "host")) {
		t.Errorf("got\n%s", got)
	}
}
