package helm

import (
	"io"
	"log"
	"log/slog"
)

// quiet drops what Helm logs.
func quiet() {
	log.SetOutput(io.Discard)
	slog.SetDefault(slog.New(slog.DiscardHandler))
}
