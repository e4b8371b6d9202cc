package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// requiringList is a ResourceList of packs of which each requires two others that are
// there.
func requiringList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			fmt.Fprintf(out, `    pack.json: |
      %s
`, requiringPack(n, packs))
		}
		return out.Flush()
	}
}

// requiringTexts is the pack.json of these packs, as parse-packs reads them.
func requiringTexts(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for n := range packs {
			fmt.Fprint(out, requiringPack(n, packs), "\x00")
		}
		return out.Flush()
	}
}

// requiringPack is the pack.json of one of the packs, on one line.
func requiringPack(n, packs int) string {
	requires := func(other int) string {
		return fmt.Sprintf(`{"packName": "pack-%04d", "layer": "addon", "minVersion": "1.%d", "maxVersion": "1.%d", "type": "required"}`, other%packs, n%4, 20+n%20)
	}
	return fmt.Sprintf(`{"name": "pack-%04d", "displayName": "Pack %d", "version": "1.4.%d", "layer": "addon", "constraints": {"dependencies": [%s, %s]}}`, n, n, n%20, requires(n+1), requires(n*7+3))
}

// withResources is the resources of a list and further texts, as parse-packs reads them:
// what any program must parse that checks these texts.
func withResources(list, texts func(packs int) func(io.Writer) error) func(packs int) func(io.Writer) error {
	return func(packs int) func(io.Writer) error {
		return func(w io.Writer) error {
			var all bytes.Buffer
			if err := list(packs)(&all); err != nil {
				return err
			}
			_, items, _ := bytes.Cut(all.Bytes(), []byte("\nitems:\n"))
			for i, item := range bytes.Split(items, []byte("\n- apiVersion")) {
				if i > 0 {
					item = append([]byte("- apiVersion"), item...)
				}
				if _, err := w.Write(append(item, "\n\x00"...)); err != nil {
					return err
				}
			}
			return texts(packs)(w)
		}
	}
}
