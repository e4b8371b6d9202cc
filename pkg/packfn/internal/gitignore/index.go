package gitignore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// maxNames is the maximum total size of the names in an index. In version 4 of the format, names
// are prefix-compressed, so they may be far larger than the file.
const maxNames = 64 << 20

var errIndex = errors.New("it is not an index that packfn reads")

// index are the sorted names of the files in the index of a repository.
type index []string

// readIndex reads an index of git. go-git's reader panics at some indexes of version 4, and reads none with
// names of more than 4,095 bytes or SHA-256; of an index only the names are needed:
//
//	DIRC version count
//	40 bytes of times and modes, the hash, flags with the length, the name, zeros   # an entry
//	TREE size …                                                                     # extensions
//	hash of the file
func readIndex(text []byte) (index, error) {
	for _, size := range []int{20, 32} { // SHA-1, SHA-256
		if names, ok := readNames(text, size); ok {
			if !slices.IsSorted(names) {
				slices.Sort(names)
			}
			return names, nil
		}
	}
	return nil, errIndex
}

const (
	headSize    = 12
	modesSize   = 40
	isExtended  = 1 << 14
	lengthFlags = 1<<12 - 1
)

// readNames reads an index with hashes of a size.
func readNames(text []byte, hash int) (names index, ok bool) {
	if len(text) < headSize+hash || string(text[:4]) != "DIRC" {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(text[4:]), binary.BigEndian.Uint32(text[8:])
	if version < 2 || version > 4 {
		return nil, false
	}
	end, total := len(text)-hash, 0
	at, before := headSize, ""
	for range count {
		begin := at
		if at += modesSize + hash + 2; at > end {
			return nil, false
		}
		flags := binary.BigEndian.Uint16(text[at-2:])
		if flags&isExtended != 0 && version > 2 {
			at += 2
		}
		kept := ""
		if version == 4 {
			drop, width := offset(text[min(at, end):end])
			if width == 0 || drop > len(before) {
				return nil, false
			}
			at += width
			kept = before[:len(before)-drop]
		}
		size := bytes.IndexByte(text[min(at, end):end], 0)
		if size < 0 {
			return nil, false
		}
		if total += len(kept) + size; total > maxNames {
			return nil, false
		}
		name := kept + string(text[at:at+size])
		if length := int(flags & lengthFlags); length != lengthFlags && length != len(name) {
			return nil, false
		}
		if at += size + 1; version < 4 {
			at = begin + (at-begin+7)/8*8
		}
		names, before = append(names, name), name
	}
	return names, at <= end && hasWholeExtensions(text[at:end])
}

// offset reads a number of version 4, and how long it is: 0 if it is not one.
func offset(text []byte) (n, width int) {
	for i, c := range text[:min(len(text), 4)] {
		if n = n<<7 | int(c&0x7f); c&0x80 == 0 {
			return n, i + 1
		}
		n++
	}
	return 0, 0
}

// hasWholeExtensions reports whether the extensions can be skipped. An extension that does not
// begin with a capital letter must be understood: `link` means that names are in another file,
// and `sdir` marks a sparse index, whose names include directories that are not checked out.
func hasWholeExtensions(text []byte) bool {
	for len(text) > 0 {
		if len(text) < 8 {
			return false
		}
		name, size := string(text[:4]), uint64(binary.BigEndian.Uint32(text[4:]))
		if isCapital := 'A' <= name[0] && name[0] <= 'Z'; !isCapital && name != "sdir" || size > uint64(len(text)-8) {
			return false
		}
		text = text[8+size:]
	}
	return true
}

// holds reports whether a file, or anything in a directory, is in the index. A submodule is there as a
// file.
func (names index) holds(name string, isDir bool) bool {
	if _, found := slices.BinarySearch(names, name); found || !isDir {
		return found
	}
	below := name + "/"
	i, _ := slices.BinarySearch(names, below)
	return i < len(names) && strings.HasPrefix(names[i], below)
}
