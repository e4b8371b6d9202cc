package fleet_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
	"github.com/krm-packs/functions/pkg/values"
)

// upgraded is a world in which packages of v3 exist in the folder downstream, and the sets
// ask for v4.
func upgraded(t *testing.T) (world, func(*fleet.Options)) {
	t.Helper()
	w := newWorld(t)
	w.save("downstream", w.run(nil))
	if err := os.CopyFS(w.path("old"), os.DirFS(w.path("upstream"))); err != nil {
		t.Fatal(err)
	}
	w.edit("set/set.yaml", "workspaceName: v3", "workspaceName: v4")
	w.edit("set/upstream.yaml", "v3", "v4")
	w.edit("set/upstream.yaml", "revision: 3", "revision: 4")
	return w, func(o *fleet.Options) {
		o.Downstreams = []fleet.Downstream{{Dir: w.path("downstream")}}
		o.Upstreams = []fleet.Upstream{
			{Repo: "blueprints", Package: "platform", Revision: "v4", Dir: w.path("upstream")},
			{Repo: "blueprints", Package: "platform", Revision: "v3", Dir: w.path("old")},
		}
	}
}

// Shards of packages that exist with other contents are not of one preview.
func TestShardsOfOtherDownstreams(t *testing.T) {
	w, options := upgraded(t)
	shard := func(index int) string {
		p := w.run(func(o *fleet.Options) {
			options(o)
			o.KeepFiles, o.Shard = false, &fleet.Shard{Index: index, Of: 2}
		})
		var blob bytes.Buffer
		if err := p.WriteShard(&blob, "v1"); err != nil {
			t.Fatal(err)
		}
		w.write("blob", blob.String())
		file := w.path(fmt.Sprintf("blob-%d", index))
		if err := os.Rename(w.path("blob"), file); err != nil {
			t.Fatal(err)
		}
		return file
	}
	one, two := shard(1), shard(2)
	if _, err := fleet.Merge([]string{one, two}, "v1", false); err != nil {
		t.Error(err)
	}
	for _, cluster := range []string{"us-east-1", "eu-central-1", "ap-south-2"} { // whatever shard it is in
		w.edit("downstream/"+cluster+"/platform/vault.yaml", "# where people reach it", "# where people meet it.")
		two = shard(2)
		if _, err := fleet.Merge([]string{one, two}, "v1", false); err == nil || !strings.Contains(err.Error(), "other inputs") {
			t.Errorf("%s: got %v", cluster, err)
		}
		w.edit("downstream/"+cluster+"/platform/vault.yaml", "# where people meet it.", "# where people reach it")
	}
}

// An upgrade merges: what changes upstream comes, and what the package has stays.
func TestUpgrade(t *testing.T) {
	w, options := upgraded(t)
	w.edit("upstream/cert-manager.yaml", "version: 1.16.2", "version: 1.16.3")
	w.write("upstream/new.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: new\ndata:\n  a: b\n")
	w.write("upstream/NOTES", "new\n")
	w.write("old/GONE", "gone\n")
	w.write("downstream/us-east-1/platform/GONE", "gone\n")
	w.write("downstream/us-east-1/platform/OWN", "own\n")
	const own = "downstream/us-east-1/platform/cert-manager.yaml"
	w.edit(own, "clusterResourceNamespace: cert-manager", "clusterResourceNamespace: own")
	w.edit(own, "  layer: addon", "  layer: addon # mine")
	p := w.run(options)
	if got, want := summary(p), "[can be deployed:8 refused:2]"; got != want {
		t.Errorf("got %s, want %s: %q", got, want, faults(p))
	}
	const pkg = "us-east-1/platform"
	for name, wanted := range map[string][]string{
		"cert-manager.yaml": {"version: 1.16.3", "clusterResourceNamespace: own", "layer: addon # mine"},
		"vault.yaml":        {"name: \"vault-us-east-1\"", "applied-presets"},
		"new.yaml":          {"kpt-merge: /new", "|ConfigMap|default|new"},
		"Kptfile":           {"ref: platform/v4", "name: PackageVariant.platform-us-east-1-platform.size.0"},
		"NOTES":             {"new"}, "OWN": {"own"},
	} {
		for _, text := range wanted {
			if !strings.Contains(file(t, p, pkg, name), text) {
				t.Errorf("%s has no %q:\n%s", name, text, file(t, p, pkg, name))
			}
		}
	}
	for i := range p.Rows {
		for _, f := range p.Rows[i].Files {
			if f.Path == "GONE" && p.Rows[i].Name() == pkg {
				t.Error("a file that is gone upstream is in the package")
			}
		}
	}
	commit := func(text string) string {
		return values.Text(values.Field(parse(t, text).Root(), "upstreamLock", "git", "commit"))
	}
	if before, after := commit(w.read("downstream/us-east-1/platform/Kptfile")), commit(file(t, p, pkg, "Kptfile")); before == after || len(after) != len(before) {
		t.Errorf("the lock has the commit %q after %q", after, before)
	}
	if got := strings.Count(file(t, p, pkg, "Kptfile"), "exec: apply-preset"); got != 1 {
		t.Errorf("the Kptfile has apply-preset %d times", got)
	}
}

// A package at the revision that the set asks for is not merged, only changed.
func TestUpToDate(t *testing.T) {
	w, options := upgraded(t)
	w.edit("set/set.yaml", "workspaceName: v4", "workspaceName: v3")
	w.edit("set/upstream.yaml", "v4", "v3")
	w.edit("set/upstream.yaml", "revision: 4", "revision: 3")
	w.edit("upstream/cert-manager.yaml", "version: 1.16.2", "version: 1.16.3")
	w.edit("set/set.yaml", `repository.name + "."`, `repository.name + "-"`)
	p := w.run(func(o *fleet.Options) {
		options(o)
		o.Upstreams = o.Upstreams[1:] // nothing is needed to merge
	})
	if text := file(t, p, "us-east-1/platform", "cert-manager.yaml"); !strings.Contains(text, "version: 1.16.2") {
		t.Errorf("got\n%s", text)
	}
	if text := file(t, p, "us-east-1/platform", "package-context.yaml"); !strings.Contains(text, "site: us-east-1-us") {
		t.Errorf("got\n%s", text)
	}
	w.edit("downstream/us-east-2/platform/vault.yaml", "  values.yaml: |\n", "  values.yaml: |\n    other: \"{{ .spectro.system.clustr.name }}\"\n")
	if got, want := summary(w.run(options)), "[can be deployed:7 refused:3]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What goes wrong after the merge is one fault of the packages that it happens to alike, at
// the first of them: of those whose text is the merge's, and of those that a preset changed.
func TestRefusedAtUpgrade(t *testing.T) {
	w, options := upgraded(t)
	w.edit("upstream/vault.yaml", "  values.yaml: |\n", "  values.yaml: |\n    other: \"{{ .spectro.system.clustr.name }}\"\n")
	p := w.run(options)
	if got, want := summary(p), "[refused at clone:2 refused at upgrade:8]"; got != want {
		t.Errorf("got %s, want %s: %q", got, want, faults(p))
	}
	got := faults(p)
	want := []string{"macro/unknown 4 downstream/ap-south-2/platform/vault.yaml:", "macro/unknown 4 downstream/eu-central-1/platform/vault.yaml:", "macro/unknown 2 upstream/vault.yaml:"}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got %q, want those that begin with %q", got, want)
	}
}

// The first render after an upgrade has the facts of the last injection.
func TestFactsOfLastInjection(t *testing.T) {
	w, options := upgraded(t)
	w.edit("downstream/us-east-1/platform/cluster.yaml", "version: 1.31.4", "version: 1.33.1")
	p := w.run(options)
	at := w.lineOf("downstream/us-east-1/platform/cluster.yaml", "spec:", "version: 1.33.1")
	if want := fmt.Sprintf("dependency/above-max 1 downstream/us-east-1/platform/cluster.yaml:%d spec.system.kubernetes.version", at); !slices.Contains(faults(p), want) {
		t.Errorf("got %q, want %q", faults(p), want)
	}
	if got, want := summary(p), "[can be deployed:7 refused:2 refused at upgrade:1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A draft of another revision blocks an upgrade.
func TestOpenDraft(t *testing.T) {
	w, options := upgraded(t)
	revision := func(name, lifecycle, repository, pkg, workspace, ref string) string {
		return fmt.Sprintf("---\napiVersion: porch.kpt.dev/v1alpha1\nkind: PackageRevision\nmetadata:\n  name: %s\nspec:\n  lifecycle: %s\n  repository: %s\n  packageName: %s\n  workspaceName: %s\nstatus:\n  upstreamLock:\n    git:\n      ref: %s\n",
			name, lifecycle, repository, pkg, workspace, ref)
	}
	w.write("set/revisions.yaml", revision("draft-1", "Proposed", "us-east-1", "platform", "packagevariant-2", "platform/v3")+
		revision("draft-2", "Draft", "us-east-2", "platform", "packagevariant-2", "platform/v4")+
		revision("done-3", "Published", "us-east-3", "platform", "packagevariant-2", "platform/v3"))
	p := w.run(options)
	if got, want := summary(p), "[can be deployed:7 refused:2 refused at upgrade:1]"; got != want {
		t.Errorf("got %s, want %s: %q", got, want, faults(p))
	}
	for i := range p.Rows {
		if row := &p.Rows[i]; row.Outcome == fleet.RefusedAtUpgrade && (row.Repo != "us-east-1" || !strings.Contains(row.Reason, `"draft-1"`)) {
			t.Errorf("got %s: %s", row.Repo, row.Reason)
		}
	}
}

// Without the upstream that a package was made of, only that package is not computed.
func TestNoOldUpstream(t *testing.T) {
	w, options := upgraded(t)
	for _, repo := range []string{"us-east-1", "us-east-2"} {
		w.edit("downstream/"+repo+"/platform/Kptfile", "platform/v3", "platform/v2")
	}
	if err := os.RemoveAll(w.path("downstream/us-east-3")); err != nil {
		t.Fatal(err)
	}
	p := w.run(options)
	if got, want := summary(p), "[can be deployed:6 failed:2 refused:2]"; got != want {
		t.Errorf("got %s, want %s: %q", got, want, faults(p))
	}
	for i := range p.Rows {
		if row := &p.Rows[i]; row.Outcome == fleet.Failed && !strings.Contains(row.Reason, "--upstream blueprints/platform@v2=DIR") {
			t.Errorf("got %s: %s", row.Repo, row.Reason)
		}
	}
}

// Flags that cannot be used are errors about all.
func TestBadDownstreams(t *testing.T) {
	w, options := upgraded(t)
	w.write("no-package/platform/README.md", "")
	for _, tc := range []struct {
		what   string
		change func(*fleet.Options)
		want   string
	}{
		{"no package", func(o *fleet.Options) {
			o.Downstreams = []fleet.Downstream{{Repo: "us-east-1", Dir: w.path("no-package")}}
		}, "no-package/platform is not a package"},
		{"the package itself", func(o *fleet.Options) {
			o.Downstreams = []fleet.Downstream{{Repo: "us-east-1", Dir: w.path("downstream/us-east-1/platform")}}
		}, "is a package. Give the folder of the repository"},
		{"kpt", func(o *fleet.Options) { o.Like = fleet.Kpt }, "Add --like porch"},
		{"like", func(o *fleet.Options) { o.Like = "porh" }, `"porch"`},
	} {
		o := w.options()
		options(&o)
		tc.change(&o)
		if _, err := fleet.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", tc.what, err, tc.want)
		}
	}
	dir := t.TempDir()
	for text, want := range map[string]*fleet.Downstream{
		"a=" + dir: {Repo: "a", Dir: dir}, dir: {Dir: dir}, "=" + dir: nil, "a=": nil, "a=" + dir + "/none": nil, "": nil,
	} {
		got, err := fleet.ParseDownstream(text)
		if want == nil {
			if err == nil {
				t.Errorf("%q: got %v", text, got)
			}
		} else if diff := cmp.Diff(*want, got); diff != "" || err != nil {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
	p := w.run(func(o *fleet.Options) {
		options(o)
		o.Downstreams = append(o.Downstreams, fleet.Downstream{Repo: "us-east-9", Dir: w.path("downstream")})
		// A repository that has no package yet is not a mistake.
		o.Downstreams = slices.Insert(o.Downstreams, 0, fleet.Downstream{Repo: "us-east-3", Dir: w.path("no-package/platform")})
	})
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "us-east-9") {
		t.Errorf("got the notes %q", p.Notes)
	}
}

// A package that exists follows its cluster: a changed fact, and at an upgrade a changed preset
// and a new macro, give what a package has that is made today.
func TestChangedSources(t *testing.T) {
	w, options := upgraded(t)
	w.edit("set/clusters.yaml", "DOMAIN: us.example.com", "DOMAIN: usa.example.com")
	w.edit("upstream/vault.yaml", "replicas: 5", "replicas: 4")
	w.edit("upstream/vault.yaml", "    name: \"vault-{{ .spectro.system.cluster.name }}\"\n", "    name: \"vault-{{ .spectro.system.cluster.name }}\"\n    zone: '{{ .spectro.var.DOMAIN }}'\n")
	old, fresh := w.run(options), w.run(func(o *fleet.Options) {
		o.Upstreams = []fleet.Upstream{{Repo: "blueprints", Package: "platform", Revision: "v4", Dir: w.path("upstream")}}
	})
	if got, want := summary(old), summary(fresh); got != want {
		t.Errorf("got %s, want %s: %q", got, want, faults(old))
	}
	isThere := false
	for i := range fresh.Rows {
		row := &fresh.Rows[i]
		if row.Outcome != fleet.Deployable {
			continue
		}
		valuesOf := func(p *fleet.Preview) string {
			return values.Text(values.Field(parse(t, file(t, p, row.Name(), "vault.yaml")).Root(), "data", "values.yaml"))
		}
		if diff := cmp.Diff(valuesOf(fresh), valuesOf(old)); diff != "" {
			t.Errorf("%s: -fresh +upgraded:\n%s", row.Name(), diff)
		}
		isThere = isThere || strings.Contains(valuesOf(old), ".usa.example.com\" # where people reach it # kpt-macro: ")
	}
	if !isThere {
		t.Error("no package has the changed fact")
	}
}
