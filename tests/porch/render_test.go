package porch

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	api "github.com/nephio-project/porch/api/porch/v1alpha1"
	pb "github.com/nephio-project/porch/func/evaluator"
	kptfile "github.com/nephio-project/porch/pkg/kpt/api/kptfile/v1"
	"github.com/nephio-project/porch/pkg/kpt/fn"
	"github.com/nephio-project/porch/pkg/repository"
	"github.com/nephio-project/porch/pkg/task"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// functionRuntime runs functions in Porch's function runner, as Porch's server does.
type functionRuntime struct{ client pb.FunctionEvaluatorClient }

func (r functionRuntime) GetRunner(ctx context.Context, f *kptfile.Function) (fn.FunctionRunner, error) {
	return runner{ctx, r.client, f.Image}, nil
}

type runner struct {
	ctx    context.Context
	client pb.FunctionEvaluatorClient
	image  string
}

func (r runner) Run(in io.Reader, out io.Writer) error {
	list, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	answer, err := r.client.EvaluateFunction(r.ctx, &pb.EvaluateFunctionRequest{ResourceList: list, Image: r.image})
	if err != nil {
		return fmt.Errorf("func eval %q failed: %w", r.image, err)
	}
	_, err = out.Write(answer.ResourceList)
	return err
}

// revision is a package revision before a render, and draft after it.
type revision struct {
	repository.PackageRevision
	resources *api.PackageRevisionResources
}

func (r revision) GetResources(context.Context) (*api.PackageRevisionResources, error) {
	return r.resources, nil
}

type draft struct {
	repository.PackageRevisionDraft
	rendered *api.PackageRevisionResources
}

func (d *draft) GetMeta() metav1.ObjectMeta { return metav1.ObjectMeta{} }

func (d *draft) UpdateResources(_ context.Context, resources *api.PackageRevisionResources, _ *api.Task) error {
	d.rendered = resources
	return nil
}

// setDefaults gives a handler the options of Porch's runner, whose type is internal.
func setDefaults[T any, P interface {
	*T
	InitDefaults(string)
}](set func(func(string) T)) {
	set(func(string) T {
		var options T
		P(&options).InitDefaults("")
		return options
	})
}

// render renders a package as Porch's server does when a user saves it: by its task
// handler, its renderer and its function runner.
func render(t *testing.T, client pb.FunctionEvaluatorClient, files map[string]string) (map[string]string, *api.RenderStatus, error) {
	t.Helper()
	handler := task.GetDefaultTaskHandler()
	handler.SetRuntime(functionRuntime{client})
	setDefaults(handler.SetRunnerOptionsResolver)
	resources := &api.PackageRevisionResources{Spec: api.PackageRevisionResourcesSpec{Resources: files}}
	var d draft
	status, err := handler.DoPRResourceMutations(t.Context(), revision{resources: resources}, &d, resources, resources)
	if err != nil {
		return nil, status, err
	}
	return d.rendered.Spec.Resources, status, nil
}

// shipped starts Porch's function runner with the list of programs in build/porch, and
// returns the images in it by their functions.
func shipped(t *testing.T) (pb.FunctionEvaluatorClient, map[string]string) {
	t.Helper()
	const file = "../../build/porch/config.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Functions []struct {
			Function string   `json:"function"`
			Images   []string `json:"images"`
		} `json:"functions"`
	}
	if err := yaml.UnmarshalStrict(text, &list); err != nil {
		t.Fatal(err)
	}
	images := map[string]string{}
	for _, f := range list.Functions {
		if len(f.Images) != 1 {
			t.Errorf("%s: the images of %s are %v, want one", file, f.Function, f.Images)
		}
		images[f.Function] = f.Images[0]
	}
	for _, function := range functions {
		if images[function] == "" {
			t.Fatalf("%s does not have %s", file, function)
		}
	}
	return serve(t, "server", "--disable-runtimes=pod", "--config="+file, "--functions="+programs), images
}

// filesOf reads the files of a folder except hidden folders.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if err == nil && name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// documents are the YAML documents of the files of a package, without their layout, which
// differs between versions of kpt.
func documents(t *testing.T, files map[string]string) map[string][]any {
	t.Helper()
	parsed := map[string][]any{}
	for name, text := range files {
		if filepath.Ext(name) != ".yaml" && filepath.Base(name) != "Kptfile" {
			parsed[name] = []any{text}
			continue
		}
		for document := range strings.SplitSeq("\n"+text, "\n---\n") {
			var value any
			if err := yaml.Unmarshal([]byte(document), &value); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			parsed[name] = append(parsed[name], value)
		}
	}
	return parsed
}

// messages are the findings of a result list, with their functions and severities.
func messages(t *testing.T, list any) []string {
	t.Helper()
	text, err := yaml.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var results struct {
		Items []struct {
			Image, Exec string
			Results     []struct{ Message, Severity string }
		}
	}
	if err := yaml.Unmarshal(text, &results); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, item := range results.Items {
		name, _, _ := strings.Cut(filepath.Base(item.Image+item.Exec), ":")
		for _, result := range item.Results {
			found = append(found, name+" "+result.Severity+" "+result.Message)
		}
	}
	return found
}

var execStep = regexp.MustCompile(`(?m)(^\s*-? *)exec: ([a-z-]+)$`)

// TestRenderExamples renders every example that has a pipeline with Porch's own code, from
// its task handler to its function runner, and compares it with what kpt makes of it.
func TestRenderExamples(t *testing.T) {
	client, images := shipped(t)
	kptfiles, err := filepath.Glob("../../examples/*/Kptfile")
	if err != nil {
		t.Fatal(err)
	}
	rendered := 0
	for _, file := range kptfiles {
		dir := filepath.Dir(file)
		files := filesOf(t, dir)
		config, _ := os.ReadFile(filepath.Join(dir, ".expected/config.yaml"))
		if !strings.Contains(files["Kptfile"], "pipeline:") || strings.Contains(string(config), "testType: eval") || strings.Contains(string(config), "kptField: ") {
			continue // what is expected is not of its pipeline, or of a newer kpt than Porch has
		}
		rendered++
		t.Run(filepath.Base(dir), func(t *testing.T) {
			// Porch runs no programs by name: the steps name images.
			withImages := maps.Clone(files)
			for name, text := range withImages {
				if filepath.Base(name) == "Kptfile" {
					withImages[name] = execStep.ReplaceAllStringFunc(text, func(step string) string {
						parts := execStep.FindStringSubmatch(step)
						return parts[1] + "image: " + images[parts[2]]
					})
				}
			}
			got, status, err := render(t, client, withImages)
			results, failed := readResults(t, dir)
			if failed {
				// Porch shows the first lines of standard error, which are the errors.
				if err == nil {
					t.Fatal("Porch renders what kpt does not")
				}
				for _, message := range results {
					if _, text, isError := strings.Cut(message, " error "); isError && !strings.Contains(err.Error(), text) {
						t.Errorf("Porch says %v\nand not %q", err, text)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := patched(t, dir, files)
			for name, text := range got {
				if filepath.Base(name) == "Kptfile" {
					for function, image := range images {
						text = strings.ReplaceAll(text, "image: "+image, "exec: "+function)
					}
					got[name] = text
				}
			}
			if diff := cmp.Diff(documents(t, want), documents(t, got)); diff != "" {
				t.Errorf("kpt and Porch differ (-kpt +Porch):\n%s", diff)
			}
			var found []string
			if status != nil {
				found = messages(t, status.Result)
			}
			if !slices.Equal(results, found) {
				t.Errorf("kpt has the findings\n%s\nPorch\n%s", strings.Join(results, "\n"), strings.Join(found, "\n"))
			}
		})
	}
	if rendered < 20 {
		t.Errorf("rendered %d examples", rendered)
	}
}

// readResults reads the findings that kpt has for an example, and whether it fails.
func readResults(t *testing.T, dir string) ([]string, bool) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, ".expected/results.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var list map[string]any
	if err := yaml.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return messages(t, list), list["exitCode"] != float64(0)
}

// patched returns the files of an example after kpt rendered it.
func patched(t *testing.T, dir string, files map[string]string) map[string]string {
	t.Helper()
	patch, err := filepath.Abs(filepath.Join(dir, ".expected/diff.patch"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(patch); err != nil || info.Size() == 0 {
		return files
	}
	to := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("git", "apply", patch)
	command.Dir = to
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filesOf(t, to)
}
