package preview

import (
	"fmt"
	"testing"
)

// Every variant is in one shard, shards are of about one size, and a new variant moves no
// other.
func TestShardsAreParts(t *testing.T) {
	const variants, of = 10_000, 8
	for i := range variants {
		name := fmt.Sprintf("cluster-%05d", i)
		in := 0
		for index := 1; index <= of; index++ {
			if (&Shard{index, of}).Has(name) {
				in++
			}
		}
		if in != 1 {
			t.Fatalf("%s is in %d shards", name, in)
		}
	}
	for index := 1; index <= of; index++ {
		count := 0
		for i := range variants {
			if (&Shard{index, of}).Has(fmt.Sprintf("cluster-%05d", i)) {
				count++
			}
		}
		if fair := variants / of; count < fair*8/10 || count > fair*12/10 {
			t.Errorf("shard %d has %d variants of %d", index, count, variants)
		}
	}
	if !(*Shard)(nil).Has("x") {
		t.Error("without shards a variant is left out")
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/10": {2, 10}, "10/10": {10, 10}, "0/10": {10, 10}} {
		if got, err := ParseShard(text); err != nil || *got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "2/1", "-1/2", "1/0", "a/b", "1/2/3", "1/20000"} {
		if got, err := ParseShard(text); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}
