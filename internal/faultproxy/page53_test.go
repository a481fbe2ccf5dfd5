package faultproxy

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
)

// zoneFile serves the records of a zone from a name and type on, as moto does: it pays no heed to identifiers.
func zoneFile(t *testing.T) *Proxy {
	t.Helper()
	records := []struct{ name, kind, identifier string }{
		{"a.", "A", "x"}, {"a.", "A", "y"}, {"a.", "A", "z"}, {"a.", "TXT", ""}, {"b.", "A", ""},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		var b strings.Builder
		for _, set := range records {
			if set.name+set.kind < q.Get("name")+q.Get("type") {
				continue
			}
			b.WriteString("<ResourceRecordSet><Name>" + set.name + "</Name><Type>" + set.kind + "</Type>")
			if set.identifier != "" {
				b.WriteString("<SetIdentifier>" + set.identifier + "</SetIdentifier>")
			}
			b.WriteString("</ResourceRecordSet>")
		}
		_, _ = io.WriteString(w, "<ListResourceRecordSetsResponse><ResourceRecordSets>"+b.String()+
			"</ResourceRecordSets><IsTruncated>false</IsTruncated></ListResourceRecordSetsResponse>")
	}))
	t.Cleanup(server.Close)
	p, err := Start(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func walkRecords(ctx context.Context, p *Proxy) ([][]string, error) {
	in := &route53.ListResourceRecordSetsInput{HostedZoneId: aws.String("Z1")}
	return walk(ctx, route53.NewListResourceRecordSetsPaginator(route53Client(p), in),
		func(o *route53.ListResourceRecordSetsOutput) []string {
			var ids []string
			for _, r := range o.ResourceRecordSets {
				ids = append(ids, aws.ToString(r.Name)+string(r.Type)+aws.ToString(r.SetIdentifier))
			}
			return ids
		})
}

func TestPaginateRecords(t *testing.T) {
	p := zoneFile(t)
	p.On(Action(recordListing), Paginate(2))
	pages, err := walkRecords(t.Context(), p)
	if got := fmt.Sprint(pages); got != "[[a.Ax a.Ay] [a.Az a.TXT] [b.A]]" || err != nil {
		t.Errorf("pages %s, %v", got, err)
	}
}

func TestEmptyPageOfRecords(t *testing.T) {
	p := zoneFile(t)
	p.On(Action(recordListing), EmptyPage())
	for range 2 {
		pages, err := walkRecords(t.Context(), p)
		if got := fmt.Sprint(pages); got != "[[] [a.Ax a.Ay a.Az a.TXT b.A]]" || err != nil {
			t.Errorf("pages %s, %v", got, err)
		}
	}
	// The call that went on with a listing is a new one when it comes again.
	out, err := route53Client(p).ListResourceRecordSets(t.Context(), &route53.ListResourceRecordSetsInput{
		HostedZoneId: aws.String("Z1"), StartRecordName: aws.String("a."), StartRecordType: "A",
		StartRecordIdentifier: aws.String("x"),
	})
	if err != nil || len(out.ResourceRecordSets) != 0 || !out.IsTruncated {
		t.Errorf("%v, %v", out, err)
	}
}
