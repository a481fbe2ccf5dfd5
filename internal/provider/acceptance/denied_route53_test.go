package acceptance

var route53Adoptions = []adoption{}
