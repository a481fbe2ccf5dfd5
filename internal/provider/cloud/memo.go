package cloud

import (
	"reflect"
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

// Kept returns what a service package remembers of this session's region for as long as the session lives: made by build at
// the first call, one for each type T, and never dropped by Forget. The value guards itself against concurrent use.
func Kept[T any](s *Session, build func() *T) *T {
	key := clientKey{reflect.TypeFor[*T](), s.Region}
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	if v, ok := s.shared.clients[key].(*T); ok {
		return v
	}
	v := build()
	s.shared.clients[key] = v
	return v
}

// Forget drops every memo: something was written, so that what was read may be out of date.
func (s *Session) Forget() {
	s.shared.memos.mu.Lock()
	defer s.shared.memos.mu.Unlock()
	clear(s.shared.memos.answers)
}
