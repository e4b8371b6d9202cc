package packfn

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Where kpt reports success and deletes files, packfn reports the program and writes nothing.
func TestStricterThanKpt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	found, err := kpts()
	if err != nil {
		t.Fatal(err)
	}
	const service = `apiVersion: v1
kind: Service
metadata: {name: web}
`
	for name, tc := range map[string]struct{ script, deleted, message string }{
		"nothing":      {"cat >/dev/null", "Kptfile", "it prints nothing; kpt would delete all files of the package"},
		"no items":     {"cat >/dev/null; echo 'kind: ResourceList'; echo 'apiVersion: config.kubernetes.io/v1'; echo 'items: []'", "Kptfile", "it prints a list without items; kpt would delete all files of the package"},
		"one resource": {"cat >/dev/null; echo '" + `{apiVersion: v1, kind: Service, metadata: {name: other}}` + "'", "Kptfile", "it prints a Service in place of a ResourceList"},
		"no Kptfile":   {"awk '/^- apiVersion: kpt.dev/ {skip = 1} /^- apiVersion: v1/ {skip = 0} !skip'", "Kptfile", "what it prints lacks the Kptfile; kpt would delete it"},
	} {
		dir := t.TempDir()
		script := filepath.Join(dir, "program")
		write(t, script, "#!/bin/sh\n"+tc.script+"\n")
		if err := os.Chmod(script, 0o755); err != nil {
			t.Fatal(err)
		}
		var packages [2]string
		for i, by := range []string{"kpt", "packfn"} {
			packages[i] = filepath.Join(dir, by)
			write(t, filepath.Join(packages[i], "Kptfile"), kptfileHead+`pipeline:
  mutators:
  - exec: `+script+"\n")
			write(t, filepath.Join(packages[i], "web.yaml"), service)
		}
		if exit, _ := kptRender(t, found.clients[0], packages[0]); exit != 0 {
			t.Errorf("%s: kpt exits with %d; then packfn is as strict", name, exit)
		}
		if _, err := os.Stat(filepath.Join(packages[0], tc.deleted)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: kpt keeps the %s", name, tc.deleted)
		}
		before := tree(t, packages[1])
		out := packfn(t, dir, "render", "packfn", "--allow-exec", "--format", "json").want(t, 1)
		if findings := readFindings(t, out); len(findings) != 1 || findings[0].Rule != "function/fails" || findings[0].Message != "program: "+tc.message {
			t.Errorf("%s: got %+v", name, findings)
		}
		for file, text := range tree(t, packages[1]) {
			if text != before[file] {
				t.Errorf("%s: packfn writes %s", name, file)
			}
		}
	}
}

// A command that is interrupted leaves no program running, and writes nothing.
func TestInterruptedProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "program")
	// The process is the one of the script's child, too: both are in its group.
	write(t, script, "#!/bin/sh\nsleep 1000 &\necho $! >child\necho $$ >started\nwait\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileHead+`pipeline:
  mutators:
  - exec: `+script+"\n")
	cmd := exec.Command(program, "render", "p", "--allow-exec")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var pids []int
	for len(pids) < 2 {
		pids = nil
		for _, name := range []string{"started", "child"} {
			text, _ := os.ReadFile(filepath.Join(dir, name))
			if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
				pids = append(pids, pid)
			}
		}
		select {
		case err := <-ended:
			t.Fatalf("it ends by itself: %v", err)
		default:
		}
	}
	cmd.Process.Signal(os.Interrupt)
	if <-ended; cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("got %v", cmd.ProcessState)
	}
	for _, pid := range pids {
		for isRunning(pid) { // the system ends it some time after the signal
			time.Sleep(time.Millisecond)
		}
	}
}

// isRunning reports whether a process has not ended. One that has, and whose exit code nobody has asked for, has the
// state Z: 12 (sh) Z 1 …
func isRunning(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil || process.Signal(syscall.Signal(0)) != nil {
		return false
	}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return !strings.Contains(string(text), ") Z ")
}
