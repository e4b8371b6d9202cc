package foreign

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"strings"
)

// archive is a chart with a name in its fields and entries: files, links, pipes and devices.
// Entries that the format cannot hold are left out.
func archive(fill *strings.Replacer, name string) []byte {
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	out := tar.NewWriter(zipped)
	for _, entry := range []struct {
		tar.Header
		text string
	}{
		{tar.Header{Name: "c/Chart.yaml"}, `name: NAME
version: NAME
dependencies: [{name: NAME, alias: NAME, condition: NAME}]
`},
		{tar.Header{Name: "c/values.yaml"}, `NAME: SECRET
token: SECRET
`},
		{tar.Header{Name: "c/values.schema.json"}, `{"properties": {"token": {"type": "integer", "title": NAME}, NAME: {"const": NAME}}, "required": [NAME]}`},
		{tar.Header{Name: "c/templates/a.yaml"}, "{{ index .Values NAME }}{{ include NAME . }}"},
		{tar.Header{Name: "c/templates/" + name}, "{{ end }}"},
		{tar.Header{Name: "c/charts/" + name + "/Chart.yaml"}, "name: NAME\n"},
		{tar.Header{Name: name}, "SECRET"},
		{tar.Header{Name: "c/link", Typeflag: tar.TypeSymlink, Linkname: "../../outside/canary"}, ""},
		{tar.Header{Name: "c/hard", Typeflag: tar.TypeLink, Linkname: name}, ""},
		{tar.Header{Name: "c/pipe", Typeflag: tar.TypeFifo}, ""},
		{tar.Header{Name: "c/device", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 5}, ""},
	} {
		text := fill.Replace(entry.text)
		entry.Size, entry.Mode = int64(len(text)), 0o600
		if out.WriteHeader(&entry.Header) == nil {
			out.Write([]byte(text))
		}
	}
	out.Close()
	zipped.Close()
	return packed.Bytes()
}
