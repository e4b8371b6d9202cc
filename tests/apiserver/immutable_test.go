package apiserver

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"maps"
	"math/big"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	sigsyaml "sigs.k8s.io/yaml"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/breaking"
	"github.com/krm-packs/functions/pkg/values"
)

// known are the changes that packfn and the API server see differently, with the reason. Each must be seen.
var known = []struct{ changes, reason string }{
	{`\.(httpGet\.protocol|user|grpc\.mode|bindMountOptions\[\]|stopSignal|defaultUser|emptyDir\.mode|podGroupName|schedulingGroup|evictionResponders\[\](\.\w+)?|derivedAttributes\[\](\.\w+)?): accepted`,
		"the API server drops fields of alpha versions, unless a feature gate is set"},
	{`initContainers\[\]\.lifecycle: accepted`, "it drops stopSignal, the only field that is valid in it"},
	{`PersistentVolumeClaim spec\.dataSourceRef(\.namespace)?: accepted`, "it drops sources in other namespaces, unless a feature gate is set"},
	{`Pod spec\.resources: accepted`, "an empty map equals none in this field alone"},
	{`CustomResourceDefinition.*versions\[\]\.name: refused`, "the version is stored: that is another rule, upgrade/removed-crd"},
	{`Job\.batch spec\.template\.metadata\.labels\[\]: refused`, "a patch that removes all labels also removes those that the Job is selected by"},
	{`Job\.batch spec\.parallelism: refused`, "it was set alone: without it, completions are 1 by default"},
	{`Service spec\.ipFamilies\[\]: refused`, "the cluster has assigned an address, whose family the manifest before does not name"},
	{`Service spec\.clusterIP: refused`, "the cluster has assigned an address, which may be the one that the manifest now has"},
}

// alone are fields of the table that no valid object of the same name has with another value.
var alone = map[string]string{
	"CustomResourceDefinition.apiextensions.k8s.io spec.group":        "it is in the name",
	"CustomResourceDefinition.apiextensions.k8s.io spec.names.plural": "it is in the name",
}

// tally counts what the tests compare.
type tally struct {
	sync.Mutex
	changes, invalid, refused int
	// differences are the changes that packfn and the API server see differently, with an example.
	differences map[string]string
	// told are the paths of the table in which both see a change that is refused.
	told map[string]bool
	// fields are the paths that were changed, by their kinds, with whether a valid object has the change.
	fields map[string]bool
}

// TestMain drops what the API server logs about objects that are not valid.
func TestMain(m *testing.M) {
	klog.SetLogger(klog.Logger{})
	os.Exit(m.Run())
}

// TestImmutable changes each field of valid objects, and applies the change and its reverse to the API server:
// packfn reports a field that cannot be changed if, and only if, the API server refuses it.
func TestImmutable(t *testing.T) {
	all := &tally{differences: map[string]string{}, told: map[string]bool{}, fields: map[string]bool{}}
	enums, err := readEnums()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("objects", func(t *testing.T) {
		for _, text := range objects(t, "objects.yaml") {
			var head struct {
				APIVersion, Kind string
				Metadata         struct{ Name string }
			}
			if err := sigsyaml.Unmarshal(text, &head); err != nil {
				t.Fatal(err)
			}
			t.Run(head.Kind+"/"+head.Metadata.Name, func(t *testing.T) {
				t.Parallel()
				s, err := newServer(schema.FromAPIVersionAndKind(head.APIVersion, head.Kind))
				if err != nil {
					t.Fatal(err)
				}
				compare(t, s, text, enums, all)
			})
		}
	})
	updates := objects(t, "updates.yaml")
	for i := 0; i+1 < len(updates); i += 2 {
		var versions [2]*version
		var s *server
		for j := range versions {
			var head metav1.TypeMeta
			if err := sigsyaml.Unmarshal(updates[i+j], &head); err != nil {
				t.Fatal(err)
			}
			if s, err = newServer(head.GroupVersionKind()); err != nil {
				t.Fatal(err)
			}
			object := s.object()
			if err := sigsyaml.UnmarshalStrict(updates[i+j], object); err != nil {
				t.Fatal(err)
			}
			if versions[j], err = newVersion(s, object); err != nil {
				t.Fatalf("%v:\n%s", err, updates[i+j])
			}
		}
		for _, pair := range [][2]*version{{versions[0], versions[1]}, {versions[1], versions[0]}} {
			if err := all.look(s, "update", pair[0], pair[1]); err != nil {
				t.Errorf("an update is not compared: %v\n%s\n%s", err, pair[0].manifest, pair[1].manifest)
			}
		}
	}
	isSeen := make([]bool, len(known))
	for _, difference := range slices.Sorted(maps.Keys(all.differences)) {
		isKnown := false
		for i, k := range known {
			if regexp.MustCompile(k.changes + "$").MatchString(difference) {
				isSeen[i], isKnown = true, true
			}
		}
		if !isKnown {
			t.Errorf("%s, for example\n%s", difference, all.differences[difference])
		}
	}
	for i, k := range known {
		if !isSeen[i] {
			t.Errorf("not seen any more: %s", k.changes)
		}
	}
	for kind, paths := range breaking.Paths() {
		for _, path := range paths {
			if name := kind + " " + path; all.told[name] == (alone[name] != "") {
				t.Errorf("%s: a change is refused and reported: %t", name, all.told[name])
			}
		}
	}
	valid := 0
	for name, isValid := range all.fields {
		if isValid {
			valid++
		} else {
			t.Logf("no valid change of %s", name)
		}
	}
	t.Logf("note: %d changes of %d fields of %d kinds, of which the API server refuses %d; %d more are no valid objects, and %d fields have no other",
		all.changes, valid, len(strategies), all.refused, all.invalid, len(all.fields)-valid)
}

// TestVersion compares the release of Kubernetes that is tested with what packfn links.
func TestVersion(t *testing.T) {
	release := func(file, module string) string {
		text, err := os.ReadFile(file)
		found := regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(module) + ` v[01]\.(\S+)$`).FindSubmatch(text)
		if err != nil || found == nil {
			t.Fatalf("no %s in %s: %v", module, file, err)
		}
		return string(found[1])
	}
	if tested, linked := release("go.mod", "k8s.io/kubernetes"), release("../../go.mod", "k8s.io/apiserver"); tested != linked {
		t.Errorf("tested is Kubernetes 1.%s, packfn links 1.%s", tested, linked)
	}
}

// compare changes each field of an object in turn.
func compare(t *testing.T, s *server, text []byte, enums map[string][]string, all *tally) {
	object := s.object()
	if err := sigsyaml.UnmarshalStrict(text, object); err != nil {
		t.Fatal(err)
	}
	base, err := newVersion(s, object)
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{enums: enums, leaveOut: append(templates(s.kind.Kind), "kind", "apiVersion", "status", "metadata")}
	w.try = func(changed string) bool {
		other, err := newVersion(s, object)
		all.Lock()
		name := s.kind.GroupKind().String() + " " + changed
		all.fields[name] = all.fields[name] || err == nil
		if err != nil {
			all.invalid++
		}
		all.Unlock()
		if err != nil {
			return false
		}
		all.lookAtDefaults(t, s, changed, object, other)
		all.look(s, changed, base, other)
		all.look(s, changed, other, base)
		return true
	}
	w.from = func() func() {
		old := base
		base, _ = newVersion(s, object) // try has seen it
		return func() { base = old }
	}
	w.walk(reflect.ValueOf(object).Elem(), "")
}

// templates returns the paths in the templates of Pods that are not walked. All workloads but Jobs have the same rules for
// them, so one of these, Deployment, stands for all.
func templates(kind string) (paths []string) {
	pods := map[string]string{"ReplicaSet": "spec.template", "DaemonSet": "spec.template", "StatefulSet": "spec.template",
		"ReplicationController": "spec.template", "CronJob": "spec.jobTemplate.spec.template", "PodTemplate": "template"}[kind]
	for _, name := range []string{"containers", "initContainers", "ephemeralContainers", "volumes", "affinity"} {
		if pods != "" {
			paths = append(paths, pods+".spec."+name)
		}
	}
	return paths
}

// version is an object in a manifest, and what a cluster makes of it.
type version struct {
	manifest []byte
	node     *yaml.Node
	stored   runtime.Object
}

func newVersion(s *server, object runtime.Object) (*version, error) {
	text := manifest(object)
	stored, err := s.create(text)
	if err != nil {
		return nil, err
	}
	document, err := values.Parse(string(text))
	if err != nil {
		return nil, err
	}
	return &version{text, document.Root(), stored}, nil
}

// look compares what packfn and the API server say of an update. It returns an error if the updated object is not valid
// by itself, so that there is nothing to compare.
func (all *tally) look(s *server, changed string, before, after *version) error {
	err := s.update(before.stored, before.manifest, after.manifest)
	if invalid := (errInvalid{}); errors.As(err, &invalid) {
		all.Lock()
		all.invalid++
		all.Unlock()
		return err
	}
	fields := breaking.Immutable(s.kind.Group, s.kind.Kind, before.node, after.node)
	all.Lock()
	defer all.Unlock()
	all.changes++
	kind := s.kind.GroupKind().String()
	if err != nil {
		all.refused++
	}
	example := string(before.manifest) + "\n" + string(after.manifest)
	switch isTold := len(fields) > 0; {
	case isTold && err == nil:
		all.differences[kind+" "+changed+": accepted"] = example + "\n" + strings.Join(fields[0].Path, ".")
	case !isTold && err != nil:
		all.differences[kind+" "+changed+": refused"] = example + "\n" + err.Error()
	case isTold:
		for _, path := range breaking.Paths()[kind] {
			for _, f := range fields {
				if strings.HasPrefix(strings.Join(f.Path, ".")+".", strings.TrimSuffix(path, ".*")+".") {
					all.told[kind+" "+path] = true
				}
			}
		}
	}
	return nil
}

// lookAtDefaults writes the API server's defaults into a manifest, which changes nothing.
func (all *tally) lookAtDefaults(t *testing.T, s *server, changed string, object runtime.Object, plain *version) {
	t.Helper()
	whole := object.DeepCopyObject()
	s.scheme.Default(whole)
	document, err := values.Parse(string(manifest(whole)))
	if err != nil {
		t.Error(err)
		return
	}
	kind := s.kind.GroupKind().String()
	for _, versions := range [][2]*yaml.Node{{plain.node, document.Root()}, {document.Root(), plain.node}} {
		for _, f := range breaking.Immutable(s.kind.Group, s.kind.Kind, versions[0], versions[1]) {
			all.Lock()
			all.differences[kind+" "+strings.Join(f.Path, ".")+": a default"] = changed + "\n" + string(plain.manifest)
			all.Unlock()
		}
	}
}

// objects returns the objects in a file of testdata, with certificates.
func objects(t *testing.T, file string) [][]byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	certificate, request := pems(t)
	indented := strings.ReplaceAll(strings.TrimSpace(certificate), "\n", "\n    ")
	text = bytes.ReplaceAll(text, []byte("CERTIFICATE"), []byte(indented))
	text = bytes.ReplaceAll(text, []byte("REQUEST"), []byte(base64.StdEncoding.EncodeToString([]byte(request))))
	return bytes.Split(text, []byte("\n---\n"))
}

// pems returns the certificate of an authority and a request for one, as PEM.
func pems(t *testing.T) (certificate, request string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a"}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: pkix.Name{CommonName: "a"}}, private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: asked}))
}
