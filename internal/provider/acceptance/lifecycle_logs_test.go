package acceptance

var logsLifecycles = []lifecycle{}
