package imports

// rowsOfMessages are queues, topics, streams, brokers, and what reacts to events.
var rowsOfMessages = []row{
	{"aws_sqs_queue", "sqs", "{name}", "https://sqs.{region}.{domain}/{account}/{name}"},
	{"aws_sns_topic", "sns", "{name}", "{arn}"},
	{"aws_mq_broker", "mq", "broker:{name}:{id}", "{id}"},
	{"aws_transfer_server", "transfer", "server/{id}", "{id}"},

	{"aws_kinesis_firehose_delivery_stream", "firehose", "deliverystream/{name}", "{arn}"},
	{"aws_kinesis_stream", "kinesis", "stream/{name}", "{name}"},
	{"aws_msk_cluster", "kafka", "cluster/{name}/{id}", "{arn}"},
	{"aws_msk_serverless_cluster", "kafka", "cluster/{name}/{id}", "{arn}"},

	{"aws_cloudwatch_event_bus", "events", "event-bus/{name...}", "{name...}"},
	{"aws_cloudwatch_event_rule", "events", "rule/{bus/}{name}", "{bus/}{name}"},
	{"aws_sfn_activity", "states", "activity:{name}", "{arn}"},
	{"aws_sfn_state_machine", "states", "stateMachine:{name}", "{arn}"},
}
