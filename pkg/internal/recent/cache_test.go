package recent

import "testing"

// What is asked for while others come stays, what is not is forgotten, and what is larger
// than a generation is not kept.
func TestCache(t *testing.T) {
	c := &Cache[string, int]{Most: 3}
	c.Put("asked", 1, 1)
	c.Put("other", 2, 1)
	c.Put("huge", 3, 4)
	for i := range 20 {
		c.Put(string(rune('a'+i)), i, 2)
		if value, known := c.Get("asked"); !known || value != 1 {
			t.Fatalf("round %d: got %d, %v", i, value, known)
		}
	}
	for _, key := range []string{"other", "huge", "a"} {
		if _, known := c.Get(key); known {
			t.Errorf("%q is kept", key)
		}
	}
	for n, want := range []bool{3: true, 4: false} {
		c.Put("largest", 1, 3) // fills a generation
		for i := range n {
			c.Put(string(rune('A'+i)), i, 1)
		}
		if _, known := c.Get("largest"); n >= 3 && known != want {
			t.Errorf("after %d others the largest is kept: %v", n, known)
		}
	}
	c.Put("asked", 5, 1)
	if value, _ := c.Get("asked"); value != 5 {
		t.Errorf("got %d, want the later one", value)
	}
	if _, known := (*Cache[string, int])(nil).Get("asked"); known {
		t.Error("nothing is kept in nil")
	}
}

// Values that are large for a generation make it larger, up to the limit.
func TestLimit(t *testing.T) {
	c := &Cache[string, int]{Most: 3, Limit: 40}
	for i, size := range []int{1, 8, 9, 7, 41} {
		c.Put(string(rune('a'+i)), i, size)
	}
	for key, want := range map[string]bool{"a": true, "b": true, "c": true, "d": true, "e": false} {
		if _, known := c.Get(key); known != want {
			t.Errorf("%s is kept: %v", key, known)
		}
	}
}
