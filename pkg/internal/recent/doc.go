// Package recent keeps values that were used shortly before.
//
// A new value is put into the young generation. If that is full, it becomes the old generation, and
// the old one is forgotten. A value that is found in the old generation moves to the young one, so
// that a value in use is never forgotten.
//
//	parsed := recent.Cache[string, *schema.Schema]{Most: 1 << 20, Limit: 8 << 20}
//	parsed.Put(text, s, len(text))
package recent
