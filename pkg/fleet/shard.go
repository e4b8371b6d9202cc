package fleet

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Shard is a part of a fleet: the Index-th of several, from 1 on. The hash of a
// variant's name says which shard computes it, so that a new variant moves no other.
type Shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// mostShards bounds the number of shards.
const mostShards = 10_000

// ParseShard reads I/N.
func ParseShard(text string) (*Shard, error) {
	index, of, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, errOf := strconv.Atoi(of)
	switch {
	case !ok || err != nil || errOf != nil:
		return nil, fmt.Errorf("got %q; want I/N, such as 2/10", text)
	case n < 1 || n > mostShards:
		return nil, fmt.Errorf("got %d shards; want 1 to %s", n, number(mostShards))
	case i < 1 || i > n:
		return nil, fmt.Errorf("got shard %d of %d; want 1 to %d", i, n, n)
	}
	return &Shard{i, n}, nil
}

// has reports whether the shard computes a variant. Without a shard all are computed.
func (s *Shard) has(variant string) bool {
	if s == nil {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(variant))
	return int(h.Sum64()%uint64(s.Of)) == s.Index-1
}

func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }
