package permissions

// Surveys are the actions that the data sources over a whole estate (inventory, object, audit) need beside the reads of the types
// that they list. Without the first, objects of other types are not listed, and coverage says so.
var Surveys = []Use{
	{Action: "tag:GetResources"},
	{Action: "ec2:DescribeInstances", For: []string{"instances that carry the estate's marker"}},
}
