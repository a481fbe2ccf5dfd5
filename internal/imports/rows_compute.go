package imports

// rowsOfCompute are functions, containers, groups of instances, and what builds and deploys them.
var rowsOfCompute = []row{
	{"aws_lambda_event_source_mapping", "lambda", "event-source-mapping:{id}", "{id}"},
	{"aws_lambda_function", "lambda", "function:{name}", "{name}"},

	{"aws_ecr_repository", "ecr", "repository/{name...}", "{name...}"},
	{"aws_ecs_capacity_provider", "ecs", "capacity-provider/{name}", "{arn}"},
	{"aws_ecs_cluster", "ecs", "cluster/{name}", "{name}"},
	{"aws_ecs_service", "ecs", "service/{cluster}/{name}", "{cluster}/{name}"},
	{"aws_ecs_task_definition", "ecs", "task-definition/{family}:{revision}", "{arn}"},
	{"aws_eks_addon", "eks", "addon/{cluster}/{name}/{id}", "{cluster}:{name}"},
	{"aws_eks_cluster", "eks", "cluster/{name}", "{name}"},
	{"aws_eks_fargate_profile", "eks", "fargateprofile/{cluster}/{name}/{id}", "{cluster}:{name}"},
	{"aws_eks_node_group", "eks", "nodegroup/{cluster}/{name}/{id}", "{cluster}:{name}"},
	{"aws_eks_pod_identity_association", "eks", "podidentityassociation/{cluster}/{id}", "{cluster},{id}"},

	{"aws_autoscaling_group", "autoscaling", "autoScalingGroup:{id}:autoScalingGroupName/{name...}", "{name...}"},
	{"aws_batch_compute_environment", "batch", "compute-environment/{name}", "{name}"},
	{"aws_batch_job_definition", "batch", "job-definition/{name}:{revision}", "{arn}"},
	{"aws_batch_job_queue", "batch", "job-queue/{name}", "{arn}"},
	{"aws_batch_scheduling_policy", "batch", "scheduling-policy/{name}", "{arn}"},

	{"aws_cloudformation_stack", "cloudformation", "stack/{name}/{id}", "{name}"},
	{"aws_codebuild_project", "codebuild", "project/{name}", "{name}"},
	{"aws_codecommit_repository", "codecommit", "{name}", "{name}"},
	{"aws_codepipeline", "codepipeline", "{name}", "{name}"},
}
