locals {
  template = "Hello, $${name}!"
  single   = "$${value}"
  plain    = "no interpolation"
  broken   = "$${"
  reads    = "$${file(\"hello.txt\")}"
  nested   = "$${templatefile(\"templates/single.tftpl\", {value = 1})}"
  loop     = "%%{ for x in list ~}\n- $${x}\n%%{ endfor ~}\n"
  calls    = "$${upper(name)} $${core::length(name)}"
  list     = ["$${name}", 7]
  object   = { t = "$${name}?" }
  number   = 12
  none     = null
  secret   = sensitive("$${name}")
}
