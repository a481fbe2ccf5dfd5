package acceptance

var logsKinds = []Kind{}
