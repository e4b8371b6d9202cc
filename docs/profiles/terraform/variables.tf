variable "site" {
  type    = string
  default = "north"
}

variable "registry_port" {
  type    = number
  default = 5000
}

variable "api_token" {
  type      = string
  sensitive = true
}

locals {
  hostname = "registry.${var.site}.example.com"
}
