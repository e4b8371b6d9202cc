package memory

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// kept is what the program uses up.
var kept [][]byte

// TestMain is also the program that uses up its memory.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "use-up" {
		Guard()
		for {
			kept = append(kept, written(1<<16))
		}
	}
	if len(os.Args) == 2 && os.Args[1] == "collect" { // what it keeps at one time is little
		Guard()
		for range 1 << 15 {
			written(1 << 16)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func written(size int) []byte {
	return bytes.Repeat([]byte{1}, size)
}

// A program that reaches its limit says so in one line, and one that has garbage only does not reach it.
func TestGuard(t *testing.T) {
	for option, limit := range map[string]string{"-v": "2000000", "-d": "400000"} {
		for program, want := range map[string]int{"use-up": exitOutOfMemory, "collect": 0} {
			run := exec.Command("sh", "-c", "ulimit "+option+" "+limit+` && exec "$0" `+program, os.Args[0])
			var stderr bytes.Buffer
			run.Stderr = &stderr
			run.Run()
			text := stderr.String()
			if got := run.ProcessState.ExitCode(); got != want {
				t.Errorf("ulimit %s: %s: got exit code %d, want %d:\n%.500s", option, program, got, want, text)
			}
			if want == 0 {
				continue
			}
			if strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "out of memory: ") || !strings.Contains(text, "ulimit "+option) {
				t.Errorf("ulimit %s: got %.1000q, want one line about the limit", option, text)
			}
		}
	}
}
