package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Config is .expected/config.yaml. Fields that kpt's own example runner has go by the names they have there.
type Config struct {
	// TestType is "render" (the default) to run the pipeline of the Kptfile, or "eval" to run one function.
	TestType string `yaml:"testType"`
	// ExitCode is the exit code of kpt, 0 or 1.
	ExitCode int `yaml:"exitCode"`
	// Exec is the bare name of the function that eval runs.
	Exec string `yaml:"exec"`
	// FnConfig is the file with the functionConfig for eval, as a path from the example's folder.
	FnConfig string `yaml:"fnConfig"`
	// Args follow -- in eval, as key=value in the order of the keys.
	Args map[string]string `yaml:"args"`
	// Flags are further flags of `kpt fn render` or `kpt fn eval`, such as --match-kind=ConfigMap.
	Flags []string `yaml:"flags"`
	// StdErr is a text that kpt's console output contains. Leave it out unless the example is about that text: the
	// form of kpt's output differs between its versions.
	StdErr string `yaml:"stdErr"`
	// KptField is a field of the Kptfile that older versions of kpt reject. packfn renders such an example, and each
	// kpt that knows the field.
	KptField string `yaml:"kptField"`
}

// readConfig reads a config.yaml. No file is a default Config.
func readConfig(file string) (Config, error) {
	config := Config{TestType: "render"}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return config, nil
	}
	if err != nil {
		return config, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&config); err != nil && !errors.Is(err, io.EOF) {
		return config, fmt.Errorf("config.yaml: %w", err)
	}
	return config, config.validate()
}

func (c Config) validate() error {
	var problems []error
	switch c.TestType {
	case "render":
		if c.Exec != "" || c.FnConfig != "" || len(c.Args) > 0 {
			problems = append(problems, errors.New("config.yaml: exec, fnConfig and args are for testType eval"))
		}
	case "eval":
		if c.Exec == "" {
			problems = append(problems, errors.New("config.yaml: testType eval needs exec, the name of the function"))
		}
		if c.FnConfig != "" && len(c.Args) > 0 {
			problems = append(problems, errors.New("config.yaml: fnConfig and args exclude each other"))
		}
	default:
		problems = append(problems, fmt.Errorf("config.yaml: testType %q is neither render nor eval", c.TestType))
	}
	if c.ExitCode != 0 && c.ExitCode != 1 {
		problems = append(problems, fmt.Errorf("config.yaml: exitCode %d: kpt exits 0 or 1", c.ExitCode))
	}
	return errors.Join(problems...)
}

// arguments are kpt's arguments for a run over the package, with its results going to the folder results.
func (c Config) arguments(pkg, results string) []string {
	args := []string{"fn", c.TestType, pkg, "--results-dir", results}
	switch c.TestType {
	case "render":
		args = append(args, "--allow-exec")
	case "eval":
		args = append(args, "--exec", c.Exec)
	}
	return append(append(args, c.Flags...), c.functionConfig(pkg)...)
}

// functionConfig are the arguments that give the functionConfig to eval. They come last, because of the --.
func (c Config) functionConfig(pkg string) []string {
	var args []string
	if c.FnConfig != "" {
		args = append(args, "--fn-config", pkg+"/"+c.FnConfig)
	}
	if len(c.Args) > 0 {
		args = append(args, "--")
		for key, value := range c.Args {
			args = append(args, key+"="+value)
		}
		slices.Sort(args[1:])
	}
	return args
}
