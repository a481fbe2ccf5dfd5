package acceptance

var route53Lifecycles = []lifecycle{}
