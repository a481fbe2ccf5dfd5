package acceptance

var s3Adoptions = []adoption{}
