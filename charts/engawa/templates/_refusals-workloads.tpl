{{/*
Validates the values of each workload: invalid combinations, and values that would replace parts of the chart's own objects.
*/}}

{{/* Takes (dict "component" "query" "values" <its values>). */}}
{{- define "engawa.refuseScale" -}}
{{- $component := .component -}}
{{- with .values -}}
{{- if .autoscaling.enabled -}}
{{- if gt (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas) -}}
{{- fail (printf "%s.autoscaling.minReplicas is %d and maxReplicas %d; minReplicas must not exceed maxReplicas" $component (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas)) -}}
{{- end -}}
{{- if not (or .autoscaling.cpuPercent .autoscaling.unacknowledgedMessages .autoscaling.metrics (and .autoscaling.keda.enabled .autoscaling.keda.triggers)) -}}
{{- fail (printf "%s.autoscaling.enabled is on without a metric to scale by; set %s.autoscaling.cpuPercent%s" $component $component (ternary " or unacknowledgedMessages" "" (eq $component "ingestion"))) -}}
{{- end -}}
{{- end -}}
{{- with .autoscaling -}}
{{- if and .keda.enabled (not .enabled) -}}
{{- fail (printf "%s.autoscaling.keda.enabled is on, but %s.autoscaling.enabled is off; KEDA replaces the autoscaler, so set both" $component $component) -}}
{{- end -}}
{{- if and .keda.enabled (or .metrics .unacknowledgedMessages) -}}
{{- fail (printf "%s.autoscaling has metrics or unacknowledgedMessages, which KEDA does not support; add a trigger to keda.triggers, for example of the type prometheus" $component) -}}
{{- end -}}
{{- end -}}
{{- if and .autoscaling.enabled .httpReplicas -}}
{{- fail (printf "%s.httpReplicas is %s, but %s.autoscaling.enabled is on and would include their CPU; two or more replicas keep the API available without them, so leave httpReplicas empty" $component (toString .httpReplicas) $component) -}}
{{- end -}}
{{- if lt (int .terminationGracePeriodSeconds) (add (int .drainSeconds) 10 | int) -}}
{{- fail (printf "%s.terminationGracePeriodSeconds is %d, which leaves no time for requests and messages in flight; set it to at least drainSeconds (%d) plus 10" $component (int .terminationGracePeriodSeconds) (int .drainSeconds)) -}}
{{- end -}}
{{- with .podDisruptionBudget -}}
{{- if and (ne (toString .minAvailable) "") (ne (toString .maxUnavailable) "") -}}
{{- fail (printf "%s.podDisruptionBudget has minAvailable and maxUnavailable, but Kubernetes accepts only one of them; leave the other empty" $component) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Each service account that the chart creates belongs to one workload: for least privileges, and because Helm deletes the
account of the table's Job with the Job. Takes the root.
*/}}
{{- define "engawa.refuseAccounts" -}}
{{- $owners := dict -}}
{{- range $component := without (include "engawa.workloads" . | fromJsonArray) "test" -}}
{{- $of := dict "root" $ "component" $component -}}
{{- $_ := set $of "values" (include "engawa.valuesOf" $of | fromYaml) -}}
{{- $account := $of.values.serviceAccount -}}
{{- $name := include "engawa.accountName" $of -}}
{{- if and (not $account.create) (not $account.name) -}}
{{- fail (printf "%s.serviceAccount.create is off, but %s.serviceAccount.name is empty; set it to an existing account, such as default" $component $component) -}}
{{- end -}}
{{- if and $account.create (hasKey $owners $name) -}}
{{- fail (printf "the service accounts of %s and %s would both be called %s; set a different serviceAccount.name for each, or create a shared account yourself and set serviceAccount.create to false" (get $owners $name) $component $name) -}}
{{- end -}}
{{- if $account.create -}}{{- $_ := set $owners $name $component -}}{{- end -}}
{{- end -}}
{{- end -}}

{{/* Takes (dict "what" "query.podLabels" "labels" <map>). */}}
{{- define "engawa.refuseLabels" -}}
{{- include "engawa.refuseLabelValues" . -}}
{{- range $label, $_ := .labels -}}
{{- if regexMatch "^(app.kubernetes.io|helm.sh|engawa)/" $label -}}
{{- fail (printf "%s has %s, which the chart uses in its selectors; use another label" $.what $label) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Additions to pods must not replace parts that the chart sets. Takes (dict "root" $ "component" "query" "values" <its
values>).
*/}}
{{- define "engawa.refusePods" -}}
{{- $component := .component -}}
{{- $values := .values -}}
{{- $own := include "engawa.ownOf" . | fromYaml -}}
{{- include "engawa.refuseEnv" (dict "component" $component "values" $values "own" (include "engawa.ownEnvNames" (set . "own" $own) | fromJsonArray)) -}}
{{- include "engawa.refuseMetadata" . -}}
{{- range $key := list "podAnnotations" "annotations" -}}
{{- range $name, $_ := get $values $key -}}
{{- if regexMatch "^(helm.sh/hook|checksum/settings$)" $name -}}
{{- fail (printf "%s.%s has %s, which the chart sets itself; remove it" $component $key $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $volumes := list -}}{{- range $own.volumes -}}{{- $volumes = append $volumes .name -}}{{- end -}}
{{- range $values.extraVolumes -}}
{{- if has .name $volumes -}}
{{- fail (printf "%s.extraVolumes has %s, which is a volume of the chart; give it another name" $component .name) -}}
{{- end -}}
{{- end -}}
{{- $paths := list -}}{{- range $own.volumeMounts -}}{{- $paths = append $paths .mountPath -}}{{- end -}}
{{- range $values.extraVolumeMounts -}}
{{- if has (trimSuffix "/" .mountPath) $paths -}}
{{- fail (printf "%s.extraVolumeMounts has %s, where the chart mounts a volume; use another mountPath" $component .mountPath) -}}
{{- end -}}
{{- end -}}
{{- range concat (default list $values.initContainers) (default list $values.extraContainers) -}}
{{- if eq .name $component -}}
{{- fail (printf "%s has a container called %s among initContainers or extraContainers, the name of its own container; use another name" $component .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Names of the environment variables that the chart sets for a workload, as a list in JSON. Takes the arguments of
engawa.refusePods, and "own".
*/}}
{{- define "engawa.ownEnvNames" -}}
{{- $names := list -}}
{{- if has .component (list "ingestion" "registry" "query" "catalog" "console") -}}
{{- $names = append (keys (include "engawa.serviceSettings" . | fromYaml)) "NODE_OPTIONS" -}}
{{- end -}}
{{- range .own.env -}}{{- $names = append $names .name -}}{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* Takes (dict "component" "query" "values" <its values> "own" <names>). */}}
{{- define "engawa.refuseEnv" -}}
{{- $secret := list "CURSOR_SECRET" "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" "AWS_SESSION_TOKEN" "MQTT_USERNAME" "MQTT_PASSWORD" "SEARCH_URL" "PROMETHEUS_TOKEN" "PROMETHEUS_PASSWORD" -}}
{{- range .values.extraEnv -}}
{{- if and (has .name $secret) (not (dig "valueFrom" "secretKeyRef" "" .)) -}}
{{- fail (printf "%s.extraEnv has %s, which is a secret; put it into a Secret, and name the Secret in existingSecret of cursors, aws, mqtt, catalog.search or console.prometheus, or in valueFrom.secretKeyRef" $.component .name) -}}
{{- end -}}
{{- if has .name $.own -}}
{{- fail (printf "%s.extraEnv has %s, which the chart sets itself; use the value or setting for it" $.component .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
