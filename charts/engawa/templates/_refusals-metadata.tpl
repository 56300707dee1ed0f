{{/*
Validates labels and annotations after the rendering of their templates: Kubernetes would refuse them only during the
installation, after it has created other objects.
*/}}

{{/* Those of a workload. Takes (dict "component" "query" "values" <its values>). */}}
{{- define "engawa.refuseMetadata" -}}
{{- $component := .component -}}
{{- $values := .values -}}
{{- $service := default dict $values.service -}}
{{- $keda := dig "autoscaling" "keda" dict $values -}}
{{- include "engawa.refuseLabels" (dict "what" (printf "%s.podLabels" $component) "labels" $values.podLabels) -}}
{{- include "engawa.refuseLabels" (dict "what" (printf "%s.service.labels" $component) "labels" $service.labels) -}}
{{- include "engawa.refuseLabelValues" (dict "what" (printf "%s.nodeSelector" $component) "labels" $values.nodeSelector) -}}
{{- $annotations := dict
  "podAnnotations" $values.podAnnotations
  "annotations" $values.annotations
  "service.annotations" $service.annotations
  "serviceAccount.annotations" (default dict $values.serviceAccount).annotations
  "autoscaling.keda.annotations" $keda.annotations
-}}
{{- range $key, $map := $annotations -}}
{{- include "engawa.refuseAnnotations" (dict "what" (printf "%s.%s" $component $key) "annotations" $map) -}}
{{- end -}}
{{- end -}}

{{/* Those of the objects that belong to no workload. Takes the root. */}}
{{- define "engawa.refuseEntryMetadata" -}}
{{- $maps := dict "httpRoute" .Values.httpRoute "ingress" .Values.ingress -}}
{{- range $name := list "serviceMonitor" "podMonitor" "rules" "dashboards" -}}
{{- $_ := set $maps (printf "monitoring.%s" $name) (get $.Values.monitoring $name) -}}
{{- end -}}
{{- range $name, $map := $maps -}}
{{- $labels := include "engawa.rendered" (dict "root" $ "values" $map.labels) | fromYaml -}}
{{- include "engawa.refuseLabelValues" (dict "what" (printf "%s.labels" $name) "labels" $labels) -}}
{{- $annotations := include "engawa.rendered" (dict "root" $ "values" $map.annotations) | fromYaml -}}
{{- include "engawa.refuseAnnotations" (dict "what" (printf "%s.annotations" $name) "annotations" $annotations) -}}
{{- end -}}
{{- end -}}

{{/* Takes (dict "what" "query.podLabels" "labels" <map>). */}}
{{- define "engawa.refuseLabelValues" -}}
{{- range $name, $value := .labels -}}
{{- include "engawa.refuseName" (dict "what" $.what "name" $name) -}}
{{- if or (gt (len $value) 63) (not (regexMatch "^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$" $value)) -}}
{{- fail (printf "%s has %s: %s, which Kubernetes refuses as the value of a label; allowed are at most 63 characters: letters, digits, -, _ and ., with a letter or digit at both ends" $.what $name (quote $value)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Takes (dict "what" "query.podAnnotations" "annotations" <map>). */}}
{{- define "engawa.refuseAnnotations" -}}
{{- $bytes := 0 -}}
{{- range $name, $value := .annotations -}}
{{- /* Kubernetes accepts upper case in the domain of an annotation, but not in that of a label. */ -}}
{{- include "engawa.refuseName" (dict "what" $.what "name" (lower $name)) -}}
{{- $bytes = add $bytes (len $name) (len $value) -}}
{{- end -}}
{{- if gt (int $bytes) 262144 -}}
{{- fail (printf "%s has %d bytes, which Kubernetes refuses; allowed are 262144 bytes, names and values together" .what $bytes) -}}
{{- end -}}
{{- end -}}

{{/* Takes (dict "what" "query.podLabels" "name" "example.com/team"). */}}
{{- define "engawa.refuseName" -}}
{{- $parts := splitList "/" .name -}}
{{- $domain := ternary (first $parts) "none" (gt (len $parts) 1) -}}
{{- $isDomain := and (le (len $domain) 253) (regexMatch "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" $domain) -}}
{{- $isName := and (le (len (last $parts)) 63) (regexMatch "^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$" (last $parts)) -}}
{{- if not (and $isDomain $isName (le (len $parts) 2)) -}}
{{- fail (printf "%s has the name %s, which Kubernetes refuses; allowed are at most 63 characters: letters, digits, -, _ and ., with a letter or digit at both ends, after an optional domain in lower case and a /" .what (quote .name)) -}}
{{- end -}}
{{- end -}}
