package acceptance

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// otherRegion is where the second object of a collision lives.
const otherRegion = "eu-central-1"

// hardAccount fills an account with what an audit may take for something else, and returns which object has to be of which
// class, by the end of its ARN or its address.
func hardAccount(t *testing.T, w *Workspace) map[string]string {
	t.Helper()
	ctx, api := t.Context(), w.AWS.EC2
	marker := func(address string) map[string]string {
		return map[string]string{TagEstate: "audited", TagAddress: address}
	}
	want := map[string]string{
		mark(t, w, "audited", "aws_vpc.bound", ""):                            "bound",
		mark(t, w, "audited", "aws_eip.young", ""):                            "young",
		mark(t, w, "audited", "aws_cloudwatch_log_group.bound", "/audit/log"): "bound",
		mark(t, w, "others", "aws_vpc.bound", ""):                             "in_the_way",
		"estate_subnet.unlisted":                                              "unscanned",
		"estate_vpc.missing":                                                  "missing",
		"aws_iam_role_policy.a":                                               "unscanned",
	}

	// A gap in the chain of an address.
	vpc, err := KindOf("estate_vpc")
	must(t, err)
	tags := marker("aws_vpc.gap")
	tags[TagAddress+"-3"] = "x"
	id, err := vpc.Make(ctx, w.AWS, "", tags)
	must(t, err)
	want[id] = "malformed"

	// One address in two regions.
	want[mark(t, w, "audited", "aws_vpc.twice", "")] = "collision"
	options := api.Options()
	options.Region = otherRegion
	made, err := ec2.New(options).CreateVpc(ctx, &ec2.CreateVpcInput{
		CidrBlock:         aws.String("10.0.0.0/16"),
		TagSpecifications: []ec2types.TagSpecification{{ResourceType: ec2types.ResourceTypeVpc, Tags: toEC2Tags(marker("aws_vpc.twice"))}},
	})
	must(t, err)
	want[*made.Vpc.VpcId] = "collision"

	// A snapshot with the tags of its volume, and the volume.
	volume, err := api.CreateVolume(ctx, &ec2.CreateVolumeInput{
		AvailabilityZone: aws.String(Region + "a"), Size: aws.Int32(1),
		TagSpecifications: []ec2types.TagSpecification{{ResourceType: ec2types.ResourceTypeVolume, Tags: toEC2Tags(marker("aws_ebs_volume.data"))}},
	})
	must(t, err)
	want[*volume.VolumeId] = "bound"
	snapshot, err := api.CreateSnapshot(ctx, &ec2.CreateSnapshotInput{
		VolumeId:          volume.VolumeId,
		TagSpecifications: []ec2types.TagSpecification{{ResourceType: ec2types.ResourceTypeSnapshot, Tags: toEC2Tags(marker("aws_ebs_volume.data"))}},
	})
	must(t, err)
	want[*snapshot.SnapshotId] = "copied"

	// Two instances, of which one has ended.
	images, err := api.DescribeImages(ctx, &ec2.DescribeImagesInput{Owners: []string{"amazon"}})
	must(t, err)
	for _, name := range []string{"lives", "ended"} {
		run, err := api.RunInstances(ctx, &ec2.RunInstancesInput{
			ImageId: images.Images[0].ImageId, MinCount: aws.Int32(1), MaxCount: aws.Int32(1), InstanceType: ec2types.InstanceTypeT3Micro,
			TagSpecifications: []ec2types.TagSpecification{{ResourceType: ec2types.ResourceTypeInstance, Tags: toEC2Tags(marker("aws_instance." + name))}},
		})
		must(t, err)
		id := *run.Instances[0].InstanceId
		want[id] = "bound"
		if name == "ended" {
			_, err := api.TerminateInstances(ctx, &ec2.TerminateInstancesInput{InstanceIds: []string{id}})
			must(t, err)
			want[id], want["aws_instance.ended"] = "dead", "missing"
		}
	}

	role, err := w.AWS.IAM.CreateServiceLinkedRole(ctx, &iam.CreateServiceLinkedRoleInput{AWSServiceName: aws.String("autoscaling.amazonaws.com")})
	must(t, err)
	want[*role.Role.RoleName] = "service_made"
	return want
}

// TestBehaviour22AuditIsRightOnHardCases shows that an audit tells what needs a person from what only looks like it.
//
// Given an account with default networks and groups, a service-linked role, a snapshot that copied the tags of its volume, an
// instance that has ended, another estate's object of our address, a marker with a gap, one address in two regions, an object
// made a moment ago, and a listing that is denied. When the estate is audited. Then each object is in its class, nothing is
// missing and nothing is there twice, and what could not be looked at is named.
func TestBehaviour22AuditIsRightOnHardCases(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		want := hardAccount(t, w)
		w.Proxy.On(faultproxy.Action("ec2:DescribeSubnets"), faultproxy.Deny())
		start(t, w, "audited", fmt.Sprintf(`
data "estate_audit" "all" {
  regions   = [%q, %q]
  addresses = [
    "estate_vpc.bound", "estate_vpc.missing", "aws_vpc.twice", "aws_vpc.gap", "estate_cloudwatch_log_group.bound", "estate_subnet.unlisted",
    "aws_ebs_volume.data", "aws_instance.lives", "aws_instance.ended", "aws_iam_role_policy.a", "data.aws_ami.x",
  ]
}
output "all" { value = data.estate_audit.all }
`, Region, otherRegion))
		w.Apply(t.Context()).Must(t).MustSay(t, "Incomplete audit", "ec2:DescribeSubnets")
		audit := output[takenStock](t, w, "all")
		got := map[string]string{}
		for _, f := range audit.Findings {
			name := cmp.Or(f.ID, f.ARN[strings.LastIndex(f.ARN, "/")+1:], f.Address)
			if f.Class == "service_made" && !strings.HasPrefix(name, "AWSServiceRole") {
				continue // the default VPC of each region and the default group of each VPC: counted below
			}
			if got[name] != "" {
				t.Errorf("%s is of the classes %s and %s", name, got[name], f.Class)
			}
			got[name] = f.Class
		}
		want["aws_vpc.gap"] = "missing"
		if !maps.Equal(got, want) {
			t.Errorf("the audit finds\n  %v\nwant\n  %v", got, want)
		}
		if n := audit.Counts["service_made"]; n < 5 {
			t.Errorf("%d objects are AWS's own; there are two default VPCs, a group of each VPC and a role", n)
		}
		for class, n := range audit.Counts {
			if of := len(slices.DeleteFunc(slices.Clone(audit.Findings), func(f shown) bool { return f.Class != class })); of != n {
				t.Errorf("%d findings are %s, and the count says %d", of, class, n)
			}
		}
	})
}

// TestObject finds one object of any type, and tells none from several.
func TestObject(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		want := hardAccount(t, w)
		start(t, w, "audited", `
data "estate_object" "vpc" { tofu_address = "estate_vpc.bound" }
data "estate_object" "volume" { tofu_address = "aws_ebs_volume.data" }
output "vpc" { value = data.estate_object.vpc }
output "volume" { value = data.estate_object.volume }
`)
		w.Apply(t.Context()).Must(t)
		vpc, volume := output[shown](t, w, "vpc"), output[shown](t, w, "volume")
		if want[vpc.ID] != "bound" || vpc.ImportID != vpc.ID || !vpc.Verified {
			t.Errorf("the VPC is %+v", vpc)
		}
		if want[volume.ImportID] != "bound" || !strings.HasSuffix(volume.ARN, "/"+volume.ImportID) || volume.Verified {
			t.Errorf("the volume is %+v", volume)
		}
		for _, c := range []struct {
			arguments string
			says      []string
		}{
			{`tofu_address = "aws_vpc.twice"
  regions = ["` + Region + `", "` + otherRegion + `"]`, []string{"Several objects of one address", Region, otherRegion}},
			{`tofu_address = "aws_vpc.nowhere"`, []string{"No such object", "aws_vpc.nowhere", "audited"}},
			{`tofu_address = "aws_vpc.bound"
  tofu_estate = "nobody"`, []string{"No such object", "nobody"}},
			{`tofu_address = "aws_instance.ended"`, []string{"No such object"}},
			{`tofu_address = "aws_vpc"`, []string{"Bad address"}},
			{`tofu_address = "aws_vpc.a"
  tofu_estate = "No"`, []string{"Bad estate name"}},
		} {
			must(t, w.Write("main.tf", "data \"estate_object\" \"x\" {\n  "+c.arguments+"\n}\n"))
			w.Plan(t.Context()).MustFail(t, c.says...)
		}
	})
}
