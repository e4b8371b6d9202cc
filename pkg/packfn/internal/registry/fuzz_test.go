package registry

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// What a registry answers is an error or a pack within the limits, also a page of names.
func FuzzAnswers(f *testing.F) {
	f.Add(`{"layers": [{"mediaType": "a", "digest": "`+digestOf(nil)+`", "size": 3}]}`, `<?last=a>; rel="next"`)
	f.Add(`{"tags": ["1.0.0", "latest"], "repositories": ["base/a"]}`, "")
	f.Add(`{"layers": [{"size": -1}, {"annotations": {"org.opencontainers.image.title": "a.tar.gz"}}]}`, "x")
	f.Fuzz(func(t *testing.T, body, link string) {
		if layer, err := layerOf([]byte(body)); err == nil && (layer.Size > maxBytes || layer.Digest.Validate() != nil) {
			t.Errorf("got %+v", layer)
		}
		if strings.ContainsAny(link, "\r\n\x00") || strings.Contains(link, "//") { // another host
			return
		}
		h, c := start(t)
		h.change = func(w http.ResponseWriter, r *http.Request) bool {
			if h.asked.Load() < 20 {
				w.Header().Set("Link", link)
			}
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
			io.WriteString(w, body)
			return true
		}
		for _, rest := range []string{"base/a:1.0.0", "base/a"} {
			if _, err := c.Pull(t.Context(), h.reference(t, rest)); err == nil {
				t.Errorf("%s: got an archive", rest)
			}
		}
		_, _ = c.Packs(t.Context(), h.reference(t, "base"))
	})
}

// A reference is read as it is printed, and has no user.
func FuzzReference(f *testing.F) {
	for _, text := range []string{"oci://r.example.com/a:1", "oci://user:pw@r/a", "oci://r/a@" + digestOf(nil), "oci://u/p:w@r/a x@y"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := Shown(text) // of any text
		r, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(r.String()); err != nil || again != r || shown != text {
			t.Errorf("%q: got %+v, %+v, %v", text, r, again, err)
		}
	})
}
