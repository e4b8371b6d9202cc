//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// runGroup runs a command in its own process group, and ends all processes of the group with it.
func runGroup(command *exec.Cmd) error {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end := func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.Cancel = end
	err := command.Run()
	if command.Process != nil {
		end() // what it has left running
	}
	return err
}
