{{/* The services that are switched on, as a list in JSON; in the order in which readings pass them. */}}
{{- define "engawa.services" -}}
{{- $on := list -}}
{{- range $component := list "ingestion" "registry" "query" "catalog" -}}
{{- if (index $.Values $component).enabled -}}{{- $on = append $on $component -}}{{- end -}}
{{- end -}}
{{- toJson $on -}}
{{- end -}}

{{/* All values of a service as YAML: those of `defaults`, and its own, which win. Takes (dict "root" $ "component" "query"). */}}
{{- define "engawa.serviceValues" -}}
{{- mustMergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (index .root.Values .component)) | toYaml -}}
{{- end -}}

{{- define "engawa.tableName" -}}
{{- default (ternary "engawa" "" .Values.demo.enabled) .Values.table.name -}}
{{- end -}}

{{/* Where the DynamoDB API is; empty for that of AWS. */}}
{{- define "engawa.tableEndpoint" -}}
{{- if .Values.demo.enabled -}}
http://{{ include "engawa.componentName" (dict "root" . "component" "dynamodb") }}:8000
{{- else -}}
{{ .Values.aws.endpoint }}
{{- end -}}
{{- end -}}

{{- define "engawa.brokerUrl" -}}
{{- if .Values.demo.enabled -}}
mqtt://{{ include "engawa.componentName" (dict "root" . "component" "broker") }}:1883
{{- else -}}
{{ .Values.mqtt.url }}
{{- end -}}
{{- end -}}

{{- define "engawa.authMode" -}}
{{- default (ternary "none" "" .Values.demo.enabled) .Values.auth.mode -}}
{{- end -}}

{{/* The port of a URL, as a number in text: its own, or that of its scheme. */}}
{{- define "engawa.portOf" -}}
{{- $url := urlParse . -}}
{{- $own := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- $known := dict "http" "80" "https" "443" "ws" "80" "wss" "443" "mqtt" "1883" "mqtts" "8883" -}}
{{- default (get $known $url.scheme) $own -}}
{{- end -}}
