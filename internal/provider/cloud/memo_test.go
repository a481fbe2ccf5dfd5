package cloud

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

func TestMemo(t *testing.T) {
	s := New(aws.Config{}, "111122223333", "eu-west-1")
	calls := 0
	fail := errors.New("denied")
	load := func() (int, error) {
		if calls++; calls == 1 {
			return 0, fail
		}
		return calls, nil
	}
	if _, err := Memo(s, "x", load); !errors.Is(err, fail) {
		t.Fatalf("the error of the first call is lost: %v", err)
	}
	for range 2 {
		if n, err := Memo(s, "x", load); err != nil || n != 2 {
			t.Fatalf("got %d, %v; an error must not be kept, and an answer must", n, err)
		}
	}
	if n, _ := Memo(s.In("us-east-1"), "x", load); n != 3 {
		t.Errorf("another region got %d, the first region's answer", n)
	}
	s.Forget()
	if n, _ := Memo(s, "x", load); n != 4 {
		t.Errorf("after Forget got %d, an old answer", n)
	}
}

func TestKept(t *testing.T) {
	type memory struct{ n int }
	s := New(aws.Config{}, "111122223333", "eu-west-1")
	kept := func(s *Session) *memory { return Kept(s, func() *memory { return &memory{n: 1} }) }
	kept(s).n = 2
	s.Forget()
	if got := kept(s).n; got != 2 {
		t.Errorf("got %d: what is kept was forgotten", got)
	}
	if got := kept(s.In("us-east-1")).n; got != 1 {
		t.Errorf("another region got %d, the first region's value", got)
	}
	if got := kept(New(aws.Config{}, "111122223333", "eu-west-1")).n; got != 1 {
		t.Errorf("another session got %d, the first session's value", got)
	}
}
