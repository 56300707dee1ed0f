{{/* The enabled services with an API, as a list in JSON, in the order in which readings pass them. */}}
{{- define "engawa.services" -}}
{{- $on := list -}}
{{- range $component := list "ingestion" "registry" "query" "catalog" -}}
{{- if (index $.Values $component).enabled -}}{{- $on = append $on $component -}}{{- end -}}
{{- end -}}
{{- toJson $on -}}
{{- end -}}

{{/* The enabled services and the console, as a list in JSON: all workloads that serve HTTP until they are stopped. */}}
{{- define "engawa.servers" -}}
{{- $on := include "engawa.services" . | fromJsonArray -}}
{{- if .Values.console.enabled -}}{{- $on = append $on "console" -}}{{- end -}}
{{- toJson $on -}}
{{- end -}}

{{/* All workloads with pods, as a list in JSON. */}}
{{- define "engawa.workloads" -}}
{{- $on := include "engawa.servers" . | fromJsonArray -}}
{{- if .Values.table.create -}}{{- $on = append $on "table" -}}{{- end -}}
{{- if .Values.rollup.enabled -}}{{- $on = append $on "rollup" -}}{{- end -}}
{{- toJson (append $on "test") -}}
{{- end -}}

{{/*
All values of a workload as YAML: `defaults`, overridden by its own values; null removes a value. A Job uses only the
values of `defaults` that apply to any pod, without extraContainers: a Job ends with its last container. The demo's
pods, with third-party images, use placement, labels and security. The console never opens the table, so its account
does not get the annotations of `defaults`, such as a role. Takes (dict "root" $ "component" "query").
*/}}
{{- define "engawa.valuesOf" -}}
{{- $values := deepCopy .root.Values.defaults -}}
{{- if eq .component "console" -}}{{- $_ := set $values.serviceAccount "annotations" dict -}}{{- end -}}
{{- if not (has .component (list "ingestion" "registry" "query" "catalog" "console")) -}}
{{- $taken := list "annotations" "podAnnotations" "podLabels" "podSecurityContext" "securityContext" "nodeSelector" "tolerations" "affinity" "priorityClassName" "hostAliases" -}}
{{- if has .component (list "table" "rollup" "test") -}}
{{- $taken = concat $taken (list "extraEnv" "envFrom" "extraVolumes" "extraVolumeMounts" "initContainers") -}}
{{- end -}}
{{- range $key := keys $values -}}{{- if not (has $key $taken) -}}{{- $_ := unset $values $key -}}{{- end -}}{{- end -}}
{{- end -}}
{{- $values = mustMergeOverwrite $values (deepCopy (default dict (get .root.Values .component))) -}}
{{- include "engawa.dropNulls" $values -}}
{{- /* Some versions of Helm lose a parent chart's null (3.10, 4.3), so an empty text also removes a user id. */ -}}
{{- range $context := list "podSecurityContext" "securityContext" -}}
{{- range $key, $value := get $values $context -}}
{{- if eq (toString $value) "" -}}{{- $_ := unset (get $values $context) $key -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- include "engawa.renderIn" (dict "root" .root "map" $values "keys" (list "podLabels" "podAnnotations" "annotations")) -}}
{{- include "engawa.renderIn" (dict "root" .root "map" $values.serviceAccount "keys" (list "annotations")) -}}
{{- include "engawa.renderIn" (dict "root" .root "map" $values.service "keys" (list "labels" "annotations")) -}}
{{- with $values.autoscaling -}}
{{- include "engawa.renderIn" (dict "root" $.root "map" .keda "keys" (list "annotations")) -}}
{{- end -}}
{{- toYaml $values -}}
{{- end -}}

{{/* Renders, in place, labels or annotations in a map of values. Takes (dict "root" $ "map" <map> "keys" <list>). */}}
{{- define "engawa.renderIn" -}}
{{- range $key := .keys -}}
{{- with dig $key dict (default dict $.map) -}}
{{- $_ := set $.map $key (include "engawa.rendered" (dict "root" $.root "values" .) | fromYaml) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Number of ingestion replicas that accept readings over HTTP only, so that the API is available while a single StatefulSet
replica is replaced; empty for none. An autoscaler of the StatefulSet would include their CPU. Takes ingestion's values.
*/}}
{{- define "engawa.httpReplicas" -}}
{{- $given := toString .httpReplicas -}}
{{- if has $given (list "" "<nil>") -}}
{{- $given = ternary "1" "0" (and (not .autoscaling.enabled) (eq (toString .replicas) "1")) -}}
{{- end -}}
{{- if ne $given "0" -}}{{- $given -}}{{- end -}}
{{- end -}}

{{/* Removes, in place, null values from a map and its nested maps. */}}
{{- define "engawa.dropNulls" -}}
{{- $map := . -}}
{{- range $key := keys $map -}}
{{- $value := get $map $key -}}
{{- if kindIs "invalid" $value -}}{{- $_ := unset $map $key -}}
{{- else if kindIs "map" $value -}}{{- include "engawa.dropNulls" $value -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "engawa.tableName" -}}
{{- default (ternary "engawa" "" .Values.demo.enabled) .Values.table.name -}}
{{- end -}}

{{/* URL of the DynamoDB API; empty for AWS. */}}
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

{{/* The port of a URL as text: explicit, or the default of its scheme. */}}
{{- define "engawa.portOf" -}}
{{- $url := urlParse . -}}
{{- $own := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- $known := dict "http" "80" "https" "443" "ws" "80" "wss" "443" "mqtt" "1883" "mqtts" "8883" -}}
{{- default (get $known $url.scheme) $own -}}
{{- end -}}
