resource "spectrocloud_cluster_profile" "edge" {
  name    = "edge-${var.site}"
  type    = "add-on"
  version = "1.0.0"

  pack {
    name   = data.spectrocloud_pack.registry.name
    tag    = data.spectrocloud_pack.registry.version
    uid    = data.spectrocloud_pack.registry.id
    values = templatefile("values/registry.yaml", { hostname = local.hostname, port = var.registry_port })
  }

  pack {
    name   = data.spectrocloud_pack.ingress.name
    tag    = data.spectrocloud_pack.ingress.version
    uid    = data.spectrocloud_pack.ingress.id
    values = replace(data.spectrocloud_pack.ingress.values, "LoadBalancer", "NodePort")
  }

  pack {
    name = "tokens"
    type = "manifest"
    manifest {
      name    = "token"
      content = "token: ${var.api_token}"
    }
  }
}
