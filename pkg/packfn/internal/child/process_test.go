package child

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// work is what the child of these tests does with a text.
func work(job *string) *string {
	switch *job {
	case "sleep":
		time.Sleep(time.Hour)
	case "panic":
		panic("a value")
	case "large":
		*job = strings.Repeat("x", maxResult)
	case "environment":
		*job = strings.Join(os.Environ(), " ")
	}
	return job
}

// TestMain is also the child.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "work" {
		os.Exit(Serve(os.Stdin, os.Stdout, work))
	}
	os.Exit(m.Run())
}

// A job that cannot run to its end returns an error with the reason, and the next job has a new child.
func TestEnded(t *testing.T) {
	p := &Process{Argument: "work"}
	defer p.Close()
	for job, want := range map[string]Ended{"sleep": {Reason: OutOfTime}, "panic": {Reason: Failed}, "large": {Reason: TooLarge}} {
		timeout := 10 * time.Minute
		if want.Reason == OutOfTime {
			timeout = time.Millisecond
		}
		var result string
		ended, ok := errors.AsType[*Ended](p.Do(&job, &result, timeout))
		if !ok || ended.Reason != want.Reason || strings.Contains(ended.Error(), "a value") {
			t.Errorf("%s: got %v", job, ended)
		}
		next := "next"
		if err := p.Do(&next, &result, 10*time.Minute); err != nil || result != next {
			t.Errorf("after %s: got %q, %v", job, result, err)
		}
	}
}

// The child has no environment, and ends with the context.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := &Process{Argument: "work", Context: ctx}
	job, result := "environment", ""
	if err := p.Do(&job, &result, 10*time.Minute); err != nil || result != "TZ=UTC" {
		t.Errorf("got %q, %v", result, err)
	}
	cancel()
	job = "sleep"
	if err := p.Do(&job, &result, 10*time.Minute); !errors.Is(err, context.Canceled) || p.running != nil {
		t.Errorf("got %v", err)
	}
}
