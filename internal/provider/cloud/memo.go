package cloud

import (
	"sync"
)

// memos are answers that several resource types share, such as IAM's one listing of roles with their policies.
type memos struct {
	mu      sync.Mutex
	answers map[string]*memo
}

type memo struct {
	once  sync.Once
	value any
	err   error
}

// Memo returns what load returned for this name in this session's region, calling it at most once until Forget. Callers
// that come while it runs wait for it. An error is returned to all who waited, and not kept.
func Memo[T any](s *Session, name string, load func() (T, error)) (T, error) {
	key := s.Region + " " + name
	all := &s.shared.memos
	all.mu.Lock()
	m, ok := all.answers[key]
	if !ok {
		m = &memo{}
		if all.answers == nil {
			all.answers = map[string]*memo{}
		}
		all.answers[key] = m
	}
	all.mu.Unlock()
	m.once.Do(func() { m.value, m.err = load() })
	if m.err != nil {
		all.mu.Lock()
		if all.answers[key] == m {
			delete(all.answers, key)
		}
		all.mu.Unlock()
	}
	value, _ := m.value.(T)
	return value, m.err
}

// Forget drops every memo: something was written, so that what was read may be out of date.
func (s *Session) Forget() {
	s.shared.memos.mu.Lock()
	defer s.shared.memos.mu.Unlock()
	clear(s.shared.memos.answers)
}
