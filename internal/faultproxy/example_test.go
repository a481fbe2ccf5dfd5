package faultproxy_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ec2"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// emulator stands for an emulator of AWS that has two VPCs and makes a third.
func emulator() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.PostFormValue("Action") == "CreateVpc" {
			_, _ = io.WriteString(w, "<R><vpc><vpcId>vpc-3</vpcId><state>available</state></vpc></R>")
			return
		}
		_, _ = io.WriteString(w, "<R><vpcSet><item><vpcId>vpc-1</vpcId></item><item><vpcId>vpc-2</vpcId></item>"+
			"<item><vpcId>vpc-3</vpcId><state>available</state></item></vpcSet></R>")
	}))
}

// begin starts an emulator, a proxy before it and a client.
func begin() (p *faultproxy.Proxy, client *ec2.Client, end func()) {
	upstream := emulator()
	p, err := faultproxy.Start(upstream.URL)
	if err != nil {
		panic(err)
	}
	client = ec2.New(ec2.Options{
		Region: "eu-west-1", BaseEndpoint: aws.String(p.URL()), Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("AKIDEXAMPLE", "secret", ""),
	})
	return p, client, func() { p.Close(); upstream.Close() }
}

func list(client *ec2.Client) {
	var ids []string
	pages := ec2.NewDescribeVpcsPaginator(client, nil)
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, v := range page.Vpcs {
			ids = append(ids, aws.ToString(v.VpcId)+" "+string(v.State))
		}
	}
	fmt.Println(strings.TrimSpace(strings.Join(ids, ", ")))
}

// The answer to a create is lost, and the object does not show yet: what does the client do?
func Example() {
	p, client, end := begin()
	defer end()
	p.On(faultproxy.Action("ec2:CreateVpc"), faultproxy.Together(faultproxy.HideNewest(1), faultproxy.DropAnswer())).Times(1)

	_, err := client.CreateVpc(context.Background(), &ec2.CreateVpcInput{CidrBlock: aws.String("10.0.0.0/16")})
	fmt.Println("lost:", err != nil)
	list(client)
	list(client)
	fmt.Print(faultproxy.Format(p.Journal()))
	// Output:
	// lost: true
	// vpc-1 , vpc-2
	// vpc-1 , vpc-2 , vpc-3 available
	// 1 ec2:CreateVpc 200 [hide + drop]
	// 2 ec2:DescribeVpcs 200
	// 3 ec2:DescribeVpcs 200
}

func ExamplePaginate() {
	p, client, end := begin()
	defer end()
	p.On(faultproxy.Action("ec2:DescribeVpcs"), faultproxy.EmptyPage()).Times(1)
	p.On(faultproxy.Action("ec2:DescribeVpcs"), faultproxy.Paginate(2))
	list(client)
	fmt.Println(p.Count(faultproxy.Any()), "pages")
	// Output:
	// vpc-1 , vpc-2 , vpc-3 available
	// 3 pages
}

func ExamplePending() {
	p, client, end := begin()
	defer end()
	p.On(faultproxy.Action("ec2:CreateVpc"), faultproxy.Pending(1))
	_, err := client.CreateVpc(context.Background(), &ec2.CreateVpcInput{CidrBlock: aws.String("10.0.0.0/16")})
	fmt.Println(err)
	list(client)
	list(client)
	// Output:
	// <nil>
	// vpc-1 , vpc-2 , vpc-3 pending
	// vpc-1 , vpc-2 , vpc-3 available
}

// The client is killed when AWS has made the VPC. Whatever it still sends goes nowhere; its successor works.
func ExampleKillAfter() {
	p, client, end := begin()
	defer end()
	p.On(faultproxy.Writes(), faultproxy.KillAfter()).Times(1)
	_, err := client.CreateVpc(context.Background(), &ec2.CreateVpcInput{CidrBlock: aws.String("10.0.0.0/16")})
	fmt.Println("lost:", err != nil)
	_, err = client.DescribeVpcs(context.Background(), nil)
	fmt.Println("lost:", err != nil)
	p.Restore()
	list(client)
	// Output:
	// lost: true
	// lost: true
	// vpc-1 , vpc-2 , vpc-3 available
}

func ExampleProxy_AddRules() {
	p, client, end := begin()
	defer end()
	err := p.AddRules(strings.NewReader(`{"rules": [{"actions": ["ec2:Describe*"], "faults": ["throttle"], "times": 1}]}`))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	_, err = client.DescribeVpcs(context.Background(), nil)
	fmt.Println(strings.Contains(err.Error(), "RequestLimitExceeded"))
	list(client)
	// Output:
	// true
	// vpc-1 , vpc-2 , vpc-3 available
}
