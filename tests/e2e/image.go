package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Image runs one function of an example from its image and from its binary, each with `kpt fn eval`, and says in what
// they differ: exit code, results, or what they make of the package.
func (r Runner) Image(kpt Client, example *Example, function, image string) error {
	config, err := example.functionConfigOf(function)
	if err != nil {
		return err
	}
	run := func(flags ...string) (kptRun, tree, error) {
		temporary, pkg, err := copyOf(example)
		defer os.RemoveAll(temporary)
		if err != nil {
			return kptRun{}, nil, err
		}
		args := append([]string{"fn", "eval", example.Name, "--results-dir", "results"}, flags...)
		done, err := execute(temporary, r.path(), kpt.Path, append(args, config.functionConfig(example.Name)...)...)
		if err != nil {
			return kptRun{}, nil, err
		}
		results, err := os.ReadFile(filepath.Join(temporary, "results", "results.yaml"))
		if err != nil {
			return kptRun{}, nil, fmt.Errorf("kpt left no results\n%s\nexit %d\n%s", done.command, done.exit, done.stderr)
		}
		files, err := readTree(pkg)
		return kptRun{done, string(results)}, files, err
	}

	binary, binaryFiles, err := run("--exec", function)
	if err != nil {
		return err
	}
	container, containerFiles, err := run("--image", image, "--image-pull-policy", "Never")
	if err != nil {
		return err
	}
	var problems []error
	if binary.exit != container.exit {
		problems = append(problems, fmt.Errorf("the binary exits %d, the image %d\n%s", binary.exit, container.exit,
			indent(container.stderr)))
	}
	// The two results files name what ran, each in its own way.
	named := strings.Replace(container.results, "image: "+image, "exec: "+function, 1)
	if different, err := differentResults(binary.results, named); err != nil {
		problems = append(problems, err)
	} else if different != "" {
		problems = append(problems, fmt.Errorf("the results differ (- binary, + image):\n%s", indent(different)))
	}
	if changes := binaryFiles.changes(containerFiles); changes != "" {
		problems = append(problems, fmt.Errorf("the packages differ: with the image,\n%s", indent(changes)))
	}
	return errors.Join(problems...)
}

// functionConfigOf finds the functionConfig that an example gives to a function: in config.yaml when it is an example of
// eval, otherwise in the first step of the pipeline that runs the function.
func (e *Example) functionConfigOf(function string) (Config, error) {
	if e.Config.TestType == "eval" {
		return e.Config, nil
	}
	data, err := os.ReadFile(filepath.Join(e.Dir, "Kptfile"))
	if err != nil {
		return Config{}, err
	}
	type step struct {
		Exec       string            `yaml:"exec"`
		ConfigPath string            `yaml:"configPath"`
		ConfigMap  map[string]string `yaml:"configMap"`
	}
	var kptfile struct {
		Pipeline struct {
			Mutators   []step `yaml:"mutators"`
			Validators []step `yaml:"validators"`
		} `yaml:"pipeline"`
	}
	if err := yaml.Unmarshal(data, &kptfile); err != nil {
		return Config{}, fmt.Errorf("read the Kptfile: %w", err)
	}
	for _, step := range append(kptfile.Pipeline.Mutators, kptfile.Pipeline.Validators...) {
		if step.Exec == function {
			return Config{FnConfig: step.ConfigPath, Args: step.ConfigMap}, nil
		}
	}
	return Config{}, fmt.Errorf("the pipeline of %s does not run %s", e.Name, function)
}
