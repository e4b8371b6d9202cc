// Package browser opens the page of packfn fleet in a headless Chromium.
package browser
