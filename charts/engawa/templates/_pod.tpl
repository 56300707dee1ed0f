{{/*
The template of all pods: the chart's own settings of the workload's container (_own.tpl, demo/), and additions of the
values. Takes (dict "root" $ "component" "query" "values" <engawa.valuesOf> "own" <dict>). `own` has keys of a container
(args, env, ports and so on), in `pod` keys of a pod's spec, in `annotations` those of its metadata, and in `user` the
image's user.
*/}}
{{- define "engawa.podTemplate" -}}
metadata:
  labels: {{ include "engawa.labelsWith" (dict "root" .root "component" .component "more" .values.podLabels) | nindent 4 }}
    {{- if .overHttpOnly }}
    engawa/readings: http
    {{- end }}
  {{- with mustMerge (default dict .own.annotations) (default dict .values.podAnnotations) }}
  annotations: {{ toYaml . | nindent 4 }}
  {{- end }}
spec: {{ include "engawa.podSpec" . | nindent 2 }}
{{- end -}}

{{- define "engawa.podSpec" -}}
{{- $values := .values -}}
{{- with .own.pod }}
{{- toYaml . }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with concat (default list .root.Values.imagePullSecrets) (dig "imagePullSecrets" list (default dict .root.Values.global) | default list) }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext: {{ include "engawa.podSecurity" . | nindent 2 }}
{{- range $key := list "priorityClassName" "nodeSelector" "tolerations" "affinity" "hostAliases" "terminationGracePeriodSeconds" "initContainers" }}
{{- with get $values $key }}
{{ $key }}: {{ if kindIs "float64" . }}{{ include "engawa.text" . }}{{ else if kindIs "string" . }}{{ quote . }}{{ else }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end }}
{{- end }}
containers:
  - {{ include "engawa.container" . | nindent 4 }}
  {{- with $values.extraContainers }}{{ toYaml . | nindent 2 }}{{ end }}
{{- with concat (default list .own.volumes) (default list $values.extraVolumes) }}
volumes: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The workload's own container. Its ConfigMap is the last of envFrom and therefore takes precedence. */}}
{{- define "engawa.container" -}}
{{- $values := .values -}}
{{- $own := .own -}}
name: {{ .component }}
image: {{ default (include "engawa.image" .root) $own.image }}
{{- if not $own.image }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- end }}
{{- $lists := dict
  "command" $own.command
  "args" $own.args
  "ports" $own.ports
  "envFrom" (concat (default list $values.envFrom) (default list $own.envFrom))
  "env" (concat (default list $own.env) (default list $values.extraEnv))
  "volumeMounts" (concat (default list $own.volumeMounts) (default list $values.extraVolumeMounts))
}}
{{- range $key := list "command" "args" "ports" "envFrom" "env" "volumeMounts" }}
{{- with get $lists $key }}
{{ $key }}: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- range $key := list "startupProbe" "livenessProbe" "readinessProbe" "lifecycle" "resources" "securityContext" }}
{{- with default (get $values $key) (get $own $key) }}
{{ $key }}: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
Security context of the pod. If the values set a user, an image with another user keeps its own; if they set none, the
cluster assigns one (OpenShift).
*/}}
{{- define "engawa.podSecurity" -}}
{{- $context := deepCopy (default dict .values.podSecurityContext) -}}
{{- with .own.user -}}
{{- range $key := list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if hasKey $context $key -}}{{- $_ := set $context $key $.own.user -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end -}}

{{/* Spread over nodes and zones where possible, unless the values set constraints; a list in YAML. */}}
{{- define "engawa.spread" -}}
{{- if .values.topologySpreadConstraints -}}
{{ toYaml .values.topologySpreadConstraints }}
{{- else -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{ include "engawa.selectorLabels" $ | nindent 6 }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* The service account of a workload: the name in the values, or the default name. */}}
{{- define "engawa.accountName" -}}
{{- default (include "engawa.componentName" .) .values.serviceAccount.name -}}
{{- end -}}
