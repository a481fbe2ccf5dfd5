package acceptance

var route53Kinds = []Kind{}
