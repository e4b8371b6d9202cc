package registry

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/opencontainers/go-digest"

	"github.com/krm-packs/functions/pkg/internal/folder"
)

// cacheDir is the folder below the user's cache directory in which archives are kept.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("archives of a registry are kept in the user's cache directory: %w", err)
	}
	return filepath.Join(dir, "packfn"), nil
}

// kept returns the path of the archive of a digest.
func (c *Client) kept(of digest.Digest, r Reference) string {
	name := r.Name()
	if r.Version != "" && !strings.Contains(r.Version, ":") {
		name += "-" + r.Version
	}
	return filepath.Join(c.Cache, "archives", of.Algorithm().String()+"-"+of.Encoded(), name+folder.ArchiveSuffix)
}

// tag returns the path of the file that has the digest of a reference.
func (c *Client) tag(r Reference) string {
	return filepath.Join(c.Cache, "references", fmt.Sprintf("%x", sha256.Sum256([]byte(r.String()))))
}

// Cached returns the archive of a reference that was pulled before, without a connection.
// It reports false if there is none, or if it is damaged.
func (c *Client) Cached(r Reference) (archive string, ok bool) {
	if archive, ok = c.cached(r); ok {
		return archive, true
	}
	return c.cached(r.inLayout())
}

// cached returns the archive that a tag had when it was last pulled, if the cache still has it
// undamaged.
func (c *Client) cached(r Reference) (archive string, ok bool) {
	text, err := folder.Read(c.tag(r), 1024)
	if err != nil {
		return "", false
	}
	of, err := digest.Parse(strings.TrimSpace(string(text)))
	if err != nil {
		return "", false
	}
	archive = c.kept(of, r)
	return archive, c.isWhole(archive, of)
}

// isWhole reports whether a file has the content of a digest.
func (c *Client) isWhole(file string, of digest.Digest) bool {
	text, err := folder.Read(file, maxBytes)
	return err == nil && digest.FromBytes(text) == of
}

// keep writes a file of the cache. Others see the whole file, or none.
func keep(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	in, err := os.CreateTemp(filepath.Dir(file), ".new-")
	if err != nil {
		return err
	}
	_, err = in.Write(text)
	if err = errors.Join(err, in.Close()); err == nil {
		err = os.Rename(in.Name(), file)
	}
	if err != nil {
		os.Remove(in.Name())
	}
	return err
}
