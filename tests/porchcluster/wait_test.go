package porchcluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestWait waits for what is done late, what stops, what fails, and what is canceled.
func TestWait(t *testing.T) {
	const late = 5 * patience
	for name, test := range map[string]struct {
		look  func(n int) (bool, string, error)
		looks int
		want  string // in the error
	}{
		"at once": {func(int) (bool, string, error) { return true, "", nil }, 1, ""},
		"late":    {func(n int) (bool, string, error) { return n == late, fmt.Sprint(n / patience), nil }, late, ""},
		"never": {
			func(int) (bool, string, error) { return false, "Porch\nsays no", nil }, patience + 1,
			`it: there is no progress any more. The last state:
  Porch
  says no`,
		},
		"stops":          {func(n int) (bool, string, error) { return false, fmt.Sprint("state ", min(n, 50)), nil }, patience + 50, "\n  state 50"},
		"back and forth": {func(n int) (bool, string, error) { return false, fmt.Sprint("state ", n%2), nil }, patience + 2, "\n  state 0"},
		"fails":          {func(n int) (bool, string, error) { return false, "", errors.New("an error") }, 1, "an error"},
	} {
		t.Run(name, func(t *testing.T) {
			looks := 0
			err := wait(t.Context(), 0, "it", func() (bool, string, error) {
				looks++
				return test.look(looks)
			})
			if looks != test.looks {
				t.Errorf("%d looks, want %d", looks, test.looks)
			}
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := wait(ctx, 1<<62, "it", func() (bool, string, error) { return false, "", nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestTemporary has a server that cannot answer at first.
func TestTemporary(t *testing.T) {
	for name, test := range map[string]struct {
		method    string
		codes     []int // before 200
		want, got int   // the code of the error, 0 for none, and the number of requests
	}{
		"unavailable":                {http.MethodGet, []int{503, 429, 500, 504}, 0, 5},
		"an update that is rejected": {http.MethodPut, []int{429, 503, 409}, 409, 3},
		"an update that failed":      {http.MethodPut, []int{500}, 500, 1},
		"an update without a reply":  {http.MethodPut, []int{504}, 504, 1},
		"not found":                  {http.MethodGet, []int{404}, 404, 1},
	} {
		t.Run(name, func(t *testing.T) {
			requests := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if body, err := io.ReadAll(r.Body); err != nil || string(body) != "body" {
					t.Errorf("the body is %q: %v", body, err)
				}
				requests++
				if requests <= len(test.codes) {
					w.WriteHeader(test.codes[requests-1])
				}
			}))
			defer server.Close()
			client := &Client{server: server.URL, http: server.Client()}
			err := client.do(t.Context(), test.method, "/", "", []byte("body"), nil)
			if code := codeOf(err); code != test.want || requests != test.got {
				t.Errorf("%d after %d requests, want %d after %d", code, requests, test.want, test.got)
			}
		})
	}
}
