package registry

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

var (
	errSilent = errors.New("the registry has not answered in time; try again later")
	errSlow   = errors.New("all answers of the registry take longer than the limit")
)

// watched ends a request to a registry that sends nothing for some time. When that
// time has passed, it releases the resources of the request.
// silence is the longest time without a byte.
type watched struct{ silence time.Duration }

// RoundTrip sends a request, and watches the body of its response.
func (w *watched) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, end := context.WithCancelCause(request.Context())
	timer := time.AfterFunc(w.silence, func() { end(errSilent) })
	response, err := http.DefaultTransport.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return nil, cause(ctx, err)
	}
	response.Body = &watchedBody{response.Body, ctx, timer, w.silence}
	return response, nil
}

// cause is the reason why a request ended, else its error.
func cause(ctx context.Context, err error) error {
	if reason := context.Cause(ctx); err != nil && (errors.Is(reason, errSilent) || errors.Is(reason, errSlow)) {
		return reason
	}
	return err
}

// watchedBody is a body that must not be silent for too long.
type watchedBody struct {
	io.ReadCloser
	ctx     context.Context
	timer   *time.Timer
	silence time.Duration
}

// Read reads, and starts the time again.
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.timer.Reset(b.silence)
	return n, cause(b.ctx, err)
}

// checkRedirect refuses to go on without encryption, and round in circles.
func checkRedirect(next *http.Request, before []*http.Request) error {
	if len(before) >= 10 {
		return errors.New("the registry redirects more than 10 times")
	}
	if before[0].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return errors.New("the registry redirects to a connection that is not encrypted")
	}
	return nil
}
