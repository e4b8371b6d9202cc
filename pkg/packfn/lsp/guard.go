package lsp

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"
)

// withGuard makes a panic of a method its error: the server goes on, whatever a buffer holds.
func withGuard(methods handler.Map) handler.Map {
	all := handler.Map{}
	for name, method := range methods {
		all[name] = func(ctx context.Context, request *jrpc2.Request) (answer any, err error) {
			defer func() {
				if fault := recover(); fault != nil {
					err = fmt.Errorf("%s: packfn has failed, which is a fault of packfn: %v\n%s", name, fault, debug.Stack())
				}
			}()
			return method(ctx, request)
		}
	}
	return all
}
