//go:build unix

package staging

import (
	"io/fs"
	"os"
	"syscall"
)

// giveTo gives a file to the owner and the group of another one.
func giveTo(file *os.File, like fs.FileInfo) error {
	now, err := file.Stat()
	if err != nil {
		return err
	}
	is, isKnown := now.Sys().(*syscall.Stat_t)
	want, wantKnown := like.Sys().(*syscall.Stat_t)
	if !isKnown || !wantKnown || is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	return file.Chown(int(want.Uid), int(want.Gid))
}
