package values

import (
	"sync"
	"sync/atomic"
)

// KeepRecent makes [Parse] return the same document again for a text that it has read
// shortly before: documents are immutable. It suits programs that read one resource in
// many steps, such as the preview of a fleet. Programs that read each text once only pay
// its memory: trees take about 20 times the bytes of their texts.
//
// bytes bounds the texts whose documents are kept; 0 keeps none, which is the default.
func KeepRecent(bytes int) {
	if bytes == 0 {
		recent.Store(nil)
		return
	}
	recent.Store(&cache{most: bytes / 2})
}

var recent atomic.Pointer[cache]

// cache has two generations of documents by their texts: what is not asked for while the
// younger one fills is forgotten.
type cache struct {
	mutex      sync.Mutex
	young, old map[string]*Document
	size, most int // of the texts of a generation, in bytes
}

func (c *cache) get(text string) *Document {
	if c == nil {
		return nil
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if d := c.young[text]; d != nil {
		return d
	}
	d := c.old[text]
	if d != nil {
		c.add(d)
	}
	return d
}

func (c *cache) put(d *Document) {
	if c == nil || len(d.text) > c.most {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.young[d.text] == nil {
		c.add(d)
	}
}

func (c *cache) add(d *Document) {
	if c.young == nil || c.size+len(d.text) > c.most {
		c.old, c.young, c.size = c.young, map[string]*Document{}, 0
	}
	c.young[d.text] = d
	c.size += len(d.text)
}
