package engine

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"hash/fnv"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
)

// clock is what templates take for the time.
var clock = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// steady are the functions of templates that give another result each time, with the same
// one always. Keys and certificates are marked texts: what has them must not be deployed.
var steady = functions()

// functions returns replacements for functions of templates whose results differ from run to run.
func functions() template.FuncMap {
	all := template.FuncMap{
		"now":       func() time.Time { return clock },
		"ago":       ago,
		"uuidv4":    func() string { return "00000000-0000-4000-8000-000000000000" },
		"shuffle":   func(text string) string { return text },
		"randInt":   func(least, most int) int { return least },
		"randBytes": func(n int) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("x"), max(n, 0))) },
		"bcrypt":    bcrypt,
		"htpasswd":  htpasswd,
		"encryptAES": func(_, text string) string {
			return base64.StdEncoding.EncodeToString([]byte(placeholder("AES", text)))
		},
		"genPrivateKey": func(kind string) string { return placeholder("PRIVATE KEY", kind) },
		"keys":          keys,
		"values":        sortedValues,
	}
	for _, name := range []string{"randAlpha", "randAlphaNum", "randNumeric", "randAscii"} {
		digit := map[bool]string{true: "1", false: "x"}[name == "randNumeric"]
		all[name] = func(n int) string { return strings.Repeat(digit, max(n, 0)) }
	}
	for _, name := range []string{"genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey"} {
		all[name] = func(name string, args ...any) certificate { return certificateOf(name) }
	}
	addOriginals(all)
	return all
}

// addOriginals adds functions that behave like the functions of sprig, except where those read
// the clock or reject a marked placeholder.
func addOriginals(all template.FuncMap) {
	original := sprig.TxtFuncMap()
	build := reflect.ValueOf(original["buildCustomCert"])
	all["buildCustomCert"] = func(cert, key string) (any, error) {
		if isPlaceholder(cert) {
			return certificateOf(cert), nil
		}
		results := build.Call([]reflect.Value{reflect.ValueOf(cert), reflect.ValueOf(key)})
		err, _ := results[1].Interface().(error)
		return results[0].Interface(), err
	}
	date := original["date"].(func(string, any) string)
	all["date"] = func(layout string, at any) string { return date(layout, timed(at)) }
	htmlDate := original["htmlDate"].(func(any) string)
	all["htmlDate"] = func(at any) string { return htmlDate(timed(at)) }
	inZone := original["dateInZone"].(func(string, any, string) string)
	all["dateInZone"] = func(layout string, at any, zone string) string { return inZone(layout, timed(at), zone) }
	all["date_in_zone"] = all["dateInZone"]
	htmlInZone := original["htmlDateInZone"].(func(any, string) string)
	all["htmlDateInZone"] = func(at any, zone string) string { return htmlInZone(timed(at), zone) }
}

// timed returns what sprig does not take for the present.
func timed(at any) any {
	switch at.(type) {
	case time.Time, *time.Time, int64, int, int32:
		return at
	}
	return clock
}

// ago is sprig's, from the constant time.
func ago(at any) string {
	switch at := at.(type) {
	case time.Time:
		return clock.Sub(at).Round(time.Second).String()
	case int64:
		return clock.Sub(time.Unix(at, 0)).Round(time.Second).String()
	case int:
		return clock.Sub(time.Unix(int64(at), 0)).Round(time.Second).String()
	}
	return "0s"
}

func bcrypt(text string) string { return "$2a$10$" + mark(text) }

func htpasswd(name, password string) string { return name + ":" + bcrypt(password) }

// certificate has the fields that templates read.
// Cert and Key are texts in the PEM format.
type certificate struct{ Cert, Key string }

// certificateOf returns marked texts in the places of a certificate and its key, the same ones at each
// run.
func certificateOf(name string) certificate {
	return certificate{placeholder("CERTIFICATE", name), placeholder("PRIVATE KEY", name)}
}

// marked begins the content of keys and certificates.
const marked = "packfn template: not a key "

// isPlaceholder reports whether a text in Base64 is a placeholder.
func isPlaceholder(encoded string) bool {
	text, _ := base64.StdEncoding.DecodeString(encoded)
	block, _ := pem.Decode(text)
	return block != nil && strings.HasPrefix(string(block.Bytes), marked)
}

// placeholder looks like a key or a certificate, and is none.
func placeholder(kind, of string) string {
	text := base64.StdEncoding.EncodeToString([]byte(marked + mark(of)))
	return fmt.Sprintf("-----BEGIN %s-----\n%s\n-----END %s-----\n", kind, text, kind)
}

// mark differs for other texts, and does not tell them.
func mark(text string) string {
	sum := fnv.New64a()
	sum.Write([]byte(text))
	return fmt.Sprintf("%016x", sum.Sum64())
}

// keys and sortedValues are in order: sprig has the random order of Go.
func keys(dicts ...map[string]any) []string {
	all := []string{}
	for _, dict := range dicts {
		all = append(all, slices.Sorted(maps.Keys(dict))...)
	}
	return all
}

// sortedValues is sprig's values, in the order of the keys.
func sortedValues(dict map[string]any) []any {
	all := []any{}
	for _, key := range slices.Sorted(maps.Keys(dict)) {
		all = append(all, dict[key])
	}
	return all
}
