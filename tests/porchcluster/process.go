package porchcluster

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// logLines is how much of a log an error shows.
const logLines = 15

// process is a program of the cluster that runs, in a group of its own.
type process struct {
	command *exec.Cmd
	log     string
	done    chan struct{} // closed when it has ended
	err     error         // of its end, once it has ended
}

// startProcess starts a program that logs to a file, and gives it to the janitor.
func startProcess(j *janitor, log string, environment []string, program string, arguments ...string) (*process, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p := &process{command: exec.Command(program, arguments...), log: log, done: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = file, file
	p.command.Env = append(os.Environ(), environment...)
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	group := p.command.Process.Pid
	j.watch(group)
	go func() {
		p.err = p.command.Wait()
		_ = syscall.Kill(-group, syscall.SIGKILL) // what it started
		j.forget(group)
		close(p.done)
	}()
	return p, nil
}

// ended is an error with the command and the end of the log if the program has ended.
func (p *process) ended() error {
	select {
	case <-p.done:
	default:
		return nil
	}
	state := "exit status 0"
	if p.err != nil {
		state = p.err.Error()
	}
	return fmt.Errorf("%s ended (%s). The command:\n  %s\nThe end of its log:\n%s", p.command.Args[0], state, strings.Join(p.command.Args, " "), tail(p.log, logLines))
}

// tail is the last lines of a file, indented. It reads at most 64 KiB of them.
func tail(name string, lines int) string {
	const most = 64 << 10
	file, err := os.Open(name)
	if err != nil {
		return "  " + err.Error()
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > most {
		_, _ = file.Seek(-most, io.SeekEnd)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return "  " + err.Error()
	}
	all := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	if all[0] == "" && len(all) == 1 {
		return "  (empty)"
	}
	return "  " + strings.Join(all[max(0, len(all)-lines):], "\n  ")
}
