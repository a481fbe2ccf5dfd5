package acceptance

var s3Kinds = []Kind{}
