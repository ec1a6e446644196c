# What Terraform would do instead: restapi_object of Mastercard/restapi, with for_each over mappings.yaml.
terraform {
  required_providers {
    restapi = { source = "mastercard/restapi" }
  }
}

variable "url" { type = string }
variable "key" { type = string }
variable "per_second" { type = number }

provider "restapi" {
  uri                  = "${var.url}/api/v1/workspaces"
  write_returns_object = true
  update_method        = "PATCH"
  rate_limit           = var.per_second
  headers              = { "X-API-Key" = var.key, "Content-Type" = "application/json" }
}

locals {
  rules = flatten([for workspace, rules in yamldecode(file("mappings.yaml")) : [for rule in rules : merge({ projects = [""] }, rule, { workspace = workspace })]])
  mappings = merge([for rule in local.rules : {
    for project in rule.projects : "${rule.workspace}/${project}/${rule.group}" => merge(
      { workspace = rule.workspace, kind = project == "" ? "workspace" : "project" },
      { data = merge({ idp_group_name = rule.group, role = rule.role }, project == "" ? {} : { project = project }) },
    )
  }]...)
}

resource "restapi_object" "mapping" {
  for_each                = local.mappings
  path                    = "/${each.value.workspace}/group-sync/${each.value.kind}-mappings/"
  read_path               = "/${each.value.workspace}/group-sync/${each.value.kind}-mappings/{id}/"
  update_path             = "/${each.value.workspace}/group-sync/${each.value.kind}-mappings/{id}/"
  destroy_path            = "/${each.value.workspace}/group-sync/${each.value.kind}-mappings/{id}/"
  data                    = jsonencode(each.value.data)
  ignore_server_additions = true
}
