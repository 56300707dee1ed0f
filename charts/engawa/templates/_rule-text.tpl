{{/*
rules/engawa.yaml for this release, as text, with its namespace and name, the URL of the runbooks (without a URL alerts have
no link), and the objective. It is not rendered by `tpl`, since its braces belong to Prometheus. Takes the root.
*/}}
{{- define "engawa.ruleText" -}}
{{- $rules := .Values.monitoring.rules -}}
{{- $slo := .Values.monitoring.slo -}}
{{- $text := .Files.Get "rules/engawa.yaml" -}}
{{- if not $rules.runbooks -}}
{{- $text = regexReplaceAll "\n +runbook_url: [^\n]*" $text "" -}}
{{- end -}}
{{- $text = $text | replace "$namespace" .Release.Namespace | replace "$release" .Release.Name | replace "$runbooks" (trimSuffix "/" $rules.runbooks) -}}
{{- $text = $text | replace "$allowed_errors" (include "engawa.allowedShare" $slo.availability) | replace "$allowed_slow" (include "engawa.allowedShare" $slo.latency.percent) -}}
{{- $text | replace "$target_seconds" (toString $slo.latency.seconds) -}}
{{- end -}}

{{/* The ratio that an objective in percent allows to fail: 0.001 for 99.9. */}}
{{- define "engawa.allowedShare" -}}
{{- divf (subf 100 .) 100 -}}
{{- end -}}

{{/* A dashboard as text, with links to the runbooks. Takes (dict "root" $ "path" "dashboards/overview.json"). */}}
{{- define "engawa.dashboardText" -}}
{{- $runbooks := .root.Values.monitoring.rules.runbooks -}}
{{- $text := .root.Files.Get .path -}}
{{- if $runbooks -}}{{- $text = replace "https://example.com/engawa/docs/runbooks" (trimSuffix "/" $runbooks) $text -}}{{- end -}}
{{- $text -}}
{{- end -}}

{{/*
Desired number of replicas of a service, as an expression: from kube-state-metrics if available (set by a person or an
autoscaler), else from the values. Takes (dict "root" $ "component" "query" "values" <its values>).
*/}}
{{- define "engawa.wantedReplicas" -}}
{{- $stateful := eq .component "ingestion" -}}
{{- $metric := ternary "kube_statefulset_replicas" "kube_deployment_spec_replicas" $stateful -}}
{{- $kind := ternary "statefulset" "deployment" $stateful -}}
{{- $given := ternary .values.autoscaling.minReplicas .values.replicas .values.autoscaling.enabled -}}
{{- $others := ternary (include "engawa.httpReplicas" .values) "" $stateful -}}
{{- $wanted := printf "max(%s{namespace=%q, %s=%q}) or vector(%s)" $metric .root.Release.Namespace $kind (include "engawa.componentName" .) (default 1 $given | toString) -}}
{{ ternary (printf "(%s) + %s" $wanted $others) $wanted (ne $others "") }}
{{- end -}}
