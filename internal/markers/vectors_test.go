package markers

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// vectors is what the reference implementation of the contract does on several hundred inputs.
type vectors struct {
	Escape []struct {
		Address, Tag    string
		Chars           int
		Fits, Roundtrip bool
		TagsNeeded      int     `json:"tags_needed"`
		UnescapesTo     *string `json:"unescapes_to"`
		ValidMarker     bool    `json:"valid_marker"`
		LegacyTag       *string `json:"legacy_tag"`
	}
	Unescape []struct {
		Address     *string
		Canonical   *bool
		EscapeOfTag string `json:"escape_of_tag_itself"`
		Tag         string
		ValidMarker bool `json:"valid_marker"`
	}
	ForEachKey []struct {
		Key              string
		Valid            bool
		Escaped          *string
		EscapedIfForced  *string `json:"escaped_if_forced"`
		Tag              string
		RenderedAddress  string `json:"rendered_address"`
		DecodedAddress   string `json:"decoded_address"`
		AddressRoundtrip bool   `json:"address_roundtrip"`
		RoundtripKey     bool   `json:"roundtrip_key"`
		NeedsHexLayer    bool   `json:"needs_hex_layer"`
		ValidMarker      bool   `json:"valid_marker"`
	} `json:"for_each_key"`
	ForEachKeyASCII []struct {
		Key     string
		Valid   bool
		Escaped *string
	} `json:"for_each_key_ascii"`
	Estate []struct {
		Name  string
		Valid bool
	}
	Slot []struct {
		Value string
		Valid bool
		N     uint32
	}
	Continuation []struct {
		Address, Decoded     string
		ChunkBytes           []int `json:"chunk_bytes"`
		ChunkChars           []int `json:"chunk_chars"`
		Corrupt, Fits        bool
		DecodedEqualsAddress bool `json:"decoded_equals_address"`
		EscapedChars         int  `json:"escaped_chars"`
		GathersBack          bool `json:"gathers_back"`
		Tags                 map[string]string
	}
	Malformed []struct {
		Addressable, Malformed bool
		ChainCorrupt           bool `json:"chain_corrupt"`
		Gathered, Normalized   string
		Tags                   map[string]string
		Why                    string
	}
	LegacyMatch []struct {
		Declared, Observed, Note string
		Matches                  bool
	} `json:"legacy_match"`
	Classify []struct {
		Declared        []string
		Estate          string
		IdentityVerdict string `json:"identity_path_verdict"`
		ListVerdict     string `json:"list_path_verdict"`
		LiveType        string `json:"live_type"`
		Tags            map[string]string
	}
	SlotBinding []slotVector `json:"slot_binding"`
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/markers.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// exceptions are the vectors that we differ from on purpose, by input, with the reason. Each must be met, and
// must really differ.
type exceptions map[string]string

// check compares one outcome with the vector's, and wants them to differ where the input is excepted.
func (e exceptions) check(t *testing.T, met map[string]bool, input string, agrees bool, got, want any) {
	t.Helper()
	if why, ok := e[input]; ok {
		met[input] = true
		if agrees {
			t.Errorf("%.80q: agrees with the vector (%v), so it is no exception: %s", input, want, why)
		}
		return
	}
	if !agrees {
		t.Errorf("%.80q: got %v, want %v", input, got, want)
	}
}

func (e exceptions) allMet(t *testing.T, met map[string]bool) {
	t.Helper()
	for input := range e {
		if !met[input] {
			t.Errorf("no vector has the excepted input %.80q", input)
		}
	}
}

func ks(n int) string { return strings.Repeat("k", n) }

// unescaped is Unescape with the vectors' null.
func unescaped(value string) *string {
	if text, ok := Unescape(value); ok {
		return &text
	}
	return nil
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func show(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}
