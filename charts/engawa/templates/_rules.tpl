{{/*
The groups of rules/engawa.yaml, for this release, as a list in YAML, without the alerts that the values turn off, and with
the changes of the values. Takes the root.
*/}}
{{- define "engawa.ruleGroups" -}}
{{- $given := .Values.monitoring.rules -}}
{{- $groups := list -}}
{{- range $group := (include "engawa.ruleText" . | fromYaml).groups -}}
{{- $rules := list -}}
{{- range $rule := $group.rules -}}
{{- $changes := deepCopy (default dict (get (default dict $given.alerts) (default "" $rule.alert))) -}}
{{- if and $rule.alert $given.alertLabels -}}
{{- $_ := set $rule "labels" (mustMerge (deepCopy $given.alertLabels) (default dict $rule.labels)) -}}
{{- end -}}
{{- if ne (toString (get $changes "enabled")) "false" -}}
{{- $rules = append $rules (mustMergeOverwrite $rule (omit $changes "enabled")) -}}
{{- end -}}
{{- end -}}
{{- if $rules -}}{{- $groups = append $groups (set $group "rules" $rules) -}}{{- end -}}
{{- end -}}
{{- toYaml $groups -}}
{{- end -}}

{{/* Refuses unknown alert names, which would have no effect. Takes the root. */}}
{{- define "engawa.refuseAlerts" -}}
{{- $known := list -}}
{{- range (.Files.Get "rules/engawa.yaml" | fromYaml).groups -}}
{{- range .rules -}}{{- $known = append $known (default "" .alert) -}}{{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.monitoring.rules.alerts -}}
{{- if not (has $name $known) -}}
{{- fail (printf "monitoring.rules.alerts has %s, but there is no such alert; known alerts: %s" $name (without $known "" | uniq | join ", ")) -}}
{{- end -}}
{{- end -}}
{{- end -}}
