package porchcluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// shared is the cluster of all scenarios, which is started by the first one that runs.
var shared struct {
	sync.Once
	cluster   *Cluster
	example   *Example
	functions string
	remove    func() error
	err       error
}

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		child(mode, os.Getenv(childDir))
	}
	code := m.Run()
	if shared.cluster != nil {
		if err := shared.cluster.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	if shared.remove != nil {
		if err := shared.remove(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// theCluster is the cluster of all scenarios. Tests are skipped unless PORCH_CLUSTER is 1.
func theCluster(t *testing.T) *Cluster {
	t.Helper()
	if os.Getenv("PORCH_CLUSTER") != "1" {
		t.Skip("a whole Porch is started by make test-porch, or where PORCH_CLUSTER is 1")
	}
	shared.Do(func() { shared.err = startShared(t) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.cluster
}

// functions is the folder with the suite's programs.
func functions(t *testing.T) string {
	t.Helper()
	theCluster(t)
	return shared.functions
}

func startShared(t *testing.T) error {
	programs, missing, err := Built()
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("not built: %s; make test-porch builds them", strings.Join(missing, ", "))
	}
	var dir string
	if err == nil {
		dir, shared.remove, err = TempDir("porchcluster-test")
	}
	if err != nil {
		return err
	}
	ctx := context.Background() // the cluster outlives the test that starts it
	shared.functions = filepath.Join(dir, "functions")
	if err := BuildFunctions(ctx, shared.functions); err != nil {
		return err
	}
	if shared.example, err = WriteExample(ctx, filepath.Join(dir, "examples")); err != nil {
		return err
	}
	shared.cluster, err = StartSuite(ctx, Options{Programs: programs, Functions: shared.functions, Log: t.Output()})
	return err
}
