package durable

import (
	"errors"
	"testing"
)

func TestBudget(t *testing.T) {
	b := NewBudget(10)
	for _, step := range []struct {
		take int64
		want error
	}{{4, nil}, {7, ErrBudget}, {6, nil}, {0, nil}, {1, ErrBudget}} {
		if err := b.Take(step.take); !errors.Is(err, step.want) {
			t.Errorf("Take(%d) = %v, want %v", step.take, err, step.want)
		}
	}
	var none *Budget
	if err := none.Take(1 << 62); err != nil {
		t.Errorf("nil budget: %v", err)
	}
}
