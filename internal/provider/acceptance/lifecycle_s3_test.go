package acceptance

var s3Lifecycles = []lifecycle{}
