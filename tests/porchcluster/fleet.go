package porchcluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// Blueprints is the repository of upstream packages in each fleet.
const Blueprints = "blueprints"

// Fleet are the repositories and objects of a namespace. Fleets do not see each other.
type Fleet struct {
	Namespace string

	cluster *Cluster
}

// NewFleet makes a namespace with a repository for upstream packages.
func (c *Cluster) NewFleet(ctx context.Context, namespace string) (*Fleet, error) {
	if namespace != "default" {
		if err := c.Client.Apply(ctx, "", `apiVersion: v1
kind: Namespace
metadata: {name: `+namespace+"}\n"); err != nil {
			return nil, err
		}
	}
	f := &Fleet{Namespace: namespace, cluster: c}
	return f, f.AddRepository(ctx, Object{
		"apiVersion": Repositories.APIVersion, "kind": Repositories.Kind,
		"metadata": map[string]any{"name": Blueprints},
		"spec":     map[string]any{"type": "git", "deployment": false, "git": map[string]any{}},
	})
}

// gitName is the name of a repository among all of Git.
func (f *Fleet) gitName(repository string) string { return f.Namespace + "/" + repository }

// AddRepository makes an empty git repository and registers it, with its address in place
// of the one that the object has.
func (f *Fleet) AddRepository(ctx context.Context, object Object) error {
	name, _ := object["metadata"].(map[string]any)["name"].(string)
	spec, _ := object["spec"].(map[string]any)
	git, _ := spec["git"].(map[string]any)
	if name == "" || git == nil {
		return fmt.Errorf("%v is not a Repository of git", object["metadata"])
	}
	if err := f.cluster.Git.Create(f.gitName(name)); err != nil {
		return err
	}
	git["repo"] = f.cluster.Git.Repository(f.gitName(name))
	return f.cluster.Client.ApplyObject(ctx, f.Namespace, object)
}

// Publish commits a version of an upstream package, such as 3 of platform, and has Porch
// look at the repository.
func (f *Fleet) Publish(ctx context.Context, name string, version int, files map[string]string) error {
	paths := map[string]string{}
	for path, text := range files {
		paths[name+"/"+path] = text
	}
	git, repository := f.cluster.Git, f.gitName(Blueprints)
	if err := git.Commit(repository, fmt.Sprintf("%s v%d", name, version), paths, name); err != nil {
		return err
	}
	if err := git.Tag(repository, fmt.Sprintf("%s/v%d", name, version)); err != nil {
		return err
	}
	return f.cluster.Client.Nudge(ctx, Repositories, f.Namespace, Blueprints)
}

// Apply creates or changes objects. Repositories get a git repository each.
func (f *Fleet) Apply(ctx context.Context, documents string) error {
	for document := range strings.SplitSeq("\n"+documents, "\n---") {
		var object Object
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			return err
		}
		apply := f.cluster.Client.ApplyObject
		var err error
		switch {
		case object == nil:
		case object["kind"] == Repositories.Kind:
			err = f.AddRepository(ctx, object)
		default:
			err = apply(ctx, f.Namespace, object)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// The examples that Example applies, and the files of the set that are objects.
const (
	blueprintExample = "inject-config-fleet"
	setExample       = "expand-variant-set-fleet"
)

// Example are the files of the two examples in the form for images: an upstream package,
// and a set with its clusters.
type Example struct {
	Dir, Blueprint, Set string // folders
}

// WriteExample writes the examples with images to an empty folder.
func WriteExample(ctx context.Context, dir string) (*Example, error) {
	if _, err := goAtRoot(ctx, "run", "./build/imageexamples", "-o", dir); err != nil {
		return nil, err
	}
	return &Example{dir, filepath.Join(dir, blueprintExample), filepath.Join(dir, setExample)}, nil
}

// ApplyExample applies the set of the examples with its clusters. The blueprint is
// published as version 1 to 3 of the package platform.
func (f *Fleet) ApplyExample(ctx context.Context, example *Example) error {
	files, err := ReadFolder(example.Blueprint, ".expected")
	if err != nil {
		return err
	}
	for version := 1; version <= 3; version++ {
		if err := f.Publish(ctx, "platform", version, files); err != nil {
			return err
		}
	}
	for _, name := range []string{"repositories.yaml", "clusters.yaml", "set.yaml"} {
		text, err := os.ReadFile(filepath.Join(example.Set, name))
		if err == nil {
			err = f.Apply(ctx, string(text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// BuildFunctions builds the programs of all functions, and packfn, into a folder. Each
// function is a link to packfn, which does what its name says.
func BuildFunctions(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	program := filepath.Join(dir, "packfn")
	if _, err := goAtRoot(ctx, "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "./functions/packfn"); err != nil {
		return err
	}
	root, err := Root()
	if err != nil {
		return err
	}
	functions, err := filepath.Glob(filepath.Join(root, "functions", "*", "metadata.yaml"))
	if err != nil {
		return err
	}
	for _, function := range functions {
		if err := os.Symlink(program, filepath.Join(dir, filepath.Base(filepath.Dir(function)))); err != nil {
			return err
		}
	}
	return nil
}

// StartSuite starts a cluster with the functions of the suite in dir, and their kinds.
func StartSuite(ctx context.Context, options Options) (*Cluster, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	options.Config = filepath.Join(root, "build", "porch", "config.yaml")
	options.Definitions = append(options.Definitions, filepath.Join(root, "build", "crds"))
	return Start(ctx, options)
}

func goAtRoot(ctx context.Context, arguments ...string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, said.String())
	}
	return string(out), nil
}
