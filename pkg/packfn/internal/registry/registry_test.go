package registry

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	served "github.com/google/go-containerregistry/pkg/registry"
)

// host is a registry in this process. change may answer a request in its place.
type host struct {
	t       *testing.T
	name    string
	asked   atomic.Int64
	handler http.Handler
	change  func(w http.ResponseWriter, r *http.Request) bool
}

func start(t *testing.T) (*host, *Client) {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	h := &host{t: t, handler: served.New(served.Logger(log.New(io.Discard, "", 0)))}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	h.name = strings.TrimPrefix(server.URL, "http://")
	return h, &Client{Cache: t.TempDir()}
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.asked.Add(1)
	if h.change == nil || !h.change(w, r) {
		h.handler.ServeHTTP(w, r)
	}
}

// send puts content into the registry.
func (h *host) send(method, path, kind string, body []byte) {
	h.t.Helper()
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	if h.handler.ServeHTTP(w, r); w.Code >= 300 {
		h.t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
}

func digestOf(text []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(text)) }

type layer map[string]any

// push makes a pack of layers, and returns the digest of the manifest.
func (h *host) push(path, tag string, contents ...string) string {
	h.t.Helper()
	config := []byte("{}")
	var layers []layer
	for _, text := range append(contents, string(config)) {
		h.send("POST", "/v2/"+path+"/blobs/uploads/?digest="+digestOf([]byte(text)), "application/octet-stream", []byte(text))
	}
	for _, text := range contents {
		layers = append(layers, layer{"mediaType": "application/vnd.oci.image.layer.v1.tar", "digest": digestOf([]byte(text)), "size": len(text)})
	}
	return h.pushManifest(path, tag, layers)
}

func (h *host) pushManifest(path, tag string, layers any) string {
	h.t.Helper()
	const kind = "application/vnd.oci.image.manifest.v1+json"
	manifest, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": kind, "layers": layers,
		"config": layer{"mediaType": "application/vnd.oci.empty.v1+json", "digest": digestOf([]byte("{}")), "size": 2},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.send("PUT", "/v2/"+path+"/manifests/"+tag, kind, manifest)
	return digestOf(manifest)
}

func (h *host) reference(t *testing.T, rest string) Reference {
	t.Helper()
	r, err := Parse(Scheme + h.name + "/" + rest)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A pack is found by its version or digest, below the base or in Palette's layout, kept by its
// digest under the name of a published archive, and not asked for again if it is there.
func TestPull(t *testing.T) {
	h, c := start(t)
	of := h.push("base/vault", "0.6.0", "the archive")
	h.push("base/spectro-packs/archive/cni", "1.2.0", "another archive")
	for rest, want := range map[string]struct{ name, text string }{
		"base/vault:0.6.0":                     {"vault-0.6.0.tar.gz", "the archive"},
		"base/vault@" + of:                     {"vault.tar.gz", "the archive"},
		"base/cni:1.2.0":                       {"cni-1.2.0.tar.gz", "another archive"},
		"base/spectro-packs/archive/cni:1.2.0": {"cni-1.2.0.tar.gz", "another archive"},
	} {
		r := h.reference(t, rest)
		archive, err := c.Pull(t.Context(), r)
		if err != nil {
			t.Errorf("%s: %v", rest, err)
			continue
		}
		text, err := os.ReadFile(archive)
		if err != nil || string(text) != want.text || filepath.Base(archive) != want.name {
			t.Errorf("%s: got %s with %q, %v", rest, archive, text, err)
		}
	}
	r := h.reference(t, "base/vault:0.6.0")
	archive, ok := c.Cached(r)
	if !ok || filepath.Base(archive) != "vault-0.6.0.tar.gz" {
		t.Fatalf("cached: %s, %v", archive, ok)
	}
	asked := 0
	h.change = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/blobs/") {
			asked++
		}
		return false
	}
	if _, err := c.Pull(t.Context(), r); err != nil || asked != 0 {
		t.Errorf("pulled again: %d blobs, %v", asked, err)
	}
	if err := os.WriteFile(archive, []byte("THE ARCHIVE"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Cached(r); ok {
		t.Error("a damaged archive is taken from the cache")
	}
	if _, err := c.Pull(t.Context(), r); err != nil || asked != 1 {
		t.Errorf("a damaged archive: %d blobs, %v", asked, err)
	}
	if _, ok := c.Cached(h.reference(t, "base/vault:0.7.0")); ok {
		t.Error("a version that was not pulled is in the cache")
	}
	before := h.asked.Load()
	c.Cached(r)
	if h.asked.Load() != before {
		t.Error("the cache opens a connection")
	}
}

func TestVersions(t *testing.T) {
	h, c := start(t)
	for _, tag := range []string{"0.6.0", "0.10.0", "latest", "0.9.1-rc.1", "0.9.1"} {
		h.push("base/vault", tag, "archive "+tag)
	}
	for _, tag := range []string{"1.0.0", "v1.0.0", "edge", "2.0.0", "alpha"} {
		h.push("base/tags", tag, "archive "+tag)
	}
	h.push("base/spectro-packs/archive/cni", "1.2.0", "another archive")
	h.push("elsewhere/other", "1.0.0", "x")
	got, err := c.Versions(t.Context(), h.reference(t, "base/vault"))
	if diff := cmp.Diff([]string{"0.10.0", "0.9.1", "0.9.1-rc.1", "0.6.0", "latest"}, got); diff != "" || err != nil {
		t.Errorf("%v -want +got:\n%s", err, diff)
	}
	got, err = c.Versions(t.Context(), h.reference(t, "base/tags"))
	if diff := cmp.Diff([]string{"2.0.0", "1.0.0", "v1.0.0", "alpha", "edge"}, got); diff != "" || err != nil {
		t.Errorf("%v -want +got:\n%s", err, diff)
	}
	if got, err = c.Versions(t.Context(), h.reference(t, "base/cni")); err != nil || len(got) != 1 {
		t.Errorf("in the layout of Palette: %q, %v", got, err)
	}
	got, err = c.Packs(t.Context(), h.reference(t, "base"))
	if diff := cmp.Diff([]string{"cni", "tags", "vault"}, got); diff != "" || err != nil {
		t.Errorf("%v -want +got:\n%s", err, diff)
	}
	for rest, want := range map[string]string{
		"base/vault:0.10.1": "there is no version 0.10.1. Available: \"0.10.0\"",
		"base/vault":        "name a version of vault",
		"base/valt:1.0.0":   "base/valt:1.0.0: the registry does not have it",
	} {
		if _, err := c.Pull(t.Context(), h.reference(t, rest)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want %s", rest, err, want)
		}
	}
}

// What a registry sends is verified, and none of it is kept if it is wrong.
func TestHostileRegistry(t *testing.T) {
	blob := func(answer func(w http.ResponseWriter, r *http.Request)) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, "/blobs/") {
				return false
			}
			answer(w, r)
			return true
		}
	}
	status := func(code int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(code)
			return true
		}
	}
	circle := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
	}
	for what, tc := range map[string]struct {
		change func(http.ResponseWriter, *http.Request) bool
		want   string
	}{
		"another content": {blob(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "THE ARCHIVE") }), "its content does not have the digest sha256:"},
		"cut off": {blob(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "11")
			io.WriteString(w, "the")
		}), "cut off before its 11 bytes"},
		"an endless body": {blob(func(w http.ResponseWriter, _ *http.Request) {
			for range 100 {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		}), "the archive: "},
		"401":         {status(401), "the registry rejects access; log in with docker login"},
		"403":         {status(403), "the registry rejects access; log in with docker login"},
		"500":         {status(501), "501"},
		"a circle":    {blob(circle), "redirects more than 10 times"},
		"no manifest": {func(w http.ResponseWriter, r *http.Request) bool { io.WriteString(w, "<html>"); return true }, ""},
		"a wrong manifest": {func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, "/manifests/") {
				return false
			}
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
			w.Header().Set("Docker-Content-Digest", digestOf([]byte("x")))
			io.WriteString(w, "{}")
			return true
		}, ""},
	} {
		t.Run(what, func(t *testing.T) {
			h, c := start(t)
			h.push("base/vault", "0.6.0", "the archive")
			h.change = tc.change
			r := h.reference(t, "base/vault:0.6.0")
			if archive, err := c.Pull(t.Context(), r); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %s, %v; want %s", archive, err, tc.want)
			}
			if entries, _ := os.ReadDir(c.Cache); len(entries) > 0 {
				t.Errorf("%s is kept", entries[0].Name())
			}
		})
	}
}

// What is not a pack is said so.
func TestNoPack(t *testing.T) {
	h, c := start(t)
	h.push("base/two", "1.0.0", "one layer", "and another")
	h.push("base/none", "1.0.0")
	text := "the archive"
	h.push("base/vault", "1.0.0", text, "a second")
	h.pushManifest("base/vault", "titled", []layer{
		{"mediaType": "a/b", "digest": digestOf([]byte("a second")), "size": 8},
		{"mediaType": "a/b", "digest": digestOf([]byte(text)), "size": len(text), "annotations": map[string]string{"org.opencontainers.image.title": "vault-1.0.0.tar.gz"}},
	})
	for tag, of := range map[string]string{"sha512": "sha512:" + strings.Repeat("a", 128), "no-digest": "sha256:abc"} {
		h.pushManifest("base/vault", tag, []layer{{"mediaType": "a/b", "digest": of, "size": 1}})
	}
	h.pushManifest("base/vault", "text", "no layers")
	for tag, size := range map[string]int{"large": maxBytes + 1, "most": maxBytes} {
		h.pushManifest("base/vault", tag, []layer{{"mediaType": "a/b", "digest": digestOf([]byte(text)), "size": size}})
	}
	for rest, want := range map[string]string{
		"base/two:1.0.0":       "it has 2 layers; a pack has one",
		"base/none:1.0.0":      "it has 0 layers; a pack has one",
		"base/vault:titled":    "",
		"base/vault:sha512":    `the digest of the manifest must be sha256, got "sha512:`,
		"base/vault:no-digest": `the digest of the manifest must be sha256, got "sha256:abc"`,
		"base/vault:text":      "the manifest is not JSON: ",
		"base/vault:large":     "the archive has 67108865 bytes; at most 67108864 are read",
		"base/vault:most":      "mismatch Content-Length",
	} {
		archive, err := c.Pull(t.Context(), h.reference(t, rest))
		if content, _ := os.ReadFile(archive); want == "" && string(content) == text {
			continue
		}
		if err == nil || want == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v; want %s", rest, archive, err, want)
		}
	}
}

// The registry says of both places of a pack why it cannot be had, and of a base that its packs
// cannot be listed.
func TestRefusals(t *testing.T) {
	h, c := start(t)
	h.change = func(w http.ResponseWriter, r *http.Request) bool {
		isRefused := strings.Contains(r.URL.Path, layout) || strings.Contains(r.URL.Path, "_catalog")
		if isRefused {
			w.WriteHeader(403)
		}
		return isRefused
	}
	_, pull := c.Pull(t.Context(), h.reference(t, "base/vault:0.6.0"))
	_, versions := c.Versions(t.Context(), h.reference(t, "base/vault"))
	_, packs := c.Packs(t.Context(), h.reference(t, "base"))
	for want, err := range map[string]error{"base/" + layout + "/vault:0.6.0: the registry rejects": pull, "base/" + layout + "/vault: the registry rejects": versions, "rejects access; log in with docker login " + h.name + "); name one: ": packs} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v; want %s", err, want)
		}
	}
}

// A registry that sends nothing is left after some time, and at once when the user ends the
// command.
func TestSilentRegistry(t *testing.T) {
	for _, part := range []string{"/manifests/", "/blobs/"} {
		h, c := start(t)
		h.push("base/vault", "0.6.0", "the archive")
		leave, arrived := make(chan struct{}), make(chan struct{}, 10)
		h.change = func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, part) {
				return false
			}
			if part == "/blobs/" { // after the head of the answer
				w.Header().Set("Content-Length", "11")
				io.WriteString(w, "the")
				w.(http.Flusher).Flush()
			}
			arrived <- struct{}{}
			<-leave
			return true
		}
		r := h.reference(t, "base/vault:0.6.0")
		c.Silence = time.Millisecond
		if _, err := c.Pull(t.Context(), r); err == nil || !strings.Contains(err.Error(), "has not answered in time") {
			t.Errorf("%s: got %v", part, err)
		}
		c.Silence = time.Hour
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-arrived
			cancel()
		}()
		if _, err := c.Pull(ctx, r); err == nil || ctx.Err() == nil {
			t.Errorf("%s: ended: %v", part, err)
		}
		close(leave)
	}
}

// A registry that always has another page, or that sends a byte now and then, is left.
func TestEndless(t *testing.T) {
	h, c := start(t)
	h.push("base/vault", "0.6.0", "the archive")
	h.change = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/list") || strings.HasSuffix(r.URL.Path, "/_catalog") {
			w.Header().Set("Link", fmt.Sprintf("<%s?last=%d>; rel=\"next\"", r.URL.Path, h.asked.Load()))
			io.WriteString(w, `{"tags": [], "repositories": []}`)
			return true
		}
		return false
	}
	const pages = "on more than 1000 pages"
	if _, err := c.Versions(t.Context(), h.reference(t, "base/vault")); err == nil || !strings.Contains(err.Error(), pages) {
		t.Errorf("versions: %v", err)
	}
	if _, err := c.Packs(t.Context(), h.reference(t, "base")); err == nil || !strings.Contains(err.Error(), pages) {
		t.Errorf("packs: %v", err)
	}
	c.Patience = 100 * time.Millisecond
	for _, part := range []string{"/manifests/", "/blobs/", "/list"} {
		h.change = func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, part) {
				return false
			}
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
			w.Header().Set("Content-Length", "11")
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, " "); err != nil {
					break
				}
				w.(http.Flusher).Flush()
				time.Sleep(20 * time.Millisecond)
			}
			return true
		}
		_, err := c.Pull(t.Context(), h.reference(t, "base/vault:0.6.0"))
		if part == "/list" {
			_, err = c.Versions(t.Context(), h.reference(t, "base/vault"))
		}
		if err == nil || !strings.Contains(err.Error(), "take longer than the limit of 100ms; try again later, or import the archive as a file") {
			t.Errorf("%s: %v", part, err)
		}
	}
}

// Docker's credentials are sent to their registry, and not to where it redirects.
func TestCredentials(t *testing.T) {
	h, c := start(t)
	h.push("base/vault", "0.6.0", "the archive")
	const login = "Basic dXNlcjpzZWNyZXQ=" // user:secret
	var leaked string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		leaked += r.Header.Get("Authorization")
		io.WriteString(w, "the archive")
	}))
	defer other.Close()
	h.change = func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case r.Header.Get("Authorization") != login:
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(401)
		case strings.Contains(r.URL.Path, "/blobs/"):
			http.Redirect(w, r, strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/blob", http.StatusTemporaryRedirect)
		default:
			return false
		}
		return true
	}
	r := h.reference(t, "base/vault:0.6.0")
	if _, err := c.Pull(t.Context(), r); err == nil || !strings.Contains(err.Error(), "docker login "+h.name) {
		t.Errorf("without credentials: %v", err)
	}
	config := fmt.Sprintf(`{"auths": {%q: {"auth": "dXNlcjpzZWNyZXQ="}}}`, h.name)
	if err := os.WriteFile(filepath.Join(os.Getenv("DOCKER_CONFIG"), "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Pull(t.Context(), r); err != nil || leaked != "" {
		t.Errorf("with credentials: %v; %q was sent on", err, leaked)
	}
}

func TestCheckRedirect(t *testing.T) {
	secure, plain := httptest.NewRequest("GET", "https://a/", nil), httptest.NewRequest("GET", "http://a/", nil)
	for _, tc := range []struct {
		next   *http.Request
		before []*http.Request
		want   bool
	}{{secure, []*http.Request{secure}, true}, {plain, []*http.Request{plain}, true}, {secure, []*http.Request{plain}, true}, {plain, []*http.Request{secure}, false}, {plain, []*http.Request{secure, secure}, false},
		{secure, slices.Repeat([]*http.Request{secure}, 9), true}, {secure, slices.Repeat([]*http.Request{secure}, 10), false}} {
		if err := checkRedirect(tc.next, tc.before); (err == nil) != tc.want {
			t.Errorf("%s after %s: %v", tc.next.URL, tc.before[0].URL, err)
		}
	}
}

func TestParse(t *testing.T) {
	of := digestOf(nil)
	for text, want := range map[string]Reference{
		"oci://registry.example.com/base/vault:0.6.0": {"registry.example.com", "base/vault", "0.6.0"},
		"oci://localhost:5000/vault":                  {"localhost:5000", "vault", ""},
		"oci://r.example.com/a/b/":                    {"r.example.com", "a/b", ""},
		"oci://r.example.com/b/vault@" + of:           {"r.example.com", "b/vault", of},
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
		if !Is(text) || got.String() != strings.TrimSuffix(text, "/") {
			t.Errorf("%s: got %s", text, got)
		}
	}
	for _, text := range []string{"https://r/b:1", "oci://", "oci://r", "oci://r/../x:1", "oci://r/a/../../x:1", "oci://r/A:1", "oci://r/a:..", "oci://r/a:1\n", "oci:///a:1", "oci://r/a@sha256:1"} {
		if got, err := Parse(text); Is(text) != strings.HasPrefix(text, "oci:") || err == nil || !strings.Contains(err.Error(), "Write oci://HOST/BASE/NAME:VERSION") {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
	base := Reference{"r", "base", ""}
	if got := base.Below("vault", "1.0.0").String(); got != "oci://r/base/vault:1.0.0" {
		t.Errorf("got %s", got)
	}
}

// A user is no part of a reference, and is not shown.
func TestUser(t *testing.T) {
	of := digestOf(nil)
	for _, user := range []string{"user:hunter2", "hunter2", "user:hun@hunter2", "us/er:hunter2", "user:hun/hunter2", "user: hunter2", "user:%40hunter2"} {
		for _, rest := range []string{"r.example.com/base/vault:1.0.0", "localhost:5000/vault", "r.example.com/b/vault@" + of, ""} {
			text := Scheme + user + "@" + rest
			_, err := Parse(text)
			if err == nil || !strings.Contains(err.Error(), "oci://•••@"+rest+": a reference cannot name a user or a password, because credentials come from Docker's configuration") || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: got %v", text, err)
			}
			if got := Shown("open " + text + ": not found"); strings.Contains(got, "hunter2") || !strings.HasSuffix(got, ": not found") {
				t.Errorf("%s: got %s", text, got)
			}
		}
	}
	for _, text := range []string{"oci://r/a@" + of + " is a@b", "a@b", "oci://r/a:1 of a@b", "oci://HOST"} {
		if got := Shown(text); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

// A cache that cannot be written is an error, and what is damaged in it is not used.
func TestCacheFaults(t *testing.T) {
	h, c := start(t)
	h.push("base/vault", "0.6.0", "the archive")
	r := h.reference(t, "base/vault:0.6.0")
	if _, ok := c.Cached(r); ok {
		t.Error("an empty cache has the archive")
	}
	if _, err := c.Pull(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"": false, "sha256:abc\n": false, digestOf([]byte("other")): false, digestOf([]byte("the archive")) + "\n": true, strings.Repeat("a", 2000): false} {
		if err := os.WriteFile(c.tag(r), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.Cached(r); ok != want {
			t.Errorf("with the digest %.80q: got %v", text, ok)
		}
	}
	for _, blocked := range []string{"archives", "references"} {
		cache := t.TempDir()
		if err := os.WriteFile(filepath.Join(cache, blocked), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if archive, err := (&Client{Cache: cache}).Pull(t.Context(), r); err == nil {
			t.Errorf("%s is a file: got %s", blocked, archive)
		}
	}
	// A folder is where the archive should be.
	cache := &Client{Cache: t.TempDir()}
	archive, err := cache.Pull(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(archive), os.MkdirAll(filepath.Join(archive, "x"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if _, err := cache.Pull(t.Context(), r); err == nil {
		t.Error("the archive is a folder: got no error")
	}
	if entries, err := os.ReadDir(filepath.Dir(archive)); err != nil || len(entries) != 1 {
		t.Errorf("what was not kept is left: %v, %v", entries, err)
	}
}

// Archives are kept below the user's cache directory.
func TestCacheDir(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/c")
	t.Setenv("HOME", "/h")
	if dir, err := cacheDir(); err != nil || filepath.Base(dir) != "packfn" || len(dir) < len("/c/packfn") {
		t.Errorf("got %s, %v", dir, err)
	}
	t.Setenv("XDG_CACHE_HOME", "relative")
	t.Setenv("HOME", "")
	if dir, err := cacheDir(); err == nil || !strings.Contains(err.Error(), "the user's cache directory: ") {
		t.Errorf("got %s, %v", dir, err)
	}
}

// An archive that was pulled from the layout of Palette is in the cache for a reference without
// the layout.
func TestCachedInLayout(t *testing.T) {
	h, c := start(t)
	h.push("base/"+layout+"/vault", "0.6.0", "the archive")
	r := h.reference(t, "base/vault:0.6.0")
	if _, ok := c.Cached(r); ok {
		t.Error("an empty cache has the archive")
	}
	if _, err := c.Pull(t.Context(), h.reference(t, "base/"+layout+"/vault:0.6.0")); err != nil {
		t.Fatal(err)
	}
	if archive, ok := c.Cached(r); !ok || archive == "" {
		t.Errorf("got %q, %v", archive, ok)
	}
	if archive, ok := c.Cached(h.reference(t, "base/vault:0.7.0")); ok {
		t.Errorf("another version: got %q", archive)
	}
}

// A registry may list many names, up to a limit.
func TestBounded(t *testing.T) {
	var all []string
	add := bounded(&all)
	if err := add(make([]string, maxNames-1)); err != nil {
		t.Error(err)
	}
	if err := add(make([]string, 1)); err != nil || len(all) != maxNames {
		t.Errorf("%d names: %v", len(all), err)
	}
	if err := add(make([]string, 1)); err == nil || !strings.Contains(err.Error(), "more than 10000 names") {
		t.Errorf("got %v", err)
	}
}

// Registries of this machine are asked over plain HTTP, with and without a port.
func TestPlainHTTP(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	for host, want := range map[string]bool{
		"localhost": true, "localhost:5000": true, "127.0.0.1": true, "127.0.0.2:80": true, "[::1]": true, "[::1]:5000": true,
		"example.com": false, "localhost.example.com:5000": false, "10.0.0.1:5000": false, "[2001:db8::1]:5000": false,
	} {
		if _, got, err := new(Client).connect(host); err != nil || got != want {
			t.Errorf("%s: got %v, %v", host, got, err)
		}
	}
}

// Credentials that Docker cannot read are an error before anything is asked for.
func TestBrokenCredentials(t *testing.T) {
	h, c := start(t)
	h.push("base/vault", "0.6.0", "the archive")
	if err := os.WriteFile(filepath.Join(os.Getenv("DOCKER_CONFIG"), "config.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "Docker's credentials: "
	if _, err := c.Pull(t.Context(), h.reference(t, "base/vault:0.6.0")); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("pull: got %v", err)
	}
	if _, err := c.Versions(t.Context(), h.reference(t, "base/vault")); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("versions: got %v", err)
	}
	if _, err := c.Packs(t.Context(), h.reference(t, "base")); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("packs: got %v", err)
	}
	if h.asked.Load() > 0 {
		t.Error("the registry was asked")
	}
}
