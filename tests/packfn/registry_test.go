package packfn

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
)

// serve starts a registry with packs, and returns its address.
func serve(t *testing.T, dir string, refs map[string]string) string {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("DOCKER_CONFIG", dir)
	handler := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	send := func(method, path, kind string, body []byte) {
		r := httptest.NewRequest(method, "/v2/"+path, bytes.NewReader(body))
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		if handler.ServeHTTP(w, r); w.Code >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	}
	for ref, archive := range refs {
		path, tag, _ := strings.Cut(ref, ":")
		text, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		descriptor := func(kind string, content []byte) map[string]any {
			digest := fmt.Sprintf("sha256:%x", sha256.Sum256(content))
			send("POST", path+"/blobs/uploads/?digest="+digest, "application/octet-stream", content)
			return map[string]any{"mediaType": kind, "digest": digest, "size": len(content)}
		}
		const kind = "application/vnd.oci.image.manifest.v1+json"
		manifest, err := json.Marshal(map[string]any{
			"schemaVersion": 2, "mediaType": kind,
			"config": descriptor("application/vnd.oci.empty.v1+json", []byte("{}")),
			"layers": []any{descriptor("application/vnd.oci.image.layer.v1.tar+gzip", text)},
		})
		if err != nil {
			t.Fatal(err)
		}
		send("PUT", path+"/manifests/"+tag, kind, manifest)
	}
	server := httptest.NewServer(http.HandlerFunc(handler.ServeHTTP))
	t.Cleanup(server.Close)
	return "oci://" + strings.TrimPrefix(server.URL, "http://")
}

// palette is a profile that Palette exported, of the packs in testdata.
const palette = `{"metadata": {"name": "Site"}, "spec": {"version": "1.0.0", "template": {"type": "add-on", "packs": [
 {"name": "vault", "layer": "addon", "version": "0.6.0", "values": "replicas: '{{ .spectro.var.replicas }}'\npassword: hunter2\n"},
 {"name": "other", "layer": "addon", "version": "1.0.0", "values": "a: 1\n"}]},
 "variables": [{"name": "replicas", "format": "number", "defaultValue": "3"}, {"name": "pin", "isSensitive": true, "format": "number", "defaultValue": "hunter3"}]}}`

// A pack of a registry is imported, listed and upgraded as one of a directory.
func TestRegistry(t *testing.T) {
	dir := t.TempDir()
	const base = "base/spectro-packs/archive/"
	host := serve(t, dir, map[string]string{
		base + "vault:0.6.0": filepath.Join(dir, archived(t, dir, testPack("vault-0.6.0"))),
		base + "vault:0.7.0": filepath.Join(dir, archived(t, dir, testPack("vault-0.7.0"))),
	})
	for _, of := range []string{"/base", "/base/vault"} {
		if got := packfn(t, dir, "list", "packs", host+of).want(t, 0); !strings.HasSuffix(got.stdout, "PACK   VERSION\nvault  0.7.0\nvault  0.6.0\n") {
			t.Errorf("%s has\n%s", of, got.stdout)
		}
	}
	packfn(t, dir, "import", host+"/base/vault:0.6.0", "--to", "platform").want(t, 0, "vault-0.6.0.tar.gz", "vault 0.6.0")
	packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "local").want(t, 0)
	text := tree(t, filepath.Join(dir, "platform"))["vault.yaml"]
	if archiveDigest.ReplaceAllString(text, "") != tree(t, filepath.Join(dir, "local"))["vault.yaml"] || !archiveDigest.MatchString(text) {
		t.Errorf("the pack of the registry is imported as\n%s", text)
	}
	// The newest version that fits, of all sources.
	packfn(t, dir, "upgrade", "platform", "vault", "--version", "0.7.x", "--source", host+"/base").want(t, 0, "vault-0.7.0.tar.gz")
	packfn(t, dir, "upgrade", "platform", "vault", "--version", "0.x", "--source", testPack("vault-0.6.0"), "--source", host+"/base").want(t, 0, "vault-0.7.0.tar.gz")
	packfn(t, dir, "upgrade", "platform", "vault", "--version", "0.x", "--source", testPack("vault-0.6.0")).want(t, 0, "vault 0.x is "+testPack("vault-0.6.0"))
	packfn(t, dir, "upgrade", "platform", "vault", "--version", "0.8.x", "--source", host+"/base").want(t, 2, "--version: no version of vault is 0.8.x; the sources have 0.7.0 or 0.6.0")
	packfn(t, dir, "upgrade", "platform", "valt", "--version", "0.8.x", "--source", host+"/base").want(t, 2, "/base/valt: the registry does not have it")
	packfn(t, dir, "upgrade", "platform", "valt", "--version", "0.8.x").want(t, 2, "no source has a pack of the name valt")
	packfn(t, dir, "upgrade", "platform", host+"/base/vault:0.7.0", "--from", host+"/base/vault:0.6.0", "--write")
	if text := tree(t, filepath.Join(dir, "platform"))["vault.yaml"]; !strings.Contains(text, `"version": "0.7.0"`) {
		t.Errorf("not upgraded:\n%s", text)
	}
	// A profile gets its packs from registries, too, and says which one it cannot get.
	write(t, filepath.Join(dir, "profile.json"), palette)
	packfn(t, dir, "import", "profile.json", "--source", host+"/base", "--to", "site").want(t, 0, "/base/other:1.0.0: the registry does not have it", "no source has other 1.0.0")
	if text := tree(t, filepath.Join(dir, "site"))["vault.yaml"]; !strings.Contains(text, "schema.yaml:") {
		t.Errorf("the profile's pack is\n%s", text)
	}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"import", host + "/base/vault:0.9.9", "--to", "other"}, "there is no version 0.9.9. Available: \"0.7.0\", \"0.6.0\""},
		{[]string{"import", host + "/base/vault", "--to", "other"}, "name a version of vault"},
		{[]string{"import", host + "/base/valt:0.6.0", "--to", "other"}, "/base/valt:0.6.0: the registry does not have it"},
		{[]string{"import", host + "/../vault:0.6.0", "--to", "other"}, "Write oci://HOST/BASE/NAME:VERSION"},
		{[]string{"import", "oci://127.0.0.1:1/base/vault:0.6.0", "--to", "other"}, "oci://127.0.0.1:1/base/vault:0.6.0: "},
		{[]string{"list", "packs", host + "/nothing"}, "the registry does not have it"},
	} {
		packfn(t, dir, tc.args...).want(t, 2, tc.want)
	}
	if _, err := os.Stat(filepath.Join(dir, "other")); err == nil {
		t.Error("something was written")
	}
}

// What is outdated is asked of the registry, of --source and of packfn.yaml. Nothing is pulled.
func TestOutdatedInRegistry(t *testing.T) {
	dir := t.TempDir()
	const base = "base/spectro-packs/archive/"
	host := serve(t, dir, map[string]string{
		base + "vault:0.6.0": filepath.Join(dir, archived(t, dir, testPack("vault-0.6.0"))),
		base + "vault:0.7.0": filepath.Join(dir, archived(t, dir, testPack("vault-0.7.0"))),
	})
	packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "platform").want(t, 0)
	outdated := func(args ...string) {
		t.Helper()
		got := packfn(t, dir, append([]string{"list", "packs", "--outdated", "platform"}, args...)...).want(t, 0)
		if row := strings.Fields(got.stdout[strings.LastIndex(strings.TrimSpace(got.stdout), "\n")+1:]); len(row) < 4 || strings.Join(row[:4], " ") != "vault 0.6.0 0.7.0 0.7.0" {
			t.Errorf("%q: got\n%s", args, got.stdout)
		}
	}
	outdated("--source", host+"/base")
	write(t, filepath.Join(dir, "packfn.yaml"), `apiVersion: packs.kpt.dev/v1alpha1
kind: PackfnConfig
sources: [`+host+"/base]\n")
	outdated()
	if pulled, _ := filepath.Glob(filepath.Join(dir, "cache", "*", "*", "*.tar.gz")); len(pulled) > 0 {
		t.Errorf("pulled %q", pulled)
	}
	packfn(t, dir, "list", "packs", "--outdated", "platform", "--source", host+"/none").want(t, 0, "/none/vault: the registry does not have it", "vault: no source has a pack of this name")
}
