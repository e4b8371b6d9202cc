package engine

import (
	"io"
	"log/slog"
	"time"

	"github.com/krm-packs/functions/pkg/packfn/internal/child"
)

// Main renders the jobs of standard input until it ends, and returns the exit code.
func Main(in io.Reader, out io.Writer) int {
	time.Local = time.UTC                          // sprig reads the time zone
	slog.SetDefault(slog.New(slog.DiscardHandler)) // Helm logs values
	return child.Serve(in, out, renderJob)
}
