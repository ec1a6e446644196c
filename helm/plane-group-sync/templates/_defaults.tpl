{{/* Generated from values.yaml. */}}
{{- define "plane-group-sync.defaults" -}}
image:
  repository: plane-group-sync
  tag: ""
  digest: ""
  pullPolicy: IfNotPresent
imagePullSecrets: []
replicas: 1
nameOverride: ""
fullnameOverride: ""
settings:
  service: {}
  workspaces: {}
declaration:
  files: {}
  existingConfigMap: ""
  configMaps: []
  path: ""
existingSecret: plane-group-sync
secretItems: []
persistence:
  enabled: true
  size: 1Gi
  storageClassName: ""
  existingClaim: ""
serviceAccount:
  create: true
  name: ""
  annotations: {}
service:
  enabled: true
  port: 9464
  annotations: {}
page:
  enabled: false
  tokenFile: /run/secrets/plane-group-sync/page-token
serviceMonitor:
  enabled: false
  labels: {}
  interval: ""
  scrapeTimeout: ""
prometheusRule:
  enabled: false
  labels: {}
  selector: ""
  disabled: []
  alertLabels: {}
  runbookUrl: ""
dashboard:
  enabled: false
  labels:
    grafana_dashboard: "1"
  annotations: {}
networkPolicy:
  enabled: false
  metricsFrom: []
  dnsTo: []
  egress: []
resources:
  requests:
    cpu: 50m
    memory: 128Mi
  limits:
    memory: 512Mi
podSecurityContext:
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
probes:
  startup:
    periodSeconds: 1
    timeoutSeconds: 5
    failureThreshold: 180
  liveness:
    periodSeconds: 15
    timeoutSeconds: 5
    failureThreshold: 4
  readiness:
    periodSeconds: 5
    timeoutSeconds: 5
    failureThreshold: 3
commonLabels: {}
deploymentAnnotations: {}
podAnnotations: {}
podLabels: {}
nodeSelector: {}
tolerations: []
affinity: {}
priorityClassName: ""
hostAliases: []
dnsConfig: {}
extraEnv: []
extraEnvFrom: []
extraVolumes: []
extraVolumeMounts: []
initContainers: []
extraContainers: []
extraObjects: []
{{- end }}
