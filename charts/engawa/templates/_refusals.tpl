{{/*
Refuses invalid combinations of values, each with a message that names the value and the correction. values.schema.json
refuses invalid single values.
*/}}
{{- define "engawa.refuse" -}}
{{- include "engawa.refuseLabelValues" (dict "what" "nameOverride" "labels" (dict "app.kubernetes.io/name" (include "engawa.name" .))) -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" (include "engawa.fullname" .)) -}}
{{- fail (printf "objects would be called %s-query and so on, but the name of a Service has only a-z, 0-9 and -, and begins with a letter; set fullnameOverride to such a name" (include "engawa.fullname" .)) -}}
{{- end -}}
{{- if not .Values.enabled -}}
{{- fail "enabled is off, but the chart is rendered; a parent chart needs `condition: engawa.enabled` in its dependency to omit it" -}}
{{- end -}}
{{- if and (not .Values.cursors.existingSecret) (not .Values.demo.enabled) (not (include "engawa.hasCluster" .)) -}}
{{- fail "cursors.existingSecret is not set, and Helm has no access to the cluster (helm template, Argo CD): each rendering would generate another secret and invalidate all cursors; create a Secret with CURSOR_SECRET, and set cursors.existingSecret to its name" -}}
{{- end -}}
{{- include "engawa.refuseTable" . -}}
{{- include "engawa.refuseBroker" . -}}
{{- include "engawa.refuseSharing" . -}}
{{- include "engawa.refuseAuth" . -}}
{{- $services := include "engawa.services" . | fromJsonArray -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute.enabled is on, but httpRoute.parentRefs is empty; set it to the gateway, such as [{name: public, namespace: gateway}]" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.annotations) (ne .Values.ingress.pathStyle "wildcards") -}}
{{- fail "ingress.enabled is on, but ingress.annotations is empty; its paths are regular expressions, which each controller enables by its own annotation, such as nginx.ingress.kubernetes.io/use-regex (docs/deploy.md)" -}}
{{- end -}}
{{- if and .Values.ingress.enabled .Values.console.enabled (hasKey .Values.ingress.annotations "traefik.ingress.kubernetes.io/router.pathmatcher") -}}
{{- fail "ingress.annotations has the path matcher of Traefik, which finds an expression anywhere in a path: requests of the console below /api would reach the services; enable httpRoute instead of ingress (docs/deploy.md)" -}}
{{- end -}}
{{- if not $services -}}
{{- fail "no service is enabled; set ingestion.enabled, registry.enabled, query.enabled or catalog.enabled" -}}
{{- end -}}
{{- range $component := include "engawa.servers" . | fromJsonArray -}}
{{- $values := include "engawa.valuesOf" (dict "root" $ "component" $component) | fromYaml -}}
{{- include "engawa.refuseScale" (dict "component" $component "values" $values) -}}
{{- end -}}
{{- include "engawa.refuseAccounts" . -}}
{{- include "engawa.refuseMonitoring" . -}}
{{- include "engawa.refuseLabels" (dict "what" "commonLabels" "labels" (include "engawa.rendered" (dict "root" . "values" .Values.commonLabels) | fromYaml)) -}}
{{- include "engawa.refuseEntryMetadata" . -}}
{{- range $component := include "engawa.workloads" . | fromJsonArray -}}
{{- $of := dict "root" $ "component" $component -}}
{{- include "engawa.refusePods" (set $of "values" (include "engawa.valuesOf" $of | fromYaml)) -}}
{{- end -}}
{{- end -}}

{{- define "engawa.refuseTable" -}}
{{- if .Values.demo.enabled -}}
{{- if or .Values.aws.endpoint .Values.aws.region .Values.aws.existingSecret -}}
{{- fail "demo.enabled installs its own DynamoDB API; leave aws.endpoint, aws.region and aws.existingSecret empty, or turn demo.enabled off" -}}
{{- end -}}
{{- else -}}
{{- if not .Values.table.name -}}
{{- fail "table.name is not set; set it to the name of the DynamoDB table, or turn demo.enabled on for a trial without one" -}}
{{- end -}}
{{- if and (not .Values.aws.region) (not .Values.aws.endpoint) -}}
{{- fail "aws.region is not set; set it to the region of the table, or set aws.endpoint to the URL of another DynamoDB API" -}}
{{- end -}}
{{- end -}}
{{- with .Values.table -}}
{{- if and (eq .billing "provisioned") (or (not .readUnits) (not .writeUnits)) -}}
{{- fail "table.billing is provisioned, so table.readUnits and table.writeUnits are required; set both, or use on-demand" -}}
{{- end -}}
{{- if and (eq .billing "on-demand") (or .readUnits .writeUnits) -}}
{{- fail "table.readUnits and table.writeUnits are for table.billing provisioned; leave them 0 for on-demand" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "engawa.refuseBroker" -}}
{{- with .Values.mqtt -}}
{{- if and $.Values.demo.enabled (or .url .existingSecret .tls.enabled) -}}
{{- fail "demo.enabled installs its own broker; leave mqtt.url, mqtt.existingSecret and mqtt.tls.enabled empty, or turn demo.enabled off" -}}
{{- end -}}
{{- if and $.Values.ingestion.enabled (not $.Values.demo.enabled) (not .url) -}}
{{- fail "mqtt.url is not set; set it to the broker's address, such as mqtts://broker.example:8883, or turn ingestion.enabled off" -}}
{{- end -}}
{{- if contains "@" .url -}}
{{- fail "mqtt.url contains a user name or password; put them into a Secret with username and password, and set mqtt.existingSecret to its name" -}}
{{- end -}}
{{- if regexMatch "(?i)[?&][^=]*(token|passw|secret|signature|credential|api[-_]?key)" .url -}}
{{- fail "mqtt.url contains a token; it would be in a ConfigMap, and the services refuse it: put user and password into mqtt.existingSecret" -}}
{{- end -}}
{{- if and .tls.enabled (not .tls.existingSecret) -}}
{{- fail "mqtt.tls.enabled is on, but mqtt.tls.existingSecret is empty; set it to the Secret with ca.crt, or turn mqtt.tls.enabled off if a public authority signed the broker's certificate" -}}
{{- end -}}
{{- if and .tls.enabled (not (regexMatch "^(mqtts|wss)://" .url)) -}}
{{- fail (printf "mqtt.tls.enabled is on, but mqtt.url is %s, which is not encrypted; it must begin with mqtts:// or wss://" .url) -}}
{{- end -}}
{{- if and .tls.clientCertificate (not .tls.enabled) -}}
{{- fail "mqtt.tls.clientCertificate needs mqtt.tls.enabled, and the Secret with tls.crt and tls.key in mqtt.tls.existingSecret" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Validates how several replicas of ingestion share messages. Takes the root. */}}
{{- define "engawa.refuseSharing" -}}
{{- if .Values.ingestion.enabled -}}
{{- $ingestion := include "engawa.valuesOf" (dict "root" . "component" "ingestion") | fromYaml -}}
{{- $partitions := int .Values.mqtt.partitions -}}
{{- $replicas := int $ingestion.replicas -}}
{{- with .Values.mqtt -}}
{{- if and .group (gt $partitions 1) -}}
{{- fail "mqtt.group and mqtt.partitions are alternatives; set mqtt.group if the broker keeps shared subscriptions over a restart (HiveMQ, EMQX), otherwise mqtt.partitions (Mosquitto)" -}}
{{- end -}}
{{- if and $ingestion.autoscaling.enabled (not .group) -}}
{{- fail "ingestion.autoscaling.enabled needs mqtt.group, and a broker that keeps shared subscriptions over a restart (HiveMQ, EMQX; not Mosquitto); otherwise set ingestion.replicas and mqtt.partitions" -}}
{{- end -}}
{{- if and (gt $partitions 1) (not (hasKey $ingestion "replicas")) -}}
{{- fail "mqtt.partitions needs ingestion.replicas, which is null: each replica has to know the number of replicas; set it, or use mqtt.group" -}}
{{- end -}}
{{- if and (gt $replicas 1) (not .group) (le $partitions 1) -}}
{{- fail (printf "ingestion.replicas is %d, but mqtt.group and mqtt.partitions are not set; set mqtt.group if the broker keeps shared subscriptions over a restart (HiveMQ, EMQX), otherwise mqtt.partitions (Mosquitto)" $replicas) -}}
{{- end -}}
{{- if and (gt $partitions 1) (lt $partitions $replicas) -}}
{{- fail (printf "mqtt.partitions is %d and ingestion.replicas %d; a replica without a partition receives no messages" $partitions $replicas) -}}
{{- end -}}
{{- if and (gt (int .connections) 1) (not .group) -}}
{{- fail (printf "mqtt.connections is %d, which needs mqtt.group; with mqtt.partitions each partition has its own connection" (int .connections)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "engawa.refuseAuth" -}}
{{- $mode := include "engawa.authMode" . -}}
{{- if not $mode -}}
{{- fail "auth.mode is not set; set it to jwt with auth.issuer and auth.audience, or to none to allow every client that the network policies admit" -}}
{{- end -}}
{{- if and .Values.auth.clientId (ne $mode "jwt") -}}
{{- fail "auth.clientId is set, but auth.mode is not jwt; set auth.mode to jwt, or remove auth.clientId" -}}
{{- end -}}
{{- if and (eq $mode "jwt") (or (not .Values.auth.issuer) (not .Values.auth.audience)) -}}
{{- fail "auth.mode is jwt, so auth.issuer and auth.audience are required: the iss and aud of the tokens" -}}
{{- end -}}
{{- end -}}

{{- define "engawa.refuseMonitoring" -}}
{{- include "engawa.refuseAlerts" . -}}
{{- with .Values.monitoring -}}
{{- if and .serviceMonitor.enabled .podMonitor.enabled -}}
{{- fail "monitoring.serviceMonitor.enabled and monitoring.podMonitor.enabled are both on, so each replica would be scraped twice; turn one of them off" -}}
{{- end -}}
{{- range $name := list "serviceMonitor" "podMonitor" -}}
{{- $monitor := get $.Values.monitoring $name -}}
{{- if gt (trimSuffix "s" (default "0s" $monitor.scrapeTimeout) | int) (trimSuffix "s" $monitor.interval | int) -}}
{{- fail (printf "monitoring.%s.scrapeTimeout is %s, which is more than its interval (%s); Prometheus refuses that" $name $monitor.scrapeTimeout $monitor.interval) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
