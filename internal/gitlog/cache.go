package gitlog

// cache holds values in two generations, each up to a cost of limit: when the young generation is full it becomes the
// old one, and the old one is dropped. A value that is used moves to the young generation.
type cache[K comparable, V interface{ cost() int }] struct {
	limit      int
	used       int // cost of the young generation
	young, old map[K]V
}

func (c *cache[K, V]) get(k K) (V, bool) {
	v, ok := c.young[k]
	if !ok {
		if v, ok = c.old[k]; ok {
			c.put(k, v)
		}
	}
	return v, ok
}

func (c *cache[K, V]) put(k K, v V) {
	cost := v.cost()
	if cost > c.limit {
		return
	}
	if c.used+cost > c.limit {
		c.old, c.young, c.used = c.young, nil, 0
	}
	if c.young == nil {
		c.young = make(map[K]V)
	}
	c.young[k] = v
	c.used += cost
}
