data "spectrocloud_registry" "public" {
  name = "Public Repo"
}

data "spectrocloud_pack" "registry" {
  name         = "registry"
  version      = "2.3.0"
  registry_uid = data.spectrocloud_registry.public.id
}

data "spectrocloud_pack" "ingress" {
  name         = "ingress"
  version      = "1.11.3"
  registry_uid = data.spectrocloud_registry.public.id
}
