package acceptance

var logsAdoptions = []adoption{}
