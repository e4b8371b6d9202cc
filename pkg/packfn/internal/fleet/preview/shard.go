package preview

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Shard is a part of a fleet: the Index-th of Of parts, starting at 1. The hash of a variant's
// name determines the shard that computes it, so a new variant does not move others to another
// shard.
type Shard struct {
	// Index is the number of the shard, from 1 to Of.
	Index int `json:"index"`
	// Of is the number of shards.
	Of int `json:"of"`
}

// mostShards is the maximum number of shards.
const mostShards = 10_000

// ParseShard parses I/N, such as 2/10. Shard 0 is an alias of the last one, for CI systems that
// count from 0.
//
// Every package of a fleet is in one of the N shards, and [Merge] joins their previews.
func ParseShard(text string) (*Shard, error) {
	index, of, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, errOf := strconv.Atoi(of)
	switch {
	case !ok || err != nil || errOf != nil:
		return nil, fmt.Errorf("must be I/N, such as 2/10, got %q", text)
	case n < 1 || n > mostShards:
		return nil, fmt.Errorf("must be 1 to %s shards, got %d", number(mostShards), n)
	case i < 0 || i > n:
		return nil, fmt.Errorf("must be shard 1 to %d of %d, got %d", n, n, i)
	case i == 0:
		i = n
	}
	return &Shard{i, n}, nil
}

// Has reports whether the shard computes a variant. A nil shard computes all variants.
func (s *Shard) Has(variant string) bool {
	if s == nil {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(variant))
	return int(h.Sum64()%uint64(s.Of)) == s.Index-1
}

// isWhole reports whether the numbers of a shard are valid.
func (s *Shard) isWhole() bool { return s.Index >= 1 && s.Index <= s.Of && s.Of <= mostShards }

func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// checkShards returns an error unless the shards together are exactly one whole fleet.
func checkShards(shards []Shard) error {
	slices.SortFunc(shards, func(a, b Shard) int { return a.Index - b.Index })
	of := shards[0].Of
	for _, s := range shards {
		if s.Of != of {
			return fmt.Errorf("shard %s is not one of %d", s.String(), of)
		}
	}
	var missing []string
	at := 0
	for index := 1; index <= of; index++ {
		if at < len(shards) && shards[at].Index == index {
			at++
			if at < len(shards) && shards[at].Index == index {
				return fmt.Errorf("shard %d/%d is given twice", index, of)
			}
			continue
		}
		missing = append(missing, fmt.Sprintf("%d/%d", index, of))
	}
	if len(missing) > 0 {
		return fmt.Errorf("no shard %s", some(missing, fewNames))
	}
	return nil
}
