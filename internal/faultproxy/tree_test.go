package faultproxy

import "testing"

func TestTreeKeepsDocuments(t *testing.T) {
	for _, tt := range []struct {
		name     string
		protocol protocol
		in, out  string // out is "" for what is no document
	}{
		{"XML", s3XML, `<?xml version="1.0"?><a xmlns="u" xmlns:x="v"> ` +
			`<x:b x:t="&quot;q&quot;">1 &amp; 2</x:b><c/> <d> </d></a>` + "\n",
			"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
				`<a xmlns="u" xmlns:x="v"><x:b x:t="&#34;q&#34;">1 &amp; 2</x:b><c></c><d> </d></a>`},
		{"cut XML", ec2Query, `<a><b>`, ""},
		{"crossed XML", ec2Query, `<a><b></a></b>`, ""},
		{"two roots", ec2Query, `<a/><b/>`, ""},
		{"no XML", query, `Internal failure`, ""},
		{"nothing", query, ``, ""},
		{"JSON", jsonRPC, `{"b":[1.50,"x\"<",null,{}],"a":{"n":12345678901234567890,"t":true}, "l":[]}`,
			`{"b":[1.50,"x\"\u003c",null,{}],"a":{"n":12345678901234567890,"t":true},"l":[]}`},
		{"JSON scalar", restJSON, `"x"`, `"x"`},
		{"cut JSON", jsonRPC, `{"a":[1`, ""},
		{"CBOR", cborRPC, "\xa0", ""},
	} {
		got, ok := parse(tt.protocol, []byte(tt.in))
		if ok != (tt.out != "") || ok && string(got.bytes()) != tt.out {
			t.Errorf("%s: %t, %v", tt.name, ok, got)
			if ok {
				t.Errorf("written:\n%s", got.bytes())
			}
		}
	}
}

func TestTreeValues(t *testing.T) {
	for _, tt := range []struct {
		protocol protocol
		body     string
	}{
		{jsonRPC, `{"a":{"b":"1"},"n":null,"l":["1"]}`},
		{s3XML, `<r xmlns:x="u"><a><x:b>1</x:b><b>2</b></a><n/><l><m/></l></r>`},
	} {
		got, _ := parse(tt.protocol, []byte(tt.body))
		for path, want := range map[string]string{"a/b": "1", "n": "", "l": "", "a/x": "", "x/b": "", "a": ""} {
			if v := got.root.at(path).value(); v != want {
				t.Errorf("%s of %s: %q", path, tt.body, v)
			}
		}
		got.root.put("n", "<&>")
		got.root.put("new", `"`)
		again, ok := parse(tt.protocol, got.bytes())
		if !ok || again.root.at("n").value() != "<&>" || again.root.at("new").value() != `"` {
			t.Errorf("changed: %s", got.bytes())
		}
	}
}
