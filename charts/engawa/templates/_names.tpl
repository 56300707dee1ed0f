{{/*
Names and labels. A name leaves room for the longest derived name: 63 characters for a Service and for the hash that
Kubernetes appends to a StatefulSet's revision, 52 for a CronJob. Truncated names get a hash, so that they stay unique.
*/}}
{{- define "engawa.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "engawa.fullname" -}}
{{- $name := .Values.fullnameOverride -}}
{{- if not $name -}}
{{- $name = ternary .Release.Name (printf "%s-%s" .Release.Name (include "engawa.name" .)) (contains (include "engawa.name" .) .Release.Name) -}}
{{- end -}}
{{- if gt (len $name) 40 -}}
{{- printf "%s-%s" (trunc 31 $name | trimSuffix "-") (sha256sum $name | trunc 8) -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{/* The name of a component's objects. Takes (dict "root" $ "component" "query"). */}}
{{- define "engawa.componentName" -}}
{{ include "engawa.fullname" .root }}-{{ .component }}
{{- end -}}

{{/* The immutable labels of a component, for selectors. */}}
{{- define "engawa.selectorLabels" -}}
app.kubernetes.io/name: {{ include "engawa.name" .root | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "engawa.labels" -}}
{{ include "engawa.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: engawa
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ include "engawa.rendered" (dict "root" $.root "values" .) }}
{{- end }}
{{- end -}}

{{/*
The labels of a component with additional labels, which take precedence. Takes (dict "root" $ "component" "query" "more"
<labels>).
*/}}
{{- define "engawa.labelsWith" -}}
{{- $more := include "engawa.rendered" (dict "root" .root "values" .more) | fromYaml -}}
{{- mustMerge $more (include "engawa.labels" . | fromYaml) | toYaml -}}
{{- end -}}

{{/* Labels or annotations of the values as YAML, with their templates rendered. Takes (dict "root" $ "values" <map>). */}}
{{- define "engawa.rendered" -}}
{{- $rendered := dict -}}
{{- range $name, $value := .values -}}
{{- if contains "{{" (toString $value) -}}{{- $value = tpl $value $.root -}}{{- end -}}
{{- $_ := set $rendered $name $value -}}
{{- end -}}
{{- toYaml $rendered -}}
{{- end -}}

{{/* The image of all services. Takes the root. */}}
{{- define "engawa.image" -}}
{{- $image := .Values.image -}}
{{- $registry := default $image.registry (include "engawa.globalRegistry" .) -}}
{{- $name := ternary (printf "%s/%s" $registry $image.repository) $image.repository (ne $registry "") -}}
{{- if $image.digest -}}
{{ $name }}@{{ $image.digest }}
{{- else -}}
{{ $name }}:{{ default .Chart.AppVersion $image.tag }}
{{- end -}}
{{- end -}}

{{/* The registry of all images, including those of the demo; empty if each image has its own. Takes the root. */}}
{{- define "engawa.globalRegistry" -}}
{{- dig "imageRegistry" "" (default dict .Values.global) | default "" -}}
{{- end -}}

{{/* An image of the demo. Takes (dict "root" $ "image" "eclipse-mosquitto:2.0.22"). */}}
{{- define "engawa.otherImage" -}}
{{- with include "engawa.globalRegistry" .root -}}{{ . }}/{{- end -}}{{ .image }}
{{- end -}}

{{/* The Secret with the key of page cursors: an existing one, or the chart's own. */}}
{{- define "engawa.cursorSecret" -}}
{{- default (printf "%s-cursors" (include "engawa.fullname" .)) .Values.cursors.existingSecret -}}
{{- end -}}

{{/*
Non-empty if Helm has access to a cluster, so that `lookup` finds existing objects. Without a cluster Helm reports all
API versions of its own library, including one that no cluster has served since Kubernetes 1.16. Takes the root.
*/}}
{{- define "engawa.hasCluster" -}}
{{- if not (.Capabilities.APIVersions.Has "apps/v1beta1") -}}true{{- end -}}
{{- end -}}

{{/*
Text of a value: whole numbers come from YAML as floats, which Go writes as 1e+06, and an `on` without quotes as true.
*/}}
{{- define "engawa.text" -}}
{{- if kindIs "bool" . -}}{{ ternary "on" "off" . }}{{- else if and (kindIs "float64" .) (eq . (floor .)) -}}{{ printf "%.0f" . }}{{- else -}}{{ toString . }}{{- end -}}
{{- end -}}
