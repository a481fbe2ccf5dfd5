"""Makes marked objects of many types and prints, for each address, what import of that type wants.

It stands for an estate that hashicorp/aws manages, which the tests cannot install. What import wants is written down here by
that provider's documentation, from what the services answer, and not taken from the provider that is tested.

Usage: twenty_types.py ENDPOINT REGION ESTATE SUFFIX
"""

import io
import json
import sys
import zipfile

import boto3

endpoint, region, estate, suffix = sys.argv[1:]
ids = {}


def client(service):
    return boto3.client(
        service, endpoint_url=endpoint, region_name=region, aws_access_key_id="AKIAIOSFODNN7EXAMPLE", aws_secret_access_key="not-a-secret"
    )


def marker(address):
    return {"tofu-estate": estate, "tofu-address": address}


def tags(address, key="Key", value="Value"):
    return [{key: k, value: v} for k, v in marker(address).items()]


def spec(kind, address):
    return [{"ResourceType": kind, "Tags": tags(address)}]


ec2 = client("ec2")
vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16", TagSpecifications=spec("vpc", "aws_vpc.a"))["Vpc"]["VpcId"]
ids["aws_vpc.a"] = vpc
subnets = []
for n in (0, 1):
    subnet = ec2.create_subnet(
        VpcId=vpc, CidrBlock=f"10.0.{n}.0/24", AvailabilityZone=region + "ab"[n], TagSpecifications=spec("subnet", f"aws_subnet.a:{n}")
    )["Subnet"]["SubnetId"]
    subnets.append(subnet)
    ids[f"aws_subnet.a[{n}]"] = subnet
for key in ("x", "y z"):
    ids[f'aws_security_group.a["{key}"]'] = ec2.create_security_group(
        GroupName=f"a-{key}", Description="a", VpcId=vpc, TagSpecifications=spec("security-group", f"aws_security_group.a:{key}")
    )["GroupId"]
ids["module.net.aws_internet_gateway.a"] = ec2.create_internet_gateway(
    TagSpecifications=spec("internet-gateway", "module.net.aws_internet_gateway.a")
)["InternetGateway"]["InternetGatewayId"]
for n in (0, 1):
    ids[f"aws_eip.a[{n}]"] = ec2.allocate_address(Domain="vpc", TagSpecifications=spec("elastic-ip", f"aws_eip.a:{n}"))["AllocationId"]
ids["aws_route_table.a"] = ec2.create_route_table(VpcId=vpc, TagSpecifications=spec("route-table", "aws_route_table.a"))["RouteTable"]["RouteTableId"]
ids["aws_ebs_volume.a"] = ec2.create_volume(AvailabilityZone=region + "a", Size=1, TagSpecifications=spec("volume", "aws_ebs_volume.a"))["VolumeId"]
image = ec2.describe_images(Owners=["amazon"])["Images"][0]["ImageId"]
for n in (0, 1):
    ids[f"aws_instance.a[{n}]"] = ec2.run_instances(
        ImageId=image, MinCount=1, MaxCount=1, InstanceType="t3.micro", TagSpecifications=spec("instance", f"aws_instance.a:{n}")
    )["Instances"][0]["InstanceId"]

iam = client("iam")
trust = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}]}
)
role = iam.create_role(RoleName="a-" + suffix, AssumeRolePolicyDocument=trust, Tags=tags("aws_iam_role.a"))["Role"]
ids["aws_iam_role.a"] = role["RoleName"]
client("logs").create_log_group(logGroupName="/a/log", tags=marker("aws_cloudwatch_log_group.a"))
ids["aws_cloudwatch_log_group.a"] = "/a/log"
s3 = client("s3")
s3.create_bucket(Bucket="a-" + suffix, CreateBucketConfiguration={"LocationConstraint": region})
s3.put_bucket_tagging(Bucket="a-" + suffix, Tagging={"TagSet": tags("aws_s3_bucket.a")})
ids["aws_s3_bucket.a"] = "a-" + suffix
route53 = client("route53")
zone = route53.create_hosted_zone(Name="example.com", CallerReference=suffix)["HostedZone"]["Id"].rsplit("/", 1)[1]
route53.change_tags_for_resource(ResourceType="hostedzone", ResourceId=zone, AddTags=tags("aws_route53_zone.a"))
ids["aws_route53_zone.a"] = zone

# https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/sqs_queue#import: the URL, as AWS has it.
sqs = client("sqs")
for name in ("one", "two"):
    sqs.create_queue(QueueName=name, tags=marker(f"aws_sqs_queue.a:{name}"))
    account = sqs.get_queue_attributes(QueueUrl=sqs.get_queue_url(QueueName=name)["QueueUrl"], AttributeNames=["QueueArn"])["Attributes"]["QueueArn"].split(":")[4]
    ids[f'aws_sqs_queue.a["{name}"]'] = f"https://sqs.{region}.amazonaws.com/{account}/{name}"
# .../sns_topic#import: the ARN.
ids["aws_sns_topic.a"] = client("sns").create_topic(Name="a", Tags=tags("aws_sns_topic.a"))["TopicArn"]
# .../dynamodb_table#import: the name.
for name in ("orders", "users"):
    client("dynamodb").create_table(
        TableName=name, BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}], Tags=tags(f"aws_dynamodb_table.a:{name}"),
    )
    ids[f'aws_dynamodb_table.a["{name}"]'] = name
# .../kms_key#import: the id.
ids["aws_kms_key.a"] = client("kms").create_key(Tags=tags("aws_kms_key.a", "TagKey", "TagValue"))["KeyMetadata"]["KeyId"]
# .../secretsmanager_secret#import: the ARN.
ids["aws_secretsmanager_secret.a"] = client("secretsmanager").create_secret(Name="a", SecretString="x", Tags=tags("aws_secretsmanager_secret.a"))["ARN"]
# .../ssm_parameter#import: the name, with the slash in front where it is a path.
client("ssm").put_parameter(Name="/a/parameter", Value="x", Type="String", Tags=tags("aws_ssm_parameter.a"))
ids["aws_ssm_parameter.a"] = "/a/parameter"
# .../lb#import and .../lb_target_group#import: the ARN.
elb = client("elbv2")
ids["aws_lb.a"] = elb.create_load_balancer(Name="a", Subnets=subnets, Tags=tags("aws_lb.a"))["LoadBalancers"][0]["LoadBalancerArn"]
ids["aws_lb_target_group.a"] = elb.create_target_group(Name="a", Protocol="HTTP", Port=80, VpcId=vpc, Tags=tags("aws_lb_target_group.a"))["TargetGroups"][0]["TargetGroupArn"]
# .../db_instance#import: the identifier.
client("rds").create_db_instance(
    DBInstanceIdentifier="a", Engine="postgres", DBInstanceClass="db.t3.micro", AllocatedStorage=20, MasterUsername="root",
    MasterUserPassword="not-a-secret", Tags=tags("aws_db_instance.a"),
)
ids["aws_db_instance.a"] = "a"
# .../lambda_function#import: the name.
code = io.BytesIO()
with zipfile.ZipFile(code, "w") as archive:
    archive.writestr("index.py", "def handler(event, context):\n    return None\n")
client("lambda").create_function(
    FunctionName="a", Runtime="python3.11", Role=role["Arn"], Handler="index.handler", Code={"ZipFile": code.getvalue()}, Tags=marker("aws_lambda_function.a")
)
ids["aws_lambda_function.a"] = "a"
# .../efs_file_system#import: the id.
ids["aws_efs_file_system.a"] = client("efs").create_file_system(CreationToken="a", Tags=tags("aws_efs_file_system.a"))["FileSystemId"]
# .../acm_certificate#import: the ARN.
ids["aws_acm_certificate.a"] = client("acm").request_certificate(DomainName="example.com", Tags=tags("aws_acm_certificate.a"))["CertificateArn"]
# .../ecs_cluster#import: the name.
client("ecs").create_cluster(clusterName="a", tags=tags("aws_ecs_cluster.a", "key", "value"))
ids["aws_ecs_cluster.a"] = "a"
# .../sfn_state_machine#import: the ARN.
machine = json.dumps({"StartAt": "a", "States": {"a": {"Type": "Succeed"}}})
ids["aws_sfn_state_machine.a"] = client("stepfunctions").create_state_machine(
    name="a", definition=machine, roleArn=role["Arn"], tags=tags("aws_sfn_state_machine.a", "key", "value")
)["stateMachineArn"]

print(json.dumps(ids))
