// Program upgrade upgrades packages as Porch's server does for a PackageRevision with an upgrade task. Its arguments are,
// for each package, its folder, those of its old and new upstream, and the commit of the new one.
package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nephio-project/porch/pkg/kpt"
	kptfile "github.com/nephio-project/porch/pkg/kpt/api/kptfile/v1"
	"github.com/nephio-project/porch/pkg/repository"
)

func main() {
	for args := os.Args[1:]; len(args) >= 4; args = args[4:] {
		if err := upgrade(args[0], args[1], args[2], args[3]); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", args[0], err)
			os.Exit(1)
		}
	}
}

func upgrade(local, original, updated, commit string) error {
	var resources []repository.PackageResources
	for _, dir := range []string{local, original, updated} {
		contents, err := read(dir)
		if err != nil {
			return err
		}
		resources = append(resources, repository.PackageResources{Contents: contents})
	}
	result, err := (&repository.DefaultPackageUpdater{}).Update(context.Background(), resources[0], resources[1], resources[2], "resource-merge")
	if err != nil {
		return err
	}
	git := kptfile.GitLock{Repo: "https://example.com/upstream.git", Directory: filepath.Base(original), Ref: "v2", Commit: commit}
	upstream := kptfile.Upstream{Type: kptfile.GitOrigin, Git: &kptfile.Git{Repo: git.Repo, Directory: git.Directory, Ref: git.Ref}}
	if err := kpt.UpdateKptfileUpstream("", result.Contents, upstream, kptfile.UpstreamLock{Type: kptfile.GitOrigin, Git: &git}); err != nil {
		return err
	}
	for name, text := range result.Contents {
		if err := os.WriteFile(filepath.Join(local, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// read reads the files of a folder.
func read(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	})
	return files, err
}
