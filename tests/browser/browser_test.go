package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The root of the repository, and the program under test.
var root, program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if root, err = filepath.Abs("../.."); err == nil {
			err = watch()
		}
		if err == nil {
			// Other tests build it there, too: Go does not link it again if it is current.
			program = filepath.Join(root, ".cache", "functions", "packfn")
			build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, "./functions/packfn")
			build.Dir, build.Stderr = root, os.Stderr
			err = build.Run()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// watch looks at all that goes into the program and its input, so that go test does not
// take an outcome from its cache when some of it has changed.
func watch() error {
	for _, name := range []string{"go.mod", "go.sum", "functions", "pkg", "examples", "docs"} {
		if err := filepath.WalkDir(filepath.Join(root, name), func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
			return err
		}
	}
	return nil
}

// fleet makes the page of a fleet. It may have packages that are refused.
func fleet(t *testing.T, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fleet.html")
	cmd := exec.Command(program, append([]string{"fleet", "--format", "html", "--output", file}, args...)...)
	cmd.Dir = root
	output, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatalf("%v\n%s", err, output)
	}
	return file
}

// browser is the path of a Chromium. Without one the test is skipped, unless the
// environment requires it.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROME"), "chromium", "chromium-browser", "google-chrome", "chrome", "headless_shell"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	const missing = "there is no Chromium on PATH or in CHROME: the page of packfn fleet is not opened"
	if os.Getenv("REQUIRE_BROWSER") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// view says how a page is opened.
type view struct {
	width, height int64
	dark, noJS    bool
	print         bool
}

// tab is an open page. Its test fails if the page writes to the console, throws, opens
// a dialog, or requests anything.
type tab struct {
	t   *testing.T
	ctx context.Context
}

func open(t *testing.T, file string, v view) *tab {
	t.Helper()
	opened, faults := openFaulty(t, file, v)
	t.Cleanup(func() {
		for _, f := range faults() {
			t.Errorf("the page makes a %s", f)
		}
	})
	return opened
}

// openFaulty opens a page that may have faults, and returns them on request.
func openFaulty(t *testing.T, file string, v view) (*tab, func() []string) {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser(t)), chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	address := "file://" + file
	var mutex sync.Mutex
	var faults []string
	fault := func(format string, args ...any) {
		mutex.Lock()
		defer mutex.Unlock()
		faults = append(faults, fmt.Sprintf(format, args...))
	}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			fault("console.%s", e.Type)
		case *runtime.EventExceptionThrown:
			fault("exception: %s", e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			fault("log: %s", e.Entry.Text)
		case *page.EventJavascriptDialogOpening:
			fault("dialog: %s", e.Message)
		case *network.EventRequestWillBeSent:
			if without, _, _ := strings.Cut(e.Request.URL, "#"); without != address {
				fault("request: %s", e.Request.URL)
			}
		}
	})
	opened := &tab{t, ctx}
	scheme, media := "light", "screen"
	if v.dark {
		scheme = "dark"
	}
	if v.print {
		media = "print"
	}
	opened.run(
		network.Enable(), log.Enable(),
		emulation.SetDeviceMetricsOverride(v.width, v.height, 1, false),
		emulation.SetEmulatedMedia().WithMedia(media).WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		emulation.SetScriptExecutionDisabled(v.noJS),
		chromedp.Navigate(address),
	)
	return opened, func() []string {
		mutex.Lock()
		defer mutex.Unlock()
		return slices.Clone(faults)
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// eval returns the value of a JavaScript expression.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	var value T
	b.run(chromedp.Evaluate(expression, &value))
	return value
}

// want fails the test unless an expression has a value.
func want[T comparable](b *tab, expression string, wanted T) {
	b.t.Helper()
	if got := eval[T](b, expression); got != wanted {
		b.t.Errorf("%s: got %v, want %v", expression, got, wanted)
	}
}

// click clicks the middle of the first element that a selector finds, which nothing may
// cover. What was done before can still scroll the page, as the jump to a fragment does, so
// the element is clicked when two frames show it at the same place, and again if the click
// did not reach it.
func (b *tab) click(selector string) {
	b.t.Helper()
	place := fmt.Sprintf(`(async () => {
		const e = document.querySelector(%q), frame = () => new Promise(requestAnimationFrame);
		if (!e) return [];
		let x, y, before;
		do {
			before = [x, y].join();
			e.scrollIntoView({ block: "center" });
			await frame();
			const r = e.getClientRects()[0];
			if (!r) return [];
			x = r.x + r.width / 2;
			y = r.y + r.height / 2;
		} while ([x, y].join() !== before);
		const top = document.elementFromPoint(x, y);
		if (!e.contains(top) && !top.contains(e)) return [];
		window.clicked = false;
		document.addEventListener("click", (c) => { window.clicked = c.target === top; }, { capture: true, once: true });
		return [x, y];
	})()`, selector)
	for range 3 {
		var at []float64
		b.run(chromedp.Evaluate(place, &at, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
		if len(at) != 2 {
			b.t.Fatalf("%s is not there, or covered", selector)
		}
		b.run(chromedp.MouseClickXY(at[0], at[1]))
		if eval[bool](b, `window.clicked`) {
			return
		}
	}
	b.t.Fatalf("no click reaches %s", selector)
}

// shoot takes a picture of the window, into the folder that SHOTS names, if any.
func (b *tab) shoot(name string) []byte {
	b.t.Helper()
	var picture []byte
	b.run(chromedp.CaptureScreenshot(&picture))
	if dir := os.Getenv("SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
	return picture
}
