{{- define "plane-group-sync.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "plane-group-sync.fullname" -}}
{{- $name := include "plane-group-sync.name" . -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains $name .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" }}
{{- end -}}
{{- end }}

{{- define "plane-group-sync.selector" -}}
app.kubernetes.io/name: {{ include "plane-group-sync.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "plane-group-sync.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "plane-group-sync.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "plane-group-sync.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "plane-group-sync.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end }}

{{- define "plane-group-sync.image" -}}
{{- if .Values.image.digest -}}
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

{{/* The operator's settings, with what the chart alone can know: where it mounts things. */}}
{{- define "plane-group-sync.settings" -}}
{{- $settings := deepCopy .Values.settings -}}
{{- $_ := set $settings "version" 1 -}}
{{- $_ := set $settings "declaration" "/etc/plane-group-sync/groups" -}}
{{- $_ := set $settings "http" (dict "listen" "0.0.0.0:9464") -}}
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
{{- $_ := set $read "host" (urlParse $settings.service.baseUrl).host -}}
{{- end -}}
{{ toYaml $read }}
{{- end }}
