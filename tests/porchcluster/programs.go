package porchcluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// The names of the programs that a cluster consists of.
const (
	etcd           = "etcd"
	apiServer      = "kube-apiserver"
	porchServer    = "porch-server"
	functionRunner = "function-runner"
	controllers    = "controllers"
	porchctl       = "porchctl"
)

// source is a module below programs/, and the programs that are built from it.
type source struct {
	folder   string
	module   string
	programs map[string]string // the packages by the names of their programs
	ldflags  string            // with VERSION for the module's version
	// definitions are folders of the module with CustomResourceDefinitions.
	definitions []string
	// change changes the main.go of programs that consist of it.
	change map[string]func(text string) (string, error)
}

const (
	kubernetes = "k8s.io/kubernetes"
	porch      = "github.com/nephio-project/porch"
	component  = "k8s.io/component-base/version."
)

var sources = []source{
	{folder: "etcd", module: "go.etcd.io/etcd/server/v3", programs: map[string]string{etcd: "go.etcd.io/etcd/server/v3"}},
	{
		folder: "porch", module: porch,
		programs: map[string]string{
			porchServer: porch + "/cmd/porch", functionRunner: porch + "/func/server",
			controllers: porch + "/controllers", porchctl: porch + "/cmd/porchctl",
		},
		definitions: []string{"api/porchconfig/v1alpha1", "internal/api/porchinternal/v1alpha1", "controllers/config/crd/bases"},
		change:      map[string]func(string) (string, error){controllers: freeAddresses},
	},
	{
		folder: "kubernetes", module: kubernetes, programs: map[string]string{apiServer: kubernetes + "/cmd/kube-apiserver"},
		// The API server takes its version, which clients ask for, from these.
		ldflags: " -X " + component + "gitVersion=VERSION -X " + component + "gitMajor=1 -X " + component + "gitMinor=34",
	},
}

// freeAddresses lets Porch's controllers listen on any free port of this machine. Their
// addresses, :8080 and :8081, are fixed in the code, and are often in use.
func freeAddresses(text string) (string, error) {
	if n := len(fixedAddress.FindAllString(text, -1)); n != 2 {
		return "", fmt.Errorf("controllers/main.go has %d fixed addresses, want 2", n)
	}
	return fixedAddress.ReplaceAllString(text, `${1}"127.0.0.1:0"`), nil
}

var fixedAddress = regexp.MustCompile(`(BindAddress:\s+)":808[01]"`)

// Programs are the built programs of a cluster, and what Porch's module has for them.
type Programs struct {
	paths       map[string]string
	definitions []string // folders
}

// Path is the file of a program, such as "porchctl", or empty.
func (p *Programs) Path(name string) string { return p.paths[name] }

// Built returns the programs if all of them are in the cache, and otherwise those that are
// missing, each with its version.
func Built() (programs *Programs, missing []string, err error) {
	programs = &Programs{paths: map[string]string{}}
	for _, s := range sources {
		folder, version, err := s.cache()
		if err != nil {
			return nil, nil, err
		}
		for name := range s.programs {
			programs.paths[name] = filepath.Join(folder, name)
		}
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, s.folder+" "+version)
		} else if err != nil {
			return nil, nil, err
		}
		if len(s.definitions) > 0 {
			programs.definitions = append(programs.definitions, filepath.Join(folder, "definitions"))
		}
	}
	return programs, missing, nil
}

// Build builds the programs that are not in the cache, and says so to log.
func Build(ctx context.Context, log io.Writer) (*Programs, error) {
	for _, s := range sources {
		if err := s.build(ctx, log); err != nil {
			return nil, fmt.Errorf("building %s: %w", s.folder, err)
		}
	}
	programs, missing, err := Built()
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("%v are not in the cache after they were built", missing)
	}
	return programs, err
}

// cache is the folder in the user's cache for what is built from s, and the version of its
// module. Another version, platform, or way to build has another folder.
func (s source) cache() (folder, version string, err error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return "", "", err
	}
	root, err := Root()
	if err != nil {
		return "", "", err
	}
	hash := sha256.New()
	var mod []byte
	for _, name := range []string{"go.sum", "go.mod"} {
		if mod, err = os.ReadFile(filepath.Join(root, s.dir(), name)); err != nil {
			return "", "", err
		}
		hash.Write(mod)
	}
	required := regexp.MustCompile(`(?m)^require ` + regexp.QuoteMeta(s.module) + ` (v\S+)$`).FindSubmatch(mod)
	if required == nil {
		return "", "", fmt.Errorf("%s/go.mod does not require %s", s.dir(), s.module)
	}
	fmt.Fprint(hash, recipe, runtime.GOOS, runtime.GOARCH, s.ldflags, s.programs, s.definitions)
	version = string(required[1])
	key := fmt.Sprintf("%s-%s-%s", s.folder, version, hex.EncodeToString(hash.Sum(nil))[:8])
	return filepath.Join(caches, "krm-packs", "porchcluster", key), version, nil
}

// recipe is a number that changes with the way in which programs are built.
const recipe = 1

func (s source) dir() string { return filepath.Join("tests", "porchcluster", "programs", s.folder) }

// build builds what is not in the cache. A folder in the cache is complete: it is built
// under another name and moved there.
func (s source) build(ctx context.Context, log io.Writer) error {
	folder, version, err := s.cache()
	if err != nil {
		return err
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return err
	}
	unfinished, err := os.MkdirTemp(filepath.Dir(folder), "unfinished-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(unfinished)
	for _, name := range s.names() {
		fmt.Fprintf(log, "building %s of %s %s\n", name, s.module, version)
		code, err := s.code(ctx, name, unfinished)
		if err != nil {
			return err
		}
		flags := "-s -w" + strings.ReplaceAll(s.ldflags, "VERSION", version)
		if _, err := s.goCommand(ctx, "build", "-trimpath", "-ldflags", flags, "-o", filepath.Join(unfinished, name), code); err != nil {
			return err
		}
	}
	module, err := s.goCommand(ctx, "list", "-m", "-f", "{{.Dir}}", s.module)
	if err != nil {
		return err
	}
	for _, from := range s.definitions {
		if err := copyDefinitions(filepath.Join(module, from), filepath.Join(unfinished, "definitions")); err != nil {
			return err
		}
	}
	err = os.Rename(unfinished, folder)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return nil
	}
	return err
}

// names are the programs in a stable order.
func (s source) names() []string {
	var names []string
	for name := range s.programs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// goCommand runs go in the module of s and returns what it prints, trimmed.
func (s source) goCommand(ctx context.Context, arguments ...string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = filepath.Join(root, s.dir())
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	var said strings.Builder
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, said.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// code is what go builds for a program: its package, or its main.go if that changes, which
// is written to a folder.
func (s source) code(ctx context.Context, name, to string) (string, error) {
	change := s.change[name]
	if change == nil {
		return s.programs[name], nil
	}
	dir, err := s.goCommand(ctx, "list", "-f", "{{.Dir}}", s.programs[name])
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		return "", err
	}
	changed, err := change(string(text))
	if err != nil {
		return "", err
	}
	file := filepath.Join(to, name+".go")
	return file, os.WriteFile(file, []byte(changed), 0o600)
}

// copyDefinitions copies the YAML files of a folder: the cache must not depend on the
// module cache, which users clean.
func copyDefinitions(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.yaml"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no CustomResourceDefinitions", from)
	}
	if err == nil {
		err = os.MkdirAll(to, 0o755)
	}
	for _, file := range files {
		var text []byte
		if err == nil {
			text, err = os.ReadFile(file)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o644)
		}
	}
	return err
}

// Root is the root of the repository that the working directory is in.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for start := dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "tests", "porchcluster", "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not in the repository of the suite", start)
		}
	}
}
