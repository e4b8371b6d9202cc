package recent

import "sync"

// Cache has two generations of values: it forgets the values that nobody asks for
// while the younger generation fills. It is safe for concurrent use, and a nil
// Cache keeps nothing.
type Cache[K comparable, V any] struct {
	// Most is the size of a generation. It grows to four times the size of the largest value, up to
	// Limit. A value that is larger than Most then is not kept.
	Most, Limit int

	// mutex guards the other fields.
	mutex sync.Mutex
	// young and old are the generations, and size is the size of the young one.
	young, old map[K]entry[V]
	size       int
}

// entry is a value with its size.
type entry[V any] struct {
	value V
	size  int
}

// Get returns the value of a key, if it is kept.
func (c *Cache[K, V]) Get(key K) (value V, known bool) {
	if c == nil {
		return value, false
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	e, known := c.young[key]
	if !known {
		if e, known = c.old[key]; known {
			c.add(key, e)
		}
	}
	return e.value, known
}

// Put keeps a value of a size. It replaces an earlier one, whose size counts until it is
// forgotten.
func (c *Cache[K, V]) Put(key K, value V, size int) {
	if c == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.Most = max(c.Most, min(4*size, c.Limit))
	if size > c.Most {
		return
	}
	c.add(key, entry[V]{value, size})
}

// add adds a value to the young generation. If that is full, it becomes the old one.
func (c *Cache[K, V]) add(key K, e entry[V]) {
	if c.young == nil || c.size+e.size > c.Most {
		c.young, c.old, c.size = map[K]entry[V]{}, c.young, 0
	}
	c.young[key] = e
	c.size += e.size
}
