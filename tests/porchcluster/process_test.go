package porchcluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hang is a guard against tests that hang. No test that passes takes as long.
const hang = 10 * time.Minute

// eventually polls.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for start := time.Now(); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > hang {
			t.Fatalf("%s: not in %s", what, hang)
		}
	}
}

// isRunning reports whether there is a process, or what is left of one that nobody waited
// for.
func isRunning(pid int) bool {
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil {
		_, after, _ := strings.Cut(string(state), ") ")
		return !strings.HasPrefix(after, "Z")
	}
	if _, err := os.Stat("/proc/self/stat"); err == nil {
		return false
	}
	return syscall.Kill(pid, 0) == nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

func TestFreePorts(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	ports, err := freePorts(20)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{taken.Addr().(*net.TCPAddr).Port: true}
	for _, port := range ports {
		if seen[port] {
			t.Errorf("port %d is in use, or given twice", port)
		}
		seen[port] = true
		listener, err := net.Listen("tcp", address(port))
		if err != nil {
			t.Errorf("port %d: %v", port, err)
			continue
		}
		listener.Close()
	}
}

func TestTail(t *testing.T) {
	var long strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	for name, test := range map[string]struct{ text, want string }{
		"empty":           {"", "  (empty)"},
		"short":           {"a\nb\n", "  a\n  b"},
		"no end of line":  {"a\nb", "  a\n  b"},
		"more than lines": {"a\nb\nc\nd\n", "  b\n  c\n  d"},
		"long":            {long.String(), "  line 19997\n  line 19998\n  line 19999"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := tail(file, 3); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if got := tail(filepath.Join(t.TempDir(), "missing"), 3); !strings.Contains(got, "no such file") {
		t.Errorf("a missing file: %q", got)
	}
}

// TestProgramThatDoesNotStart expects an error with the command and the end of its log, and
// nothing left.
func TestProgramThatDoesNotStart(t *testing.T) {
	dir, err := os.MkdirTemp(t.TempDir(), "cluster")
	if err != nil {
		t.Fatal(err)
	}
	j, err := newJanitor(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{dir: dir, janitor: j, options: Options{Log: io.Discard, Programs: &Programs{paths: map[string]string{"program": "/bin/sh"}}}}
	if err := c.run("program", "-c", "echo first; echo the reason >&2; exit 3"); err != nil {
		t.Fatal(err)
	}
	err = c.Wait(t.Context(), "an answer", func() (bool, string, error) { return false, "", nil })
	for _, want := range []string{"exit status 3", "/bin/sh -c echo first;", "\n  first\n  the reason"} {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q is not in the error:\n%v", want, err)
		}
	}
	if errors.Is(err, errPortTaken) {
		t.Error("the error says that a port was taken")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if exists(dir) {
		t.Errorf("%s is left", dir)
	}
}

// TestPortTaken lets the first program of a cluster find its port taken: the cluster
// begins again, and gives up in the end.
func TestPortTaken(t *testing.T) {
	script := filepath.Join(t.TempDir(), "etcd")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho bind: address already in use; exit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	var said strings.Builder
	_, err := Start(t.Context(), Options{Log: &said, Programs: &Programs{paths: map[string]string{etcd: script, apiServer: script}}})
	if !errors.Is(err, errPortTaken) {
		t.Errorf("got %v", err)
	}
	if n := strings.Count(said.String(), "starting again"); n != 2 {
		t.Errorf("began again %d times:\n%s", n, said.String())
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

// TestStartIsCanceled expects that nothing is left of a start that ctrl-C ends.
func TestStartIsCanceled(t *testing.T) {
	script := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Start(ctx, Options{Log: writerFunc(func(text []byte) {
		if strings.Contains(string(text), apiServer) {
			cancel()
		}
	}), Programs: &Programs{paths: map[string]string{etcd: script, apiServer: script}}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(text []byte) (int, error) {
	f(text)
	return len(text), nil
}

// TestEnds ends a process with a janitor in every way, and expects that what it started is
// ended, and its folder removed.
func TestEnds(t *testing.T) {
	for name, end := range map[string]struct {
		mode   string
		signal syscall.Signal
	}{
		"close":     {mode: "close"},
		"exit":      {mode: "exit"},
		"panic":     {mode: "panic"},
		"interrupt": {mode: "wait", signal: syscall.SIGINT},
		"terminate": {mode: "wait", signal: syscall.SIGTERM},
		"kill":      {mode: "wait", signal: syscall.SIGKILL},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "cluster")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			child := exec.Command(os.Args[0], "-test.run=^$")
			child.Env = append(os.Environ(), childMode+"="+end.mode, childDir+"="+dir)
			out, err := child.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			var pids []int
			for lines := bufio.NewScanner(out); len(pids) < 3 && lines.Scan(); {
				pid, err := strconv.Atoi(lines.Text())
				if err != nil {
					t.Fatalf("the child says %q", lines.Text())
				}
				pids = append(pids, pid)
			}
			if end.signal != 0 {
				if err := child.Process.Signal(end.signal); err != nil {
					t.Fatal(err)
				}
			}
			_ = child.Wait() // it fails in most of these cases
			for _, pid := range pids {
				eventually(t, fmt.Sprintf("process %d ends", pid), func() bool { return !isRunning(pid) })
			}
			eventually(t, dir+" is removed", func() bool { return !exists(dir) })
		})
	}
}

// The child of TestEnds starts a program whose own child ignores signals, and another
// program, says their processes, and ends as it is told.
const childMode, childDir = "PORCHCLUSTER_CHILD", "PORCHCLUSTER_CHILD_DIR"

func child(mode, dir string) {
	j, err := newJanitor(dir)
	if err != nil {
		panic(err)
	}
	const stubborn = `trap '' INT TERM HUP; (while :; do sleep 1; echo x > "$0/file"; done) & echo $! > "$0/pid.new"; mv "$0/pid.new" "$0/pid"; wait`
	first, err := startProcess(j, filepath.Join(dir, "log"), nil, "/bin/sh", "-c", stubborn, dir)
	if err != nil {
		panic(err)
	}
	second, err := startProcess(j, filepath.Join(dir, "log2"), nil, "/bin/sh", "-c", "exec sleep 1000")
	if err != nil {
		panic(err)
	}
	for !exists(filepath.Join(dir, "pid")) {
		time.Sleep(10 * time.Millisecond)
	}
	grandchild, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d\n%d\n%s", first.command.Process.Pid, second.command.Process.Pid, grandchild)
	switch mode {
	case "close":
		if err := j.close(); err != nil {
			panic(err)
		}
		if exists(dir) {
			panic(dir + " is left")
		}
	case "exit":
		os.Exit(1)
	case "panic":
		panic("as asked")
	case "wait":
		time.Sleep(hang)
	}
	os.Exit(0)
}

// TestForget ends a program by itself: the janitor must not end another program that has
// got its number.
func TestForget(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cluster")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	j, err := newJanitor(dir)
	if err != nil {
		t.Fatal(err)
	}
	survivor := exec.Command("sleep", "1000")
	survivor.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := survivor.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = survivor.Process.Kill()
		_ = survivor.Wait()
	}()
	group := survivor.Process.Pid
	for _, other := range []int{1_000_001, group, 1_000_002} {
		j.watch(other)
	}
	j.forget(group)
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	if !isRunning(group) {
		t.Error("the janitor ended what it was told to forget")
	}
}
