package porch

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	pb "github.com/nephio-project/porch/func/evaluator"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"k8s.io/klog/v2"

	// The programs that the tests build.
	_ "github.com/nephio-project/porch/func/healthchecker"
)

// maxMessage is Porch's default limit of a gRPC message, in bytes.
const maxMessage = 6 << 20

// programs is the folder of what the tests run: Porch's wrapper-server and server, packfn,
// and a link to packfn for each function.
var programs string

// functions are the names of all functions.
var functions []string

func TestMain(m *testing.M) {
	code := 1
	defer func() { os.Exit(code) }()
	dir, err := os.MkdirTemp("", "porch")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer os.RemoveAll(dir)
	programs = dir
	klog.SetOutput(io.Discard) // what the controllers log is of no use here
	klog.LogToStderr(false)
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	code = m.Run()
}

// build builds the programs into the folders that all tests share, where Go does not link
// what is there and current again.
func build() error {
	for _, one := range []struct {
		cache, module string
		packages      []string
	}{
		{"porch", ".", []string{"github.com/nephio-project/porch/func/wrapper-server", "github.com/nephio-project/porch/func/server"}},
		{"functions", "../..", []string{"./functions/packfn"}},
	} {
		cache, err := filepath.Abs(filepath.Join("../../.cache", one.cache))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(cache, 0o755); err != nil {
			return err
		}
		command := exec.Command("go", append([]string{"build", "-ldflags", "-s -w", "-o", cache + string(filepath.Separator)}, one.packages...)...)
		command.Dir = one.module
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("building %v: %w\n%s", one.packages, err, out)
		}
		for _, name := range one.packages {
			name = filepath.Base(name)
			if err := os.Symlink(filepath.Join(cache, name), filepath.Join(programs, name)); err != nil {
				return err
			}
		}
	}
	mains, err := filepath.Glob("../../functions/*/metadata.yaml")
	if err != nil {
		return err
	}
	for _, main := range mains {
		name := filepath.Base(filepath.Dir(main))
		functions = append(functions, name)
		if err := os.Symlink(filepath.Join(programs, "packfn"), filepath.Join(programs, name)); err != nil {
			return err
		}
	}
	if len(functions) != 8 {
		return fmt.Errorf("found the functions %v", functions)
	}
	return nil
}

// serve starts one of Porch's programs, which listens on the port that follows --port, and
// returns a client of it.
func serve(t *testing.T, program string, args ...string) pb.FunctionEvaluatorClient {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	command := exec.Command(filepath.Join(programs, program), append([]string{fmt.Sprintf("--port=%d", port)}, args...)...)
	var log strings.Builder
	command.Stdout, command.Stderr = &log, &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill() //nolint:errcheck // it may be gone already
		command.Wait()         //nolint:errcheck // it was killed
		if t.Failed() {
			t.Logf("%s says:\n%s", program, log.String())
		}
	})
	connection, err := grpc.NewClient(fmt.Sprintf("127.0.0.1:%d", port), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(4*maxMessage), grpc.MaxCallSendMsgSize(4*maxMessage)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if _, err := grpc_health_v1.NewHealthClient(connection).Check(ctx, &grpc_health_v1.HealthCheckRequest{}, grpc.WaitForReady(true)); err != nil {
		t.Fatalf("%s does not answer: %v", program, err)
	}
	return pb.NewFunctionEvaluatorClient(connection)
}
