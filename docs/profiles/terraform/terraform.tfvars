registry_port = 6000
