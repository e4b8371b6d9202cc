package fleet_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
	"github.com/krm-packs/functions/pkg/values"
)

// world is a folder with the examples of a fleet: sets, upstream.
type world struct {
	t   *testing.T
	dir string
}

func newWorld(t *testing.T) world {
	t.Helper()
	w := world{t, t.TempDir()}
	for from, to := range map[string]string{"expand-variant-set-fleet": "set", "inject-config-fleet": "upstream"} {
		if err := os.CopyFS(w.path(to), os.DirFS(filepath.Join("../../../../examples", from))); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w world) read(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// edit replaces a text in a file, which must have it.
func (w world) edit(name, old, new string) {
	w.t.Helper()
	text, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		w.t.Fatalf("%s has no %q", name, old)
	}
	w.write(name, strings.ReplaceAll(string(text), old, new))
}

func (w world) options() fleet.Options {
	return fleet.Options{
		Functions: suite.All(), KeepFiles: true,
		Sets: []string{w.path("set")}, Upstreams: []fleet.Upstream{{Dir: w.path("upstream")}},
		Display: func(name string) string {
			relative, err := filepath.Rel(w.dir, name)
			if err != nil {
				w.t.Fatal(err)
			}
			return filepath.ToSlash(relative)
		},
	}
}

func (w world) run(change func(*fleet.Options)) *fleet.Preview {
	w.t.Helper()
	o := w.options()
	if change != nil {
		change(&o)
	}
	p, err := fleet.Run(context.Background(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// save writes the packages that can be deployed to a folder, as REPO/PACKAGE.
func (w world) save(name string, p *fleet.Preview) {
	w.t.Helper()
	for i := range p.Rows {
		for _, file := range p.Rows[i].Files {
			if p.Rows[i].Outcome != fleet.Deployable {
				break
			}
			w.write(name+"/"+p.Rows[i].Name()+"/"+file.Path, string(file.Text))
		}
	}
}

// count counts the packages with one of some outcomes.
func count(p *fleet.Preview, outcomes ...fleet.Outcome) (n int) {
	for i := range p.Rows {
		if slices.Contains(outcomes, p.Rows[i].Outcome) {
			n++
		}
	}
	return n
}

// summary counts the outcomes.
func summary(p *fleet.Preview) string {
	count := map[fleet.Outcome]int{}
	for i := range p.Rows {
		count[p.Rows[i].Outcome]++
	}
	return strings.TrimPrefix(fmt.Sprint(count), "map")
}

// faults are the errors and warnings: rule, packages, place, and the related places.
func faults(p *fleet.Preview) []string {
	var all []string
	for i := range p.Groups {
		f := &p.Groups[i].Finding
		if f.Severity == diag.Info {
			continue
		}
		text := fmt.Sprintf("%s %d %s:%d %s", f.Rule, len(p.Groups[i].Packages), f.File, f.Line, f.Field)
		for _, r := range f.Related {
			text += fmt.Sprintf(" <- %s:%d", r.File, r.Line)
			if r.Message == "" {
				text += " without a message"
			}
		}
		all = append(all, text)
	}
	return all
}

// file returns a file of a package.
func file(t *testing.T, p *fleet.Preview, pkg, name string) string {
	t.Helper()
	for i := range p.Rows {
		for _, f := range p.Rows[i].Files {
			if p.Rows[i].Name() == pkg && f.Path == name {
				return string(f.Text)
			}
		}
	}
	t.Fatalf("%s has no %s", pkg, name)
	return ""
}

// lineOf returns the line of a text after another one in a file.
func (w world) lineOf(name, after, text string) int {
	w.t.Helper()
	before, rest, ok := strings.Cut(w.read(name), after)
	at := strings.Index(rest, text)
	if !ok || at < 0 {
		w.t.Fatalf("%s has no %q after %q", name, text, after)
	}
	return strings.Count(before+after+rest[:at], "\n") + 1
}

// The clusters of the examples are refused for what is wrong in their own objects.
func TestExamples(t *testing.T) {
	for _, like := range fleet.Likes {
		w := newWorld(t)
		p := w.run(func(o *fleet.Options) { o.Like = like })
		if got, want := summary(p), "[can be deployed:8 refused:2]"; got != want {
			t.Errorf("%s: got %s, want %s", like, got, want)
		}
		want := []string{
			fmt.Sprintf("resources/insufficient 1 set/clusters.yaml:%d spec.machinePools[0].size <- upstream/cluster.yaml:9", w.lineOf("set/clusters.yaml", "\n  name: ap-south-1\n", "size:")),
			fmt.Sprintf("dependency/above-max 1 set/clusters.yaml:%d spec.system.kubernetes.version <- upstream/cluster.yaml:9", w.lineOf("set/clusters.yaml", "\n  name: eu-central-3\n", "version:")),
		}
		if diff := cmp.Diff(want, faults(p)); diff != "" {
			t.Errorf("%s: %s", like, diff)
		}
	}
}

// A fault of an object that is on one line of a file has the place and the text of this line.
func TestObjectOnOneLine(t *testing.T) {
	w := newWorld(t)
	objects := strings.Split(w.read("set/clusters.yaml"), "---\n")
	line := 1
	for i, text := range objects {
		if strings.Contains(text, "\n  name: eu-central-3\n") {
			flow, ok := values.JSON(parse(t, text).Root())
			if !ok {
				t.Fatal("the object cannot be written as JSON")
			}
			objects[i] = flow + "\n"
			break
		}
		line += strings.Count(text, "\n") + 1
	}
	w.write("set/clusters.yaml", strings.Join(objects, "---\n"))
	p := w.run(nil)
	if want := fmt.Sprintf("dependency/above-max 1 set/clusters.yaml:%d spec.system.kubernetes.version <- upstream/cluster.yaml:9", line); !slices.Contains(faults(p), want) {
		t.Errorf("got %q, want %q", faults(p), want)
	}
	for i, want := range []string{"      size: 2", "…00m"} { // the line has all of the object
		if g := &p.Groups[i]; !strings.HasPrefix(g.Finding.Source.Text, want) || strings.Contains(g.Finding.Message, "(after ") {
			t.Errorf("%s: got %q, want %q", g.Finding.Message, g.Finding.Source.Text, want)
		}
	}
}

// The package is what Porch makes of it.
func TestPorchPackage(t *testing.T) {
	w := newWorld(t)
	w.edit("set/repositories.yaml", "---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: us-east-2\n",
		"---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: blueprints\nspec:\n  git:\n    repo: https://git.example.com/blueprints\n    directory: /all\n---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: us-east-2\n")
	if err := os.Remove(w.path("upstream/package-context.yaml")); err != nil {
		t.Fatal(err)
	}
	p := w.run(nil)
	const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: platform
  annotations:
    config.kubernetes.io/local-config: "true"
    internal.kpt.dev/upstream-identifier: kpt.dev|Kptfile|default|platform
info:
  description: the packs of every cluster; a PackageVariant adds the facts of one, and what depends on them
  readinessGates:
  - conditionType: config.injection.ClusterContext.cluster
pipeline:
  mutators:
  - {name: PackageVariant.platform-us-east-1-platform.size.0, exec: apply-preset, configMap: {vault: "Size:large"}}
  - exec: resolve-macros
  validators: [{exec: validate-pack-values}, {exec: check-dependencies}, {exec: check-resources}]
upstream: {type: git, git: {repo: https://git.example.com/blueprints.git, directory: all/platform, ref: platform/v3}}
upstreamLock: {type: git, git: {repo: https://git.example.com/blueprints.git, directory: all/platform, ref: platform/v3, commit: COMMIT}}
status:
  conditions:
  - {type: config.injection.ClusterContext.cluster, status: "True", reason: ConfigInjected, message: injected resource "us-east-1" from cluster}
`
	const packageContext = `apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations: {config.kubernetes.io/local-config: "true", internal.kpt.dev/upstream-identifier: "|ConfigMap|default|kptfile.kpt.dev"}
data: {name: platform, package-path: platform, region: us, site: us-east-1.us}
`
	const pkg = "us-east-1/platform"
	same(t, file(t, p, pkg, "Kptfile"), strings.ReplaceAll(kptfile, "COMMIT", values.Quote(strings.Repeat("0", 40))))
	same(t, file(t, p, pkg, "package-context.yaml"), packageContext)
	cluster := file(t, p, pkg, "cluster.yaml")
	annotations := values.Field(parse(t, cluster).Root(), "metadata", "annotations")
	var names []string
	for _, pair := range values.Pairs(annotations) {
		name, _ := pair.Name()
		names = append(names, name+"="+values.Text(pair.Value))
	}
	want := []string{
		"config.kubernetes.io/local-config=true", "kpt.dev/config-injection=required",
		"internal.kpt.dev/upstream-identifier=packs.kpt.dev|ClusterContext|default|cluster", "kpt.dev/injected-resource=us-east-1",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	for name, comment := range map[string]string{"cluster.yaml": "/cluster", "vault.yaml": "/vault", "Kptfile": "/platform", "package-context.yaml": "/kptfile.kpt.dev"} {
		if !strings.Contains(file(t, p, pkg, name), "\nmetadata: # kpt-merge: "+comment+"\n") {
			t.Errorf("%s has no comment for the merge", name)
		}
	}
}

func parse(t *testing.T, text string) *values.Document {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if !values.Equal(parse(t, got).Root(), parse(t, want).Root()) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What kpt makes has no marks of Porch, and all marks of inject-config.
func TestKptPackage(t *testing.T) {
	w := newWorld(t)
	p := w.run(func(o *fleet.Options) { o.Like = fleet.Kpt })
	const pkg = "us-east-1/platform"
	for _, absent := range []string{"upstream:", "upstreamLock:", "kpt-merge:", "internal.kpt.dev/", "package-path:"} {
		for _, name := range []string{"Kptfile", "cluster.yaml", "vault.yaml", "package-context.yaml"} {
			if strings.Contains(file(t, p, pkg, name), absent) {
				t.Errorf("%s has %s", name, absent)
			}
		}
	}
	for _, mark := range []string{"kpt.dev/injected-resource-name: us-east-1\n", "packs.kpt.dev/injected-from: packs.kpt.dev/v1alpha1/ClusterContext/default/us-east-1@sha256:"} {
		if !strings.Contains(file(t, p, pkg, "cluster.yaml"), mark) {
			t.Errorf("cluster.yaml has no %s", mark)
		}
	}
}

// Porch ignores the names of a selector's packages and objects, and so does its preview.
func TestIgnoredByPorch(t *testing.T) {
	for criterion, want := range map[string]map[string]int{
		"objectSelector: {apiVersion: config.porch.kpt.dev/v1alpha1, kind: Repository, name: us-east-1, matchLabels: {env: production}}": {fleet.Porch: 10, fleet.Kpt: 1},
		"repositorySelector: {matchLabels: {env: production}}\n      packageNames: [one, two]":                                           {fleet.Porch: 10, fleet.Kpt: 20},
	} {
		w := newWorld(t)
		w.edit("set/set.yaml", "repositorySelector:\n        matchLabels:\n          env: production", criterion)
		w.edit("set/set.yaml", "          package: platform\n", "")
		w.edit("set/set.yaml", "        downstream:\n", "")
		for like, rows := range want {
			if p := w.run(func(o *fleet.Options) { o.Like = like }); len(p.Rows) != rows {
				t.Errorf("%s like %s: %d rows, want %d", criterion, like, len(p.Rows), rows)
			}
		}
	}
}

// A package whose pipeline names functions of other suites is checked by those of this one.
func TestNotRendered(t *testing.T) {
	w := newWorld(t)
	w.edit("upstream/Kptfile", "  validators:\n", "    - exec: apply-replacements\n  validators:\n")
	w.edit("upstream/vault.yaml", "  values.yaml: |\n", "  values.yaml: |\n    other: \"{{ .spectro.var.clustr }}\"\n")
	for _, like := range fleet.Likes {
		p := w.run(func(o *fleet.Options) { o.Like = like })
		const reason = "its pipeline names functions of other suites: apply-replacements"
		for i := range p.Rows {
			if row := &p.Rows[i]; row.Outcome == fleet.Deployable || row.Outcome == fleet.NotRendered && row.Reason != reason || row.Files != nil {
				t.Errorf("like %s: %s is %s: %s, with %d files", like, row.Name(), row.Outcome, row.Reason, len(row.Files))
			}
		}
		if count(p, fleet.NotRendered, fleet.Refused, fleet.RefusedAtClone, fleet.RefusedAtUpgrade) != 10 || len(p.Groups) == 0 {
			t.Errorf("like %s: %s, %d groups", like, summary(p), len(p.Groups))
		}
	}
	w = newWorld(t)
	w.edit("upstream/Kptfile", "  validators:\n", "    - exec: apply-replacements\n  validators:\n")
	if got, want := summary(w.run(nil)), "[not rendered:8 refused:2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// kpt renders such packages, in folders that are removed, and what it leaves is checked.
func TestRenderedByKpt(t *testing.T) {
	w := newWorld(t)
	w.edit("upstream/Kptfile", "  validators:\n", "    - exec: apply-replacements\n  validators:\n")
	write := func(dir, text string) {
		name := filepath.Join(dir, "vault.yaml")
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(before, []byte(text)) { // Porch renders twice
			return
		}
		if err := os.WriteFile(name, bytes.Replace(before, []byte("  values.yaml: |\n"), []byte("  values.yaml: |\n    "+text+"\n"), 1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, like := range fleet.Likes {
		var dirs []string
		p := w.run(func(o *fleet.Options) {
			o.Like, o.Cores, o.KeepFiles = like, 1, true
			o.Kpt = func(dir string) (string, error) {
				dirs = append(dirs, dir)
				write(dir, "byKpt: true")
				return "", nil
			}
		})
		if got, want := summary(p), summary(newWorld(t).run(func(o *fleet.Options) { o.Like = like })); got != want {
			t.Errorf("like %s: got %s, want %s", like, got, want)
		}
		for i := range p.Rows {
			row := &p.Rows[i]
			isKpts := slices.ContainsFunc(row.Files, func(f render.File) bool { return strings.Contains(string(f.Text), "byKpt: true") })
			if isKpts != (row.Outcome == fleet.Deployable) {
				t.Errorf("like %s: %s is %s, by kpt %v", like, row.Name(), row.Outcome, isKpts)
			}
		}
		for _, dir := range dirs {
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("like %s: %s is left", like, dir)
			}
		}
		p = w.run(func(o *fleet.Options) {
			o.Like, o.Kpt = like, func(dir string) (string, error) { return "kpt fn render: exec is not allowed", nil }
		})
		if count(p, fleet.NotRendered, fleet.Deployable) > 0 || !slices.ContainsFunc(p.Rows, func(row fleet.Row) bool { return row.Reason == "kpt fn render: exec is not allowed" }) {
			t.Errorf("like %s: %s", like, summary(p))
		}
	}
}

// Only repositories for deployments get a package context.
func TestNoDeployment(t *testing.T) {
	w := newWorld(t)
	w.edit("set/repositories.yaml", "deployment: true", "deployment: false")
	p := w.run(nil)
	same(t, file(t, p, "us-east-1/platform", "package-context.yaml"), `
apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations: {config.kubernetes.io/local-config: "true", internal.kpt.dev/upstream-identifier: "|ConfigMap|default|kptfile.kpt.dev"}
data: {name: platform, region: us, site: us-east-1.us}
`)
}

// An upstream that does not render by itself is one fault, in its file. kpt renders it
// after the injection alone.
func TestRefusedAtClone(t *testing.T) {
	w := newWorld(t)
	w.edit("upstream/vault.yaml", "  values.yaml: |\n", "  values.yaml: |\n    other: \"{{ .spectro.system.clustr.name }}\"\n")
	p := w.run(nil)
	if got, want := summary(p), "[refused at clone:10]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	at := w.lineOf("upstream/vault.yaml", "values.yaml: |", "other:")
	if diff := cmp.Diff([]string{fmt.Sprintf("macro/unknown 10 upstream/vault.yaml:%d data[values.yaml]", at)}, faults(p)); diff != "" {
		t.Error(diff)
	}
	p = w.run(func(o *fleet.Options) { o.Like = fleet.Kpt })
	if got, want := summary(p), "[refused:10]"; got != want {
		t.Errorf("kpt: got %s, want %s", got, want)
	}
	for i := range p.Rows { // a mutator has failed
		if p.Rows[i].Files != nil {
			t.Errorf("%s has %d files", p.Rows[i].Name(), len(p.Rows[i].Files))
		}
	}
	w = newWorld(t)
	w.write("upstream/chart/templates/a.yaml", "{{ if .Values.a }}\na: b\n{{ end }}\n")
	w.write("upstream/chart/ignored.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ignored\n")
	w.write("upstream/.krmignore", ".expected\nchart\n")
	p = w.run(nil)
	if got, want := summary(p), "[refused at clone:10]"; got != want || !strings.Contains(p.Rows[0].Reason, "chart/templates/a.yaml") {
		t.Errorf("got %s (%s), want %s", got, p.Rows[0].Reason, want)
	}
	if err := os.Remove(w.path("upstream/chart/templates/a.yaml")); err != nil {
		t.Fatal(err)
	}
	p = w.run(nil)
	if text := file(t, p, "us-east-1/platform", "chart/ignored.yaml"); !strings.Contains(text, "|ConfigMap|default|ignored") {
		t.Errorf("got\n%s", text)
	}
	w.write("upstream/broken.yaml", "a: [\n")
	p = w.run(nil)
	if got, want := summary(p), "[refused at clone:10]"; got != want || !strings.Contains(p.Rows[0].Reason, "broken.yaml") {
		t.Errorf("got %s (%s), want %s", got, p.Rows[0].Reason, want)
	}
}

// What a label of a Repository brings is at the Repository, with the expression.
func TestOrigins(t *testing.T) {
	w := newWorld(t)
	w.edit("set/repositories.yaml", "  name: us-east-1\n  labels:\n    env: production\n    region: us\n    size: large\n", "  name: us-east-1\n  labels:\n    env: production\n    region: us\n    size: medium\n")
	w.edit("set/repositories.yaml", "  name: us-east-2\n  labels:\n    env: production\n    region: us\n    size: large\n", "  name: us-east-2\n  labels:\n    env: production\n    region: us\n    size: medium\n")
	w.edit("set/clusters.yaml", "  name: us-east-4\n", "  name: us-east-5\n")
	p := w.run(nil)
	size := func(name string) int { return w.lineOf("set/repositories.yaml", "\n  name: "+name+"\n", "size:") }
	want := []string{
		fmt.Sprintf("preset/unknown 2 set/repositories.yaml:%d metadata.labels[size] <- set/set.yaml:%d <- set/repositories.yaml:%d", size("us-east-1"), w.lineOf("set/set.yaml", "configMapExprs:", "key:"), size("us-east-2")),
		fmt.Sprintf("inject/unmatched 1 set/set.yaml:%d spec.targets[0].template.injectors <- upstream/cluster.yaml:9", w.lineOf("set/set.yaml", "spec:", "injectors:")),
	}
	var got []string
	for _, fault := range faults(p) {
		if strings.HasPrefix(fault, "preset/") || strings.HasPrefix(fault, "inject/") {
			got = append(got, fault)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Objects in a List of kubectl have their places, too.
func TestOriginInList(t *testing.T) {
	w := newWorld(t)
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for _, one := range strings.Split(w.read("set/clusters.yaml"), "---\n") {
		for i, line := range strings.Split(strings.TrimSuffix(strings.TrimLeft(one, "#\n"), "\n"), "\n") {
			b.WriteString(map[bool]string{true: "- ", false: "  "}[i == 0] + line + "\n")
		}
	}
	w.write("objects/list.yaml", b.String())
	if err := os.Remove(w.path("set/clusters.yaml")); err != nil {
		t.Fatal(err)
	}
	p := w.run(func(o *fleet.Options) { o.Objects = []string{w.path("objects")} })
	want := fmt.Sprintf("resources/insufficient 1 objects/list.yaml:%d spec.machinePools[0].size <- upstream/cluster.yaml:9", w.lineOf("objects/list.yaml", "\n    name: ap-south-1\n", "size:"))
	if got := faults(p); len(got) == 0 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Porch takes the branch where no workspace pins a revision.
func TestRevision(t *testing.T) {
	w := newWorld(t)
	w.edit("set/set.yaml", "workspaceName: v3", "revision: 3")
	p := w.run(nil)
	if got, want := p.Rows[0].Upstream, "blueprints/platform@main"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	pinned := func(o *fleet.Options) {
		o.Upstreams = []fleet.Upstream{{Repo: "blueprints", Package: "platform", Revision: "v3", Dir: w.path("upstream")}}
	}
	o := w.options()
	pinned(&o)
	if _, err := fleet.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "blueprints/platform@main") {
		t.Errorf("got %v, want that the branch is missing", err)
	}
	if got, want := summary(w.run(func(o *fleet.Options) { pinned(o); o.Like = fleet.Kpt })), "[can be deployed:8 refused:2]"; got != want {
		t.Errorf("kpt: got %s, want %s", got, want)
	}
	w.edit("set/set.yaml", "revision: 3", "workspaceName: v3")
	if got, want := summary(w.run(pinned)), "[can be deployed:8 refused:2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A check that the pipeline names is made with the options that it has there, and not again.
func TestOptionsOfPipeline(t *testing.T) {
	w := newWorld(t)
	w.edit("upstream/Kptfile", "    - exec: check-resources\n", "    - exec: check-resources\n      configMap: {severity: resources/insufficient=info}\n")
	if got, want := summary(w.run(nil)), "[can be deployed:9 refused:1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	w = newWorld(t) // other checks are made, too
	w.edit("upstream/Kptfile", "    - exec: check-dependencies\n    - exec: check-resources\n", "")
	if got, want := summary(w.run(nil)), "[can be deployed:8 refused:2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A package can be deployed, is refused by a function, or cannot be computed, each with the
// reason.
func TestOutcomes(t *testing.T) {
	w := newWorld(t)
	if got, want := summary(w.run(nil)), "[can be deployed:8 refused:2]"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	for _, row := range w.run(nil).Rows {
		if row.Outcome == fleet.Refused && row.Reason != "" {
			t.Errorf("%s: the reason %q is a finding", row.Name(), row.Reason)
		}
	}
	// Variants that make one package fail, and leave the others as they are.
	for _, name := range []string{"one", "two"} {
		w.write("set/"+name+".yaml", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: "+name+"}\nspec:\n  upstream: {repo: blueprints, package: platform, revision: v3}\n  downstream: {repo: edge, package: twin}\n")
	}
	p := w.run(nil)
	if got, want := summary(p), "[can be deployed:8 failed:2 refused:2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, row := range p.Rows {
		if isTwin := row.Package == "twin"; isTwin != (row.Outcome == fleet.Failed) || isTwin != strings.Contains(row.Reason, "also makes the package edge/twin") || isTwin && row.Files != nil {
			t.Errorf("%s: %s, %q", row.Name(), row.Outcome, row.Reason)
		}
	}
}

// What cannot be read, or is about nothing, is an error about all.
func TestBadInput(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(w world, o *fleet.Options)
		want   string
	}{
		"no sets":                       {func(_ world, o *fleet.Options) { o.Sets = nil }, "--set: must be a file or a folder, got an empty path"},
		"an empty path":                 {func(_ world, o *fleet.Options) { o.Sets = []string{""} }, "--set: must be a file or a folder, got an empty path"},
		"an empty path of objects":      {func(_ world, o *fleet.Options) { o.Objects = []string{""} }, "--objects: must be a file or a folder, got an empty path"},
		"an empty upstream":             {func(_ world, o *fleet.Options) { o.Upstreams[0].Dir = "" }, "--upstream: must be a folder, got an empty path"},
		"an upstream that is not there": {func(w world, o *fleet.Options) { o.Upstreams[0].Dir = w.path("none") }, "--upstream: stat none: no such file or directory"},
		"upstreams for one package":     {func(w world, o *fleet.Options) { o.Upstreams = append(o.Upstreams, fleet.Upstream{Dir: w.path("set")}) }, "--upstream: upstream and set are for the same variants; remove one"},
		"an upstream twice": {func(w world, o *fleet.Options) {
			o.Upstreams = append(o.Upstreams, fleet.Upstream{Dir: w.path("upstream") + "/"})
		}, ""},
		"no upstream":      {func(_ world, o *fleet.Options) { o.Upstreams = nil }, "no --upstream for blueprints/platform@v3. Give --upstream REPO/PACKAGE[@REVISION]=DIR for each"},
		"another upstream": {func(w world, o *fleet.Options) { o.Upstreams[0].Repo, o.Upstreams[0].Package = "blueprints", "platfrm" }, "no --upstream for blueprints/platform@v3. Give --upstream REPO/PACKAGE[@REVISION]=DIR for each"},
		"no set":           {func(w world, o *fleet.Options) { o.Sets = []string{w.path("set/clusters.yaml")} }, "set/clusters.yaml: there is no PackageVariantSet and no PackageVariant (config.porch.kpt.dev)"},
		"sets that cannot be read": {func(w world, o *fleet.Options) {
			for i := range 12 {
				w.write(fmt.Sprintf("bad/%02d.yaml", i), "a: [\n")
			}
			o.Sets = []string{w.path("bad")}
		}, "bad: there is no PackageVariantSet and no PackageVariant (config.porch.kpt.dev)\nbad/00.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket\nbad/01.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket\nbad/02.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket\nbad/03.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket\nbad/04.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket\nbad/05.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket\nbad/06.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket\nbad/07.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket\nbad/08.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket\nbad/09.yaml:1: cannot be read: a value is missing here: write one, or remove the comma or bracket"},
		"other objects": {func(w world, o *fleet.Options) { o.Objects = []string{w.path("set/clusters.yaml")} }, ""},
	} {
		w := newWorld(t)
		o := w.options()
		tc.change(w, &o)
		got := ""
		if _, err := fleet.Run(context.Background(), o); err != nil {
			got = strings.ReplaceAll(err.Error(), w.dir+"/", "")
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Notes name upstreams that nothing asks for, and those that are asked for and not given.
func TestUpstreamNotes(t *testing.T) {
	w := newWorld(t)
	w.write("set/other.yaml", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: other}\nspec:\n  upstream: {repo: blueprints, package: other, revision: 2}\n  downstream: {repo: edge, package: other}\n"+
		// Nothing is to be given for one that cannot be made.
		"---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: broken}\nspec:\n  upstream: {repo: blueprints, package: third, revision: 2}\n  downstream: {repo: edge}\n")
	p := w.run(func(o *fleet.Options) {
		o.Upstreams = []fleet.Upstream{{Repo: "blueprints", Package: "platfrm", Dir: w.path("none")}, {Repo: "blueprints", Package: "platform", Dir: w.path("upstream")}}
	})
	for i := range p.Notes {
		p.Notes[i] = strings.ReplaceAll(p.Notes[i], w.dir+"/", "")
	}
	if diff := cmp.Diff([]string{"no --upstream for blueprints/other@main. Give --upstream REPO/PACKAGE[@REVISION]=DIR for each. Porch ignores spec.upstream.revision and takes the branch main; a workspaceName pins a revision", `--upstream blueprints/platfrm=none: no PackageVariant asks for it (did you mean "blueprints/platform"?)`}, p.Notes); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got, want := summary(p), "[can be deployed:8 failed:2 refused:2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A fault in a text of an injected object is at its line there.
func TestOriginInText(t *testing.T) {
	w := newWorld(t)
	const files = "  pack.json: '{\"name\": \"extra\", \"version\": \"1.0.0\"}'\n  values.yaml: |\n    a: 1\n    port: 7\n  schema.yaml: |\n    port:\n      schema: '{{ format \"${number:[1-5]}\" }}'\n"
	w.write("upstream/extra.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\n    kpt.dev/config-injection: required\ndata:\n"+strings.Replace(files, "port: 7", "port: 3", 1))
	w.write("set/extra.yaml", "# the values of all\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extras\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\ndata:\n"+files)
	w.edit("set/set.yaml", "        injectors:\n", "        injectors:\n          - kind: ConfigMap\n            name: extras\n")
	if diff := cmp.Diff([]string{
		"values/format 10 set/extra.yaml:12 data[values.yaml] <- upstream/extra.yaml:12",
		fmt.Sprintf("resources/insufficient 1 set/clusters.yaml:%d spec.machinePools[0].size <- upstream/cluster.yaml:9", w.lineOf("set/clusters.yaml", "\n  name: ap-south-1\n", "size:")),
		fmt.Sprintf("dependency/above-max 1 set/clusters.yaml:%d spec.system.kubernetes.version <- upstream/cluster.yaml:9", w.lineOf("set/clusters.yaml", "\n  name: eu-central-3\n", "version:")),
	}, faults(w.run(nil))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
