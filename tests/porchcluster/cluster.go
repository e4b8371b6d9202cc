package porchcluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// serviceAddress is the address of the API server that its certificate names. No program
// of the cluster uses it.
var serviceAddress = net.IPv4(10, 0, 0, 1)

// Options are what a cluster is started with.
type Options struct {
	Programs *Programs
	// Functions is a folder with the programs of functions, and Config the list of them
	// that Porch's function runner reads, such as build/porch/config.yaml.
	Functions, Config string
	// Definitions are folders with CustomResourceDefinitions, in addition to Porch's own.
	Definitions []string
	// Log is told what is started.
	Log io.Writer
}

// Cluster is a Porch that runs.
type Cluster struct {
	// Kubeconfig is the file by which clients such as porchctl and kubectl reach it.
	Kubeconfig string
	Client     *Client
	Git        *Git

	options   Options
	dir       string
	pki       *pki
	janitor   *janitor
	processes []*process
	ports     ports
}

// ports are the ports of one start.
type ports struct{ etcd, peer, api, porch, runner int }

// errPortTaken is the end of a program whose port another program took in the meantime.
var errPortTaken = errors.New("a port was taken")

// Start starts a cluster and waits until Porch answers. When it fails, nothing is left.
func Start(ctx context.Context, options Options) (*Cluster, error) {
	const tries = 3
	for try := 1; ; try++ {
		c, err := start(ctx, options)
		if err == nil || try == tries || !errors.Is(err, errPortTaken) {
			return c, err
		}
		fmt.Fprintln(options.Log, "another program took a port; starting again with others")
	}
}

func start(ctx context.Context, options Options) (*Cluster, error) {
	dir, err := os.MkdirTemp("", "porchcluster-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{options: options, dir: dir, Kubeconfig: filepath.Join(dir, "kubeconfig")}
	if c.janitor, err = newJanitor(dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	for _, step := range []func(context.Context) error{c.prepare, c.startKubernetes, c.define, c.startPorch} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// Close ends all programs and removes all files.
func (c *Cluster) Close() error {
	var err error
	if c.Git != nil {
		err = c.Git.close()
	}
	return errors.Join(err, c.janitor.close())
}

// Err is an error that shows why, if a program of the cluster has ended.
func (c *Cluster) Err() error {
	for _, p := range c.processes {
		if err := p.ended(); err != nil {
			if strings.Contains(err.Error(), "address already in use") {
				return fmt.Errorf("%w: %w", errPortTaken, err)
			}
			return err
		}
	}
	return nil
}

// Log is the file of a program's log. The programs are etcd, kube-apiserver, porch-server,
// function-runner and controllers; git has one, too.
func (c *Cluster) Log(program string) string { return filepath.Join(c.dir, program+".log") }

// Commands are lines of a shell for users who look at package revisions in the namespace
// default. NAME and DIR are theirs to replace.
const Commands = `  porchctl rpkg get -n default             # all package revisions
  porchctl rpkg pull NAME DIR -n default   # the files of one, to look at or to change
  porchctl rpkg propose NAME -n default    # ask for its approval
  porchctl rpkg approve NAME -n default    # publish it
`

// Porchctl runs Porch's command line tool and returns everything that it prints.
func (c *Cluster) Porchctl(ctx context.Context, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, c.options.Programs.Path(porchctl), append([]string{"--kubeconfig", c.Kubeconfig}, arguments...)...)
	out, err := command.CombinedOutput()
	return string(out), err
}

func (c *Cluster) prepare(context.Context) error {
	free, err := freePorts(5)
	if err != nil {
		return err
	}
	c.ports = ports{free[0], free[1], free[2], free[3], free[4]}
	if c.pki, err = newPKI(filepath.Join(c.dir, "pki")); err != nil {
		return err
	}
	server := "https://" + address(c.ports.api)
	if err := c.pki.writeKubeconfig(c.Kubeconfig, server); err != nil {
		return err
	}
	if c.Client, err = newClient(server, c.pki.token, c.pki.file("ca.crt")); err != nil {
		return err
	}
	log, err := os.Create(c.Log("git"))
	if err != nil {
		return err
	}
	c.Git, err = newGit(filepath.Join(c.dir, "git"), log)
	return err
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// run starts a program of the cluster with flags.
func (c *Cluster) run(program string, flags ...string) error {
	fmt.Fprintln(c.options.Log, "starting", program)
	p, err := startProcess(c.janitor, c.Log(program), []string{"KUBECONFIG=" + c.Kubeconfig}, c.options.Programs.Path(program), flags...)
	if err == nil {
		c.processes = append(c.processes, p)
	}
	return err
}

func (c *Cluster) startKubernetes(ctx context.Context) error {
	client, peer := "http://"+address(c.ports.etcd), "http://"+address(c.ports.peer)
	err := c.run(etcd,
		"--data-dir="+filepath.Join(c.dir, "etcd"), "--unsafe-no-fsync", "--log-level=error",
		"--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer)
	if err != nil {
		return err
	}
	file := c.pki.file
	err = c.run(apiServer,
		"--etcd-servers="+client, "--bind-address=127.0.0.1", "--secure-port="+strconv.Itoa(c.ports.api),
		// It must advertise an address other than the loopback, but nobody is told of it.
		"--advertise-address="+serviceAddress.String(), "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/24",
		"--tls-cert-file="+file("api.crt"), "--tls-private-key-file="+file("api.key"), "--cert-dir="+c.pki.dir,
		"--client-ca-file="+file("ca.crt"), "--token-auth-file="+file("tokens.csv"), "--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+file("accounts.pub"), "--service-account-signing-key-file="+file("accounts.key"),
		// It passes requests on to Porch's server, and says there who the user is.
		"--requestheader-client-ca-file="+file("ca.crt"), "--requestheader-allowed-names="+frontProxy,
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file="+file("proxy.crt"), "--proxy-client-key-file="+file("proxy.key"),
		"--request-timeout=300s")
	if err != nil {
		return err
	}
	return c.answers(ctx, "/readyz")
}

// answers waits until the API server answers a request, or a program has ended. While a
// program writes to its log there is progress.
func (c *Cluster) answers(ctx context.Context, path string) error {
	return c.Wait(ctx, "GET "+path, func() (bool, string, error) {
		err := c.Client.try(ctx, "GET", path, "", nil, nil)
		if err == nil {
			return true, "", nil
		}
		state := err.Error()
		for _, p := range c.processes {
			if info, err := os.Stat(p.log); err == nil {
				state += fmt.Sprintf("\n%s: %d bytes", p.log, info.Size())
			}
		}
		return false, state, nil
	})
}

// Run waits until the context ends, which is not an error, or a program of the cluster has
// ended, which is one.
func (c *Cluster) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
		if err := c.Err(); err != nil {
			return err
		}
	}
}

// porchObjects make the API server pass Porch's API on to its server. The Service names a
// host, so that it needs no pods and no network.
const porchObjects = `
apiVersion: v1
kind: Namespace
metadata: {name: porch-system}
---
apiVersion: v1
kind: Service
metadata: {name: api, namespace: porch-system}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1alpha1.porch.kpt.dev}
spec:
  group: porch.kpt.dev
  version: v1alpha1
  groupPriorityMinimum: 1000
  versionPriority: 15
  insecureSkipTLSVerify: true
  service: {name: api, namespace: porch-system, port: %d}
`

// define makes the definitions of all kinds, and what registers Porch.
func (c *Cluster) define(ctx context.Context) error {
	for _, folder := range append(c.options.Programs.definitions, c.options.Definitions...) {
		files, err := ReadFolder(folder)
		if err != nil {
			return err
		}
		for name, text := range files {
			if filepath.Ext(name) != ".yaml" {
				continue
			}
			if err := c.Client.Apply(ctx, "", text); err != nil {
				return err
			}
		}
	}
	return c.Client.Apply(ctx, "", fmt.Sprintf(porchObjects, c.ports.porch))
}

func (c *Cluster) startPorch(ctx context.Context) error {
	err := c.run(functionRunner,
		"--port="+strconv.Itoa(c.ports.runner), "--disable-runtimes=pod", "--config="+c.options.Config, "--functions="+c.options.Functions)
	if err != nil {
		return err
	}
	err = c.run(porchServer,
		"--bind-address=127.0.0.1", "--secure-port="+strconv.Itoa(c.ports.porch), "--cert-dir="+filepath.Join(c.dir, "porch-certificates"),
		"--kubeconfig="+c.Kubeconfig, "--cache-directory="+filepath.Join(c.dir, "porch-cache"),
		"--function-runner="+address(c.ports.runner), "--repo-sync-frequency=3m")
	if err != nil {
		return err
	}
	if err := c.answers(ctx, "/apis/porch.kpt.dev/v1alpha1"); err != nil {
		return err
	}
	return c.run(controllers, "--reconcilers=packagevariants,packagevariantsets")
}
