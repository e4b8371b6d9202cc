package function

import (
	"bytes"
	"encoding/json"
)

// flowText returns the flow mapping that an item consists of, nil when it is in
// block style.
func flowText(item []byte) []byte {
	text := bytes.TrimLeft(item, " ")
	if len(text) == 0 || text[0] != '-' {
		return nil
	}
	if text = bytes.Trim(text[1:], " \n"); len(text) == 0 || text[0] != '{' {
		return nil
	}
	return text
}

// lookAtJSON reads the head of an item that may be JSON. Anything else in flow
// style leaves a doubt.
func lookAtJSON(text []byte) head {
	if !json.Valid(text) {
		return head{doubt: true}
	}
	return headOfJSON(text)
}

// headOfJSON reads the head of an item that is JSON. Escapes leave a doubt. Of
// a key that stands twice the first counts, as in field.
func headOfJSON(text []byte) head {
	var h head
	var metadata, annotations []byte
	ok := jsonPick(text, []string{"apiVersion", "kind", "metadata"}, func(n int, value []byte) (ok bool) {
		switch n {
		case 0:
			h.apiVersion, ok = jsonScalar(value)
		case 1:
			h.kind, ok = jsonScalar(value)
		default:
			metadata, ok = value, true
		}
		return ok
	})
	if ok && len(metadata) > 0 && metadata[0] == '{' {
		ok = jsonPick(metadata, []string{"name", "namespace", "annotations"}, func(n int, value []byte) (ok bool) {
			switch n {
			case 0:
				h.name, ok = jsonScalar(value)
			case 1:
				h.namespace, ok = jsonScalar(value)
			default:
				annotations, ok = value, true
			}
			return ok
		})
	}
	if !ok {
		return head{doubt: true}
	}
	if len(annotations) > 0 && annotations[0] == '{' {
		h.annotations = annotations
	}
	return h
}

// jsonPick calls take with the number and the value of each of the keys that it
// finds in an object, and looks no further than the last of them. It reports
// false when take does, or when a key is escaped and may be any.
func jsonPick(object []byte, keys []string, take func(n int, value []byte) bool) bool {
	ok, found := true, 0
	met := make([]bool, len(keys))
	jsonMembers(object, func(key []byte, value span) bool {
		ok = bytes.IndexByte(key, '\\') < 0
		for n, wanted := range keys {
			if string(key) == wanted && !met[n] {
				met[n] = true
				found++
				ok = take(n, value.of(object))
			}
		}
		return ok && found < len(keys)
	})
	return ok
}

// jsonScalar is what scalarField returns for a value. It is not ok when that
// needs decoding.
func jsonScalar(value []byte) (text string, ok bool) {
	switch {
	case value[0] == '"':
		return string(value[1 : len(value)-1]), bytes.IndexByte(value, '\\') < 0
	case value[0] == '{', value[0] == '[', string(value) == "null":
		return "", true
	}
	return string(value), true
}

// jsonAnnotation is annotation for annotations that are JSON.
func jsonAnnotation(notes []byte, key string) (found string, ok bool) {
	ok = jsonMembers(notes, func(k []byte, value span) bool {
		if bytes.IndexByte(k, '\\') >= 0 {
			return false
		}
		if string(k) != key {
			return true
		}
		text := value.of(notes)
		if text[0] != '"' || found != "" {
			return false
		}
		found, ok = jsonScalar(text)
		return ok
	})
	return found, ok
}
