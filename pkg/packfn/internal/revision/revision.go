// Package revision reads folders as they are at a revision of their git repository.
//
// It runs git, and checks nothing out: the files come from the objects of the repository, so nothing in the repository
// changes. Symbolic links and submodules are left out, as kpt leaves them out.
//
// For example, `main`, `v1.2.0` and `HEAD~1` are revisions.
package revision

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// maxBytes is the largest size of all files of a folder at a revision.
const maxBytes = 512 << 20

// maxConfig is the largest size of the configuration of a repository. Without it, no release is of the repository.
const maxConfig = 1 << 20

// Tree is a folder at a revision.
type Tree struct {
	// Root is the folder on disk: the named one, or the root of its repository. Dir is the path of the named folder from
	// there.
	Root, Dir string
	// Files are the files of Root, or none if it is not in the revision.
	Files []staging.Change
	// Config is the configuration of the repository, if Root is its root.
	Config []byte
}

// Read returns a folder at a revision of its repository. It returns an error if git cannot be run, if the folder is in no
// repository, if the revision is unknown, and if a file has more than [folder.MaxBytes], or all files more than 512 MiB.
func Read(ctx context.Context, dir, name string) (*Tree, error) {
	r := repository{ctx, dir}
	prefix, err := r.line("rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	files, err := r.files(name, prefix)
	return &Tree{Root: dir, Files: files}, err
}

// ReadAll is [Read] of the whole repository of a folder, because charts and files of values may be outside of the folder.
func ReadAll(ctx context.Context, dir, name string) (*Tree, error) {
	r := repository{ctx, dir}
	prefix, err := r.line("rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	root, err := r.line("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	common, err := r.line("rev-parse", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(dir, common)
	}
	t := &Tree{Root: root, Dir: filepath.FromSlash(prefix)}
	t.Config, _ = folder.Read(filepath.Join(common, "config"), maxConfig) // without it, no release is of this repository
	t.Files, err = r.files(name, "")
	return t, err
}

// repository is a folder in a repository.
type repository struct {
	ctx context.Context
	dir string
}

// files returns the files of a folder at a revision, by their paths in the folder. prefix is the path of the folder in the
// repository.
func (r repository) files(name, prefix string) ([]staging.Change, error) {
	commit, err := r.line("rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		return nil, r.unknown(name)
	}
	tree := commit + ":" + prefix
	if _, err := r.git(nil, "rev-parse", "--verify", "--quiet", tree); err != nil {
		return nil, nil
	}
	listing, err := r.git(nil, "ls-tree", "-r", "-z", "--long", "--full-tree", tree)
	if err != nil {
		return nil, err
	}
	files, ids, err := parseTree(listing)
	if err != nil {
		return nil, err
	}
	contents, err := r.git([]byte(strings.Join(ids, "\n")+"\n"), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	return files, fill(files, contents)
}

// line returns the line that a command of git prints.
func (r repository) line(args ...string) (string, error) {
	text, err := r.git(nil, args...)
	return strings.TrimSuffix(string(text), "\n"), err
}

// git returns what a command of git prints.
func (r repository) git(input []byte, args ...string) ([]byte, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, errors.New("git is not on PATH; install it, or name a folder with the other version of the package")
	}
	command := exec.CommandContext(r.ctx, program, append([]string{"-C", r.dir, "-c", "core.fsmonitor=false", "--no-optional-locks"}, args...)...)
	// A hook gets the repository in its environment, which would be used in place of the folder. No object is fetched,
	// and nobody is asked for a password.
	environment := slices.DeleteFunc(os.Environ(), func(one string) bool {
		name, _, _ := strings.Cut(one, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"}, name)
	})
	command.Env = append(environment, "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	var out, failure bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(input), &out, &failure
	if err := command.Run(); err != nil {
		reason := diag.OneLine(strings.TrimPrefix(strings.TrimSpace(failure.String()), "fatal: "))
		if reason == "" {
			reason = err.Error()
		}
		return nil, fmt.Errorf("git %s: %s", args[0], reason)
	}
	return out.Bytes(), nil
}

// unknown returns the error for a revision that git does not know.
func (r repository) unknown(name string) error {
	if shallow, err := r.line("rev-parse", "--is-shallow-repository"); err == nil && shallow == "true" {
		return fmt.Errorf("git knows no revision %q, and this clone is shallow; run git fetch --unshallow, or, in GitHub Actions, set fetch-depth: 0", name)
	}
	return fmt.Errorf("there is no folder %s, and git knows no revision of this name in the repository of %s", name, r.dir)
}

// parseTree returns the regular files of a tree without their texts, and the names of their objects. git prints an
// entry for each file, which ends with a zero byte:
//
//	100644 blob 8baef1b4abc478178b004d62031cf7fe6db6f903       4\tcharts/web/Chart.yaml
func parseTree(listing []byte) (files []staging.Change, ids []string, err error) {
	total := int64(0)
	for entry := range strings.SplitSeq(string(listing), "\x00") {
		head, name, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 4 || fields[1] != "blob" || fields[0] == "120000" {
			continue
		}
		size, err := strconv.ParseInt(fields[3], 10, 64)
		switch total += size; {
		case err != nil:
			return nil, nil, fmt.Errorf("git ls-tree: the size of %s is %q", name, fields[3])
		case !filepath.IsLocal(filepath.FromSlash(name)):
			return nil, nil, fmt.Errorf("%s: its path leads out of the folder", name)
		case size > folder.MaxBytes:
			return nil, nil, fmt.Errorf("%s: the file has more than %d MiB", name, folder.MaxBytes>>20)
		case total > maxBytes:
			return nil, nil, fmt.Errorf("the files have more than %d MiB together", maxBytes>>20)
		}
		files, ids = append(files, staging.Change{Path: filepath.FromSlash(name)}), append(ids, fields[2])
	}
	return files, ids, nil
}

// fill sets the texts of files, which git prints one after the other:
//
//	8baef1b4abc478178b004d62031cf7fe6db6f903 blob 4
//	abc
//	…
func fill(files []staging.Change, contents []byte) error {
	in := bufio.NewReader(bytes.NewReader(contents))
	for i := range files {
		head, err := in.ReadString('\n')
		fields := strings.Fields(head)
		if err != nil || len(fields) != 3 {
			return fmt.Errorf("git cat-file: %s cannot be read; if objects are missing, fetch them first", files[i].Path)
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size < 0 || size > len(contents) {
			return fmt.Errorf("git cat-file: the size of %s is %q", files[i].Path, fields[2])
		}
		text := make([]byte, size+1) // with the line break at its end
		if _, err := io.ReadFull(in, text); err != nil {
			return fmt.Errorf("git cat-file: %s: %w", files[i].Path, err)
		}
		files[i].Text = text[:size]
	}
	return nil
}
