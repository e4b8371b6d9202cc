package porchcluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// A janitor removes a folder and ends groups of processes when this process closes it or
// ends: after a failure, a panic, ctrl-C, or kill -9. It is a shell that reads the groups
// from a pipe of this process, whose end it waits for.
type janitor struct {
	pipe    io.WriteCloser
	command *exec.Cmd
}

// "42" is a group to end, "-42" one that has ended. A program that is still ending may
// write a file while the folder is removed, so that rm has to try again.
const janitorScript = `
trap '' HUP INT TERM
groups=' '
while read -r group; do
	case $group in
	-*) groups="${groups%% ${group#-} *} ${groups#* ${group#-} }" ;;
	*) groups="$groups$group " ;;
	esac
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
tries=0
until rm -rf -- "$1" 2>/dev/null || [ $tries -ge 100 ]; do tries=$((tries+1)); sleep 0.1; done
`

// TempDir makes a folder that is removed by remove, or when this process ends in any way.
func TempDir(name string) (dir string, remove func() error, err error) {
	if dir, err = os.MkdirTemp("", name+"-"); err != nil {
		return "", nil, err
	}
	j, err := newJanitor(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, j.close, nil
}

func newJanitor(dir string) (*janitor, error) {
	command := exec.Command("/bin/sh", "-c", janitorScript, "sh", dir)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ctrl-C does not reach it
	pipe, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &janitor{pipe, command}, nil
}

// watch ends a group of processes later, unless it is forgotten.
func (j *janitor) watch(group int)  { fmt.Fprintln(j.pipe, group) }
func (j *janitor) forget(group int) { fmt.Fprintln(j.pipe, -group) }

// close ends all groups and removes the folder.
func (j *janitor) close() error {
	if err := j.pipe.Close(); err != nil {
		return err
	}
	return j.command.Wait()
}
