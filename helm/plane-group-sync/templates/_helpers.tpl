{{/*
Gives each value that is absent its default, so that no template has to ask. `helm upgrade --reuse-values` brings the values of an older chart, without
what is new, and `null` removes a value. Each template begins with this. In `resources` and `podSecurityContext` absent means absent.
*/}}
{{- define "plane-group-sync.fill" -}}
{{- $defaults := include "plane-group-sync.defaults" . | fromYaml -}}
{{- include "plane-group-sync.fillMap" (dict "values" .Values "defaults" (omit $defaults "resources" "podSecurityContext")) -}}
{{- end }}

{{/* The keys of `settings` and `labels` are not the chart's own: these maps stay as they are given. */}}
{{- define "plane-group-sync.fillMap" -}}
{{- $values := .values -}}
{{- range $name, $default := .defaults -}}
{{- if kindIs "invalid" (index $values $name) -}}
{{- $_ := set $values $name $default -}}
{{- else if and (kindIs "map" $default) (not (has $name (list "settings" "labels"))) -}}
{{- include "plane-group-sync.fillMap" (dict "values" (index $values $name) "defaults" $default) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* A chart that has this one as a dependency can give it an alias, and it is then the name of the chart. */}}
{{- define "plane-group-sync.name" -}}
{{ default .Chart.Name .Values.nameOverride | trimAll "_-" }}
{{- end }}

{{/* The name of a Helm release may have dots, and an alias capitals and underscores. The name of a Service may have none of these. */}}
{{- define "plane-group-sync.fullname" -}}
{{- $name := include "plane-group-sync.name" . | lower | replace "_" "-" -}}
{{- $full := default .Release.Name .Values.fullnameOverride -}}
{{- if not (or .Values.fullnameOverride (contains $name .Release.Name)) -}}
{{- $full = printf "%s-%s" .Release.Name $name -}}
{{- end -}}
{{ $full | replace "." "-" | trunc 50 | trimAll "-" }}
{{- end }}

{{- define "plane-group-sync.selector" -}}
app.kubernetes.io/name: {{ include "plane-group-sync.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "plane-group-sync.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "plane-group-sync.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The labels of an object that has labels of its own among the values: these go first. `more`: those labels. */}}
{{- define "plane-group-sync.labelsWith" -}}
{{ toYaml (merge (dict) (default dict .more) (include "plane-group-sync.labels" .root | fromYaml)) }}
{{- end }}

{{/* Where the declaration comes from: files, existingConfigMap, configMaps or path. */}}
{{- define "plane-group-sync.declarationOf" -}}
{{- $given := list -}}
{{- range list "files" "existingConfigMap" "configMaps" "path" -}}
{{- if index $.Values.declaration . }}{{ $given = append $given . }}{{ end -}}
{{- end -}}
{{- if gt (len $given) 1 -}}
{{- fail (printf "declaration: give one of files, existingConfigMap, configMaps and path; these values give %s" (join " and " $given)) -}}
{{- end -}}
{{- range $index, $one := .Values.declaration.configMaps -}}
{{- range $other, $two := $.Values.declaration.configMaps -}}
{{- if and (ne $index $other) (hasPrefix (printf "%s/" $one.folder) (printf "%s/" $two.folder)) -}}
{{- fail (printf "declaration.configMaps: the folder %s of ConfigMap %s is inside the folder %s of ConfigMap %s; give each ConfigMap a folder beside the others" $two.folder $two.name $one.folder $one.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{ first $given | default "files" }}
{{- end }}

{{/* The labels of the pod. A label of podLabels replaces one of commonLabels. */}}
{{- define "plane-group-sync.podLabels" -}}
{{ include "plane-group-sync.selector" . }}
{{- with merge (dict) (default dict .Values.podLabels) (default dict .Values.commonLabels) }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Matches the series of this release, for the alerts. Prometheus' operator adds these labels to what a ServiceMonitor reads. */}}
{{- define "plane-group-sync.series" -}}
{{- if .Values.prometheusRule.selector -}}
{{ .Values.prometheusRule.selector }}
{{- else if .Values.serviceMonitor.enabled -}}
{{ printf "namespace=%q,service=%q" .Release.Namespace (printf "%s-metrics" (include "plane-group-sync.fullname" .)) }}
{{- end -}}
{{- end }}

{{/* A time of Prometheus, as the schema allows it, in milliseconds. */}}
{{- define "plane-group-sync.milliseconds" -}}
{{ mul (regexFind "[0-9]+" .) (get (dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000) (regexFind "[a-z]+" .)) }}
{{- end }}

{{- define "plane-group-sync.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "plane-group-sync.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end }}

{{/*
A released chart says its image in an annotation of its own, and not in its values: `helm upgrade --reuse-values` would bring the image of the older
chart. Any value of `image` names another image.
*/}}
{{- define "plane-group-sync.image" -}}
{{- $released := index (default dict .Chart.Annotations) "plane-group-sync/image" -}}
{{- if and $released (eq .Values.image.repository "plane-group-sync") (not .Values.image.tag) (not .Values.image.digest) -}}
{{ $released }}
{{- else if .Values.image.digest -}}
{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else -}}
{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end -}}
{{- end }}

{{- define "plane-group-sync.keepsJournal" -}}
{{- if ne (toString .Values.settings.journal) "none" }}yes{{ end -}}
{{- end }}

{{- define "plane-group-sync.journalFolder" -}}
/var/lib/plane-group-sync
{{- end }}

{{/* Whether extraEnv has this variable. `root`: the context of the chart. */}}
{{- define "plane-group-sync.hasVariable" -}}
{{- $name := .name -}}
{{- range .root.Values.extraEnv -}}
{{- if eq .name $name }}yes{{ end -}}
{{- end -}}
{{- end }}

{{/* What has no default, and is not given. */}}
{{- define "plane-group-sync.missing" -}}
{{- $settings := .Values.settings -}}
{{- if not (or (default dict $settings.service).baseUrl (include "plane-group-sync.hasVariable" (dict "root" . "name" "PLANE_BASE_URL"))) }}
settings.service.baseUrl is missing: give the address of Plane, such as https://plane.example.com
{{- end }}
{{- if not (or $settings.workspaces (include "plane-group-sync.hasVariable" (dict "root" . "name" "PLANE_WORKSPACE_SLUG"))) }}
settings.workspaces is empty: name the workspaces to manage, such as {acme: {}}
{{- end }}
{{- end }}

{{/* The operator's settings, with what the chart alone can know: where it mounts things. */}}
{{- define "plane-group-sync.settings" -}}
{{- with include "plane-group-sync.missing" . -}}
{{- fail . -}}
{{- end -}}
{{- $settings := deepCopy .Values.settings -}}
{{- $_ := set $settings "service" (default dict $settings.service) -}}
{{- if not $settings.workspaces -}}
{{- $_ := unset $settings "workspaces" -}}
{{- end -}}
{{- $_ := set $settings "version" 1 -}}
{{- $_ := set $settings "declaration" (default "/etc/plane-group-sync/groups" .Values.declaration.path) -}}
{{- $http := dict "listen" "0.0.0.0:9464" -}}
{{- if .Values.page.enabled -}}
{{- if not (include "plane-group-sync.keepsJournal" .) -}}
{{- fail "page.enabled needs a journal: the page shows what the program leaves beside it" -}}
{{- end -}}
{{- $_ := set $http "page" (dict "token" (dict "file" .Values.page.tokenFile) "behindTls" true) -}}
{{- end -}}
{{- $_ := set $settings "http" $http -}}
{{- if include "plane-group-sync.keepsJournal" . -}}
{{- $_ := set $settings "journal" (merge (dict "folder" (include "plane-group-sync.journalFolder" .)) (default dict $settings.journal)) -}}
{{- end -}}
{{- if not (or $settings.service.credential $settings.service.credentials (not .Values.existingSecret)) -}}
{{- $_ := set $settings.service "credential" (dict "apiKey" (dict "file" "/run/secrets/plane-group-sync/api-key")) -}}
{{- end -}}
{{ toYaml $settings }}
{{- end }}

{{/*
The settings that only a new process takes up, as src/settings/restart.ts has them: their checksum starts a new pod. All others reach the
running pod through the mounted ConfigMap, and the program keeps the last good ones if they are wrong.
The host of Plane is among them only if the journal is not on a claim: otherwise a new pod would refuse a journal that is about another host.
*/}}
{{- define "plane-group-sync.newPodFor" -}}
{{- $settings := include "plane-group-sync.settings" . | fromYaml -}}
{{- $read := pick $settings "http" "journal" "log" -}}
{{- $_ := set $read "service" (pick $settings.service "unknownOutcomeWait") -}}
{{- if not (and .Values.persistence.enabled (include "plane-group-sync.keepsJournal" .)) -}}
{{- $_ := set $read "host" (urlParse (default "" $settings.service.baseUrl)).host -}}
{{- end -}}
{{ toYaml $read }}
{{- end }}
