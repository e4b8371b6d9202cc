package packfn

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/tests/e2e"
)

// shardedFleet is a fleet with all that differs between clusters: outcomes, objects that
// are not there with near names, more than get a hint, faults of PackageVariants and of
// sets, and changes since an earlier run, in which some clusters were not there.
func shardedFleet(t *testing.T) (dir string, args []string) {
	t.Helper()
	dir = t.TempDir()
	set, upstream := filepath.Join(dir, "set"), filepath.Join(dir, "platform")
	if err := os.CopyFS(upstream, os.DirFS(filepath.Join(root, exampleUpstream))); err != nil {
		t.Fatal(err)
	}
	args = []string{"fleet", "--set", "set", "--upstream", "platform"}
	makeFleet(t, set, 80)
	packfn(t, dir, append(args, "--to", "before")...).want(t, 1)
	makeFleet(t, set, 95)
	edit(t, filepath.Join(set, "clusters.yaml"), func(text string) string {
		for i := range 70 { // 0 and O
			text = strings.Replace(text, fmt.Sprintf("-x%03d\n", i+20), fmt.Sprintf("-X%03d\n", i+20), 1)
		}
		return text
	})
	edit(t, filepath.Join(upstream, "vault.yaml"), func(text string) string { return strings.Replace(text, "replicas: 5", "replicas: 3", 1) })
	variant := func(name, repo, pkg string) string {
		return `---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ` + name + `}
spec:
  upstream: {repo: b, package: p, workspaceName: v1}
  downstream: {repo: ` + repo + ", package: " + pkg + "}\n"
	}
	edit(t, filepath.Join(set, "set.yaml"), func(text string) string {
		faulty := strings.NewReplacer("name: platform\n", "name: faulty\n", "package: platform", "packge: platform").Replace("---\n" + text)
		return text + variant("one", "x", "p") + variant("two", "x", "p/q") + variant("bad", "..", "p") + faulty
	})
	return dir, append(args, "--against", "before")
}

func edit(t *testing.T, file string, change func(string) string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, change(string(text)))
}

// The report of any number of shards, in any order, is byte for byte that of one run.
func TestFleetShards(t *testing.T) {
	dir, args := shardedFleet(t)
	want := map[string]string{}
	for _, format := range packfntest.FleetFormats {
		want[format] = packfn(t, dir, append(slices.Clone(args), "--format", format)...).want(t, 1).stdout
	}
	for _, words := range []string{"did you mean", "newly refused", "the same change in", "variant-set/"} {
		if !strings.Contains(want["table"], words) {
			t.Fatalf("the fleet has no %q:\n%.3000s", words, want["table"])
		}
	}
	// Of 70 misspelt names, those of the first clusters have hints.
	if n := strings.Count(want["json"], "did you mean \\\"us-") + strings.Count(want["json"], "did you mean \\\"eu-") + strings.Count(want["json"], "did you mean \\\"ap-"); n != 64 {
		t.Errorf("%d clusters have hints", n)
	}
	shards := []int{1, 3}
	if e2e.All() {
		shards = []int{1, 2, 3, 5}
	}
	for _, n := range shards {
		var blobs []string
		rows := 0
		for i := n; i > 0; i-- {
			name := fmt.Sprintf("%d-of-%d.blob", i, n)
			packfn(t, dir, append(slices.Clone(args), "--shard", fmt.Sprintf("%d/%d", i, n), "--output", name, "--to", fmt.Sprintf("out-%d/%d", n, i))...).want(t, 0)
			blobs = append(blobs, name)
		}
		for _, format := range packfntest.FleetFormats {
			got := packfn(t, dir, append([]string{"report", "--merge", "--format", format}, blobs...)...).want(t, 1).stdout
			if got != want[format] {
				t.Errorf("%s of %d shards (-one run +merged):\n%.3000s", format, n, cmp.Diff(want[format], got))
			}
		}
		if n == 1 && !e2e.All() {
			continue
		}
		// The folders of all shards are together what one run writes.
		together := filepath.Join(dir, fmt.Sprintf("together-%d", n))
		for i := range n {
			if err := os.CopyFS(together, os.DirFS(filepath.Join(dir, fmt.Sprintf("out-%d/%d", n, i+1)))); err != nil {
				t.Fatal(err)
			}
		}
		for name := range tree(t, together) {
			if strings.HasSuffix(name, "/Kptfile") {
				rows++
			}
		}
		again := packfn(t, dir, "fleet", "--set", "set", "--upstream", "platform", "--against", filepath.Base(together)).want(t, 1)
		if !strings.Contains(again.stdout, fmt.Sprintf("no change in %d packages", rows)) || strings.Contains(again.stdout, "newly refused") {
			t.Errorf("the folders of %d shards differ from one run:\n%s", n, again.stdout[strings.LastIndex(again.stdout, "refused as before"):])
		}
	}
	// Values are masked in a shard unless they are asked for.
	packfn(t, dir, append(slices.Clone(args), "--shard", "1/1", "--show-values", "--output", "shown.blob")...).want(t, 0)
	shown := packfn(t, dir, append(slices.Clone(args), "--show-values")...).want(t, 1).stdout
	if got := packfn(t, dir, "report", "--merge", "--show-values", "shown.blob").want(t, 1).stdout; got != shown {
		t.Errorf("--show-values (-one run +merged):\n%.3000s", cmp.Diff(shown, got))
	}
	if got := packfn(t, dir, "report", "--merge", "shown.blob").want(t, 1).stdout; got != want["table"] {
		t.Errorf("values are shown that nobody asks for:\n%.3000s", cmp.Diff(want["table"], got))
	}
	packfn(t, dir, "report", "--merge", "--fail-on", "new", "1-of-1.blob").want(t, 1)
	// A file with values is for its owner alone.
	packfn(t, dir, "report", "--merge", "--show-values", "shown.blob", "--output", "shown.txt").want(t, 1)
	packfn(t, dir, append(slices.Clone(args), "--show-values", "--output", "fleet.txt")...).want(t, 1)
	for file, want := range map[string]os.FileMode{"1-of-1.blob": 0o644, "shown.blob": 0o600, "shown.txt": 0o600, "fleet.txt": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
}

// The Job for Kubernetes computes all shards with the flags that packfn has, and without
// rights.
func TestFleetJob(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "build/kubernetes/fleet-job.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	version, err := os.ReadFile(filepath.Join(root, "build/VERSION"))
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		Spec struct {
			Completions    int    `yaml:"completions"`
			CompletionMode string `yaml:"completionMode"`
			Template       struct {
				Spec struct {
					SecurityContext struct {
						RunAsNonRoot bool `yaml:"runAsNonRoot"`
						RunAsUser    int  `yaml:"runAsUser"`
					} `yaml:"securityContext"`
					Containers []struct {
						Image           string   `yaml:"image"`
						Args            []string `yaml:"args"`
						SecurityContext struct {
							ReadOnly bool `yaml:"readOnlyRootFilesystem"`
						} `yaml:"securityContext"`
					} `yaml:"containers"`
				} `yaml:"spec"`
			} `yaml:"template"`
		} `yaml:"spec"`
	}
	if err := yaml.Unmarshal(text, &job); err != nil {
		t.Fatal(err)
	}
	pod := job.Spec.Template.Spec
	if len(pod.Containers) != 1 || job.Spec.CompletionMode != "Indexed" || !pod.SecurityContext.RunAsNonRoot || pod.SecurityContext.RunAsUser != 65534 || !pod.Containers[0].SecurityContext.ReadOnly {
		t.Errorf("got %+v", job)
	}
	if want := "ghcr.io/krm-packs/packfn:" + strings.TrimSpace(string(version)); pod.Containers[0].Image != want {
		t.Errorf("got the image %s, want %s", pod.Containers[0].Image, want)
	}
	dir := t.TempDir()
	for from, to := range map[string]string{exampleSet: "clusters", exampleUpstream: "platform"} {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(filepath.Join(root, from))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "shards"), 0o755); err != nil {
		t.Fatal(err)
	}
	merge := []string{"report", "--merge"}
	for i := range job.Spec.Completions {
		var args []string
		for _, arg := range pod.Containers[0].Args {
			args = append(args, strings.ReplaceAll(arg, "$(JOB_COMPLETION_INDEX)", fmt.Sprint(i)))
		}
		packfn(t, dir, args...).want(t, 0)
		merge = append(merge, fmt.Sprintf("shards/%d.blob", i))
	}
	packfn(t, dir, merge...).want(t, 1)
}
