package functiontest

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Misspellings returns slips of a name: a letter left out, doubled, swapped with the next, and
// the one beside it on the keyboard, in the middle; the wrong case, singular and plural, and
// .yml for .yaml. Names of less than four letters have none, because most of their slips are
// other words.
func Misspellings(name string) []string { return misspellings(name, false) }

// AllMisspellings is [Misspellings] with a slip at each letter.
func AllMisspellings(name string) []string { return misspellings(name, true) }

// misspellings returns slips of a name: letter case, a letter too many, one too few, or two swapped.
func misspellings(name string, isEach bool) []string {
	stem, extension := name, ""
	if dot := strings.LastIndexByte(name, '.'); dot > 0 && !strings.Contains(name, "/") {
		stem, extension = name[:dot], name[dot:]
	}
	if len(stem) < 4 {
		return nil
	}
	all := []string{
		strings.ToUpper(stem[:1]) + stem[1:] + extension,
		strings.ToLower(stem) + extension,
		strings.TrimSuffix(stem, "s") + extension,
		stem + "s" + extension,
	}
	if strings.HasSuffix(name, ".yaml") {
		all = append(all, stem+".yml")
	}
	from, to := len(stem)/2, len(stem)/2+1
	if isEach {
		from, to = 0, len(stem)
	}
	for i := from; i < to; i++ {
		all = append(all, stem[:i]+stem[i+1:]+extension, stem[:i]+stem[i:i+1]+stem[i:]+extension)
		if i+1 < len(stem) {
			all = append(all, stem[:i]+stem[i+1:i+2]+stem[i:i+1]+stem[i+2:]+extension)
		}
		if beside := besideOnKeyboard(stem[i]); beside != "" {
			all = append(all, stem[:i]+beside+stem[i+1:]+extension)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(slip string) bool { return slip == name })
}

// besideOnKeyboard returns the letter beside another one, or "" for other characters.
func besideOnKeyboard(letter byte) string {
	const row = "qwertyuiopo asdfghjklk zxcvbnmn"
	if at := strings.IndexByte(row, letter|0x20); at >= 0 && letter|0x20 >= 'a' && letter|0x20 <= 'z' {
		return string(row[at+1] - 0x20 + letter&0x20)
	}
	return ""
}

// Sample returns a value that fills a type that YAML is decoded into, every field of it.
// Maps have one key, which is free.
func Sample(t reflect.Type) any { return sample(t, "") }

// sample returns a value that a type can be decoded from.
func sample(t reflect.Type, tag reflect.StructTag) any {
	if t == reflect.TypeFor[*yaml.Node]() {
		return "text"
	}
	switch t.Kind() {
	case reflect.Map:
		return map[string]any{"any": "x"}
	case reflect.Pointer:
		return sample(t.Elem(), tag)
	case reflect.Struct:
		all := map[string]any{}
		for i := range t.NumField() {
			field := t.Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			switch {
			case field.Anonymous && name == "":
				maps.Copy(all, sample(field.Type, "").(map[string]any))
			case name != "" && name != "-":
				all[name] = sample(field.Type, field.Tag)
			}
		}
		return all
	case reflect.Slice:
		return []any{sample(t.Elem(), tag)}
	case reflect.Bool:
		return true
	case reflect.Int, reflect.Int64:
		return 1
	}
	first, _, _ := strings.Cut(tag.Get("enum"), ",")
	if first == "" {
		first = "text"
	}
	return first
}

// Renamed calls check with the content of a value once for each misspelling of each key
// in it, and with the key and its slip.
func Renamed(value any, check func(changed any, key, slip string)) {
	renamed(value, func(changed any) any { return changed }, check)
}

// renamed calls check with a copy of a value for each slip of each of its keys.
func renamed(value any, whole func(any) any, check func(changed any, key, slip string)) {
	switch v := value.(type) {
	case []any:
		for i := range v {
			renamed(v[i], func(changed any) any {
				all := slices.Clone(v)
				all[i] = changed
				return whole(all)
			}, check)
		}
	case map[string]any:
		for key, child := range v {
			renamed(child, func(changed any) any {
				all := maps.Clone(v)
				all[key] = changed
				return whole(all)
			}, check)
			for _, slip := range Misspellings(key) {
				if _, taken := v[slip]; taken {
					continue
				}
				all := maps.Clone(v)
				delete(all, key)
				all[slip] = child
				check(whole(all), key, slip)
			}
		}
	}
}
