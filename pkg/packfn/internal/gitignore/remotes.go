package gitignore

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"

	"github.com/krm-packs/functions/pkg/internal/folder"
)

// maxConfig is the size of a configuration of git that is read.
const maxConfig = 1 << 20

// Remotes returns the URLs of the remotes in the configuration of a working tree, or none if it cannot be
// read. No program of git runs.
//
//	[remote "origin"]
//		url = git@github.com:example/platform.git
func (w *Walk) Remotes() (urls []string) {
	if w.top == nil {
		return nil
	}
	git, err := w.gitFolder(&tree{name: "."})
	if err != nil {
		return nil
	}
	defer git.Close()
	text, err := git.Read("config", maxConfig)
	if err != nil { // a linked worktree shares it
		common, err := git.Read("commondir", maxLink)
		if err != nil {
			return nil
		}
		dir := filepath.FromSlash(strings.TrimSpace(string(common)))
		if !filepath.IsAbs(dir) {
			here, err := git.Path(".")
			if err != nil {
				return nil
			}
			dir = filepath.Join(here, dir)
		}
		shared, err := folder.Open(dir)
		if err != nil {
			return nil
		}
		defer shared.Close()
		if text, err = shared.Read("config", maxConfig); err != nil {
			return nil
		}
	}
	read := config.New()
	if config.NewDecoder(bytes.NewReader(text)).Decode(read) != nil {
		return nil
	}
	for _, remote := range read.Section("remote").Subsections {
		urls = append(urls, remote.OptionAll("url")...)
	}
	return urls
}
