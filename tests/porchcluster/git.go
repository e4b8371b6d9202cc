package porchcluster

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Git serves bare repositories over HTTP on the loopback interface. It is safe for use by
// several goroutines.
type Git struct {
	// URL is the address of the folder of all repositories.
	URL string

	root   string
	server *http.Server
	mu     sync.Mutex // of commits, which use the index
}

// newGit serves a folder by git's own CGI program.
func newGit(root string, said io.Writer) (*Git, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	logger := log.New(said, "", 0)
	g := &Git{URL: "http://" + listener.Addr().String(), root: root}
	g.server = &http.Server{
		Handler: &cgi.Handler{
			Path: program, Args: []string{"http-backend"}, Stderr: said, Logger: logger,
			Env: append(g.environment(), "GIT_PROJECT_ROOT="+root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=porch"),
		},
		ErrorLog: logger, ReadHeaderTimeout: time.Minute,
	}
	go g.server.Serve(listener) //nolint:errcheck // it ends by close
	return g, nil
}

func (g *Git) close() error { return g.server.Close() }

// environment keeps the user's configuration away: commits must not be signed, for example.
func (g *Git) environment() []string {
	return []string{
		"HOME=" + g.root, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "PATH=" + os.Getenv("PATH"),
		"GIT_AUTHOR_NAME=author", "GIT_AUTHOR_EMAIL=author@example.com",
		"GIT_COMMITTER_NAME=author", "GIT_COMMITTER_EMAIL=author@example.com",
	}
}

// Repository is the address of a repository by its name, which may have folders.
func (g *Git) Repository(name string) string { return g.URL + "/" + name + ".git" }

// Create makes a repository whose branch main has one commit: Porch accepts no repository
// without the branch that it is registered with.
func (g *Git) Create(name string) error {
	if _, err := g.run(name, "", "init", "-q", "--bare", "--initial-branch=main", g.dir(name)); err != nil {
		return err
	}
	if _, err := g.run(name, "", "config", "http.receivepack", "true"); err != nil {
		return err
	}
	return g.Commit(name, "Create the repository", map[string]string{"README.md": "# " + name + "\n"})
}

func (g *Git) dir(name string) string { return filepath.Join(g.root, name+".git") }

// Commit writes files to branch main by their paths. Everything else stays, except other
// files of the folders that remove names.
func (g *Git) Commit(name, message string, files map[string]string, remove ...string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	parent, err := g.run(name, "", "rev-parse", "-q", "--verify", "refs/heads/main")
	read := []string{"read-tree", "refs/heads/main"}
	if err != nil {
		parent, read = "", []string{"read-tree", "--empty"}
	}
	if _, err := g.run(name, "", read...); err != nil {
		return err
	}
	for _, folder := range remove {
		if _, err := g.run(name, "", "rm", "-r", "-q", "--cached", "--ignore-unmatch", "--", folder); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		blob, err := g.run(name, files[path], "hash-object", "-w", "--stdin")
		if err != nil {
			return err
		}
		if _, err := g.run(name, "", "update-index", "--add", "--cacheinfo", "100644,"+strings.TrimSpace(blob)+","+path); err != nil {
			return err
		}
	}
	tree, err := g.run(name, "", "write-tree")
	if err != nil {
		return err
	}
	arguments := []string{"commit-tree", "-m", message, strings.TrimSpace(tree)}
	if parent = strings.TrimSpace(parent); parent != "" {
		arguments = append(arguments, "-p", parent)
	}
	commit, err := g.run(name, "", arguments...)
	if err != nil {
		return err
	}
	_, err = g.run(name, "", "update-ref", "refs/heads/main", strings.TrimSpace(commit))
	return err
}

// Tag gives the last commit a name, such as platform/v3: to Porch this is a published
// revision of the package platform.
func (g *Git) Tag(name, tag string) error {
	_, err := g.run(name, "", "tag", tag, "refs/heads/main")
	return err
}

// Refs are the branches and tags of a repository, such as refs/heads/main, sorted.
func (g *Git) Refs(name string) ([]string, error) {
	out, err := g.run(name, "", "for-each-ref", "--format=%(refname)")
	return strings.Fields(out), err
}

// Files are the files of a folder at a ref, by their paths in the folder.
func (g *Git) Files(name, ref, folder string) (map[string]string, error) {
	list, err := g.run(name, "", "ls-tree", "-r", "-z", "--name-only", ref+":"+folder)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for path := range strings.SplitSeq(strings.TrimRight(list, "\x00"), "\x00") {
		if files[path], err = g.run(name, "", "cat-file", "blob", ref+":"+folder+"/"+path); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// run runs git on a repository and returns what it prints.
func (g *Git) run(name, input string, arguments ...string) (string, error) {
	command := exec.Command("git", arguments...)
	command.Dir = g.root
	command.Env = g.environment()
	if arguments[0] != "init" {
		command.Env = append(command.Env, "GIT_DIR="+g.dir(name), "GIT_WORK_TREE=/nonexistent")
	}
	command.Stdin = strings.NewReader(input)
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	err := command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("git %s in %s: %w: %s", strings.Join(arguments, " "), name, err, strings.TrimSpace(said.String()))
	}
	return out.String(), err
}

// ReadFolder reads the files of a folder on disk, as Commit takes them, except folders that
// skip names.
func ReadFolder(dir string, skip ...string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains(skip, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(relative)] = string(text)
		return err
	})
	return files, err
}
