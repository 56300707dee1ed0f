{{/*
Contents of a component's ConfigMap: its settings by environment variable (docs/reference/configuration.md). Empty
settings are omitted, so that the service's own default applies. Secrets are in `engawa.secretEnv`.
*/}}

{{/* Settings of all processes that open the table. Takes the root. */}}
{{- define "engawa.tableSettings" -}}
{{- merge (dict
  "TABLE_NAME" (include "engawa.tableName" .)
  "AWS_REGION" .Values.aws.region
  "DYNAMODB_ENDPOINT" (include "engawa.tableEndpoint" .)
) (include "engawa.tracingSettings" . | fromJson) | toJson -}}
{{- end -}}

{{/* Settings of all processes. Takes the root. */}}
{{- define "engawa.tracingSettings" -}}
{{- dict
  "OTEL_EXPORTER_OTLP_ENDPOINT" .Values.tracing.endpoint
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" .Values.tracing.tracesEndpoint
  "OTEL_RESOURCE_ATTRIBUTES" .Values.tracing.resourceAttributes
  "OTEL_TRACES_SAMPLER" .Values.tracing.sampler
  "OTEL_TRACES_SAMPLER_ARG" .Values.tracing.samplerArgument
| toJson -}}
{{- end -}}

{{/*
Settings of Jobs: the table, and the settings of `defaults.settings` that apply to processes without an API. Takes the root.
*/}}
{{- define "engawa.taskSettings" -}}
{{- $settings := include "engawa.tableSettings" . | fromJson -}}
{{- range $name, $value := pick .Values.defaults.settings "LOG_LEVEL" "DYNAMODB_TIMEOUT_MS" "DYNAMODB_MAX_REQUEST_BYTES" "DYNAMODB_CONSUMED_CAPACITY" "PARTITION_WRITE_LIMIT" "PARTITION_READ_LIMIT" "SHARD_GROWTH" "HOT_PARTITION_KEYS" "OTEL_SERVICE_NAME" -}}
{{- $_ := set $settings $name (include "engawa.text" $value) -}}
{{- end -}}
{{- toJson $settings -}}
{{- end -}}

{{/* Settings of all HTTP services. Takes the root. */}}
{{- define "engawa.httpSettings" -}}
{{- $peers := list -}}
{{- range $service := include "engawa.services" . | fromJsonArray -}}
{{- $peers = append $peers (printf "http://%s-headless:8080" (include "engawa.componentName" (dict "root" $ "component" $service))) -}}
{{- end -}}
{{- $settings := dict
  "HOST" .Values.listenAddress
  "PORT" "8080"
  "METRICS_PORT" "9464"
  "HOT_PARTITION_PEERS" (join "," $peers)
  "AUTH_MODE" (include "engawa.authMode" .)
-}}
{{- if eq (include "engawa.authMode" .) "none" -}}
{{- $_ := set $settings "ALLOWED_HOSTS" (include "engawa.allowedHosts" .) -}}
{{- end -}}
{{- if eq (include "engawa.authMode" .) "jwt" -}}
{{- with .Values.auth -}}
{{- $settings = merge $settings (dict
  "AUTH_ISSUER" .issuer
  "AUTH_AUDIENCE" .audience
  "AUTH_JWKS_URL" .jwksUrl
  "AUTH_ALGORITHMS" .algorithms
  "AUTH_TOKEN_TYPES" .tokenTypes
  "AUTH_CLOCK_TOLERANCE_S" (include "engawa.text" .clockToleranceSeconds)
  "AUTH_PLACES_CLAIM" .placesClaim
) -}}
{{- end -}}
{{- end -}}
{{- toJson $settings -}}
{{- end -}}

{{/* Host names of the release, separated by commas: `<Service>.<namespace>` may also be a public name. Takes the root. */}}
{{- define "engawa.allowedHosts" -}}
{{- $hosts := concat .Values.auth.allowedHosts .Values.ingress.hosts .Values.httpRoute.hostnames -}}
{{- range $service := include "engawa.servers" . | fromJsonArray -}}
{{- $name := include "engawa.componentName" (dict "root" $ "component" $service) -}}
{{- $hosts = append $hosts (printf "%s.%s" $name $.Release.Namespace) -}}
{{- end -}}
{{- join "," $hosts -}}
{{- end -}}

{{/* Settings of the connection to the broker. Takes the root. */}}
{{- define "engawa.mqttSettings" -}}
{{- $settings := dict "MQTT_URL" (include "engawa.brokerUrl" .) "MQTT_GROUP" .Values.mqtt.group -}}
{{- if gt (int .Values.mqtt.partitions) 1 -}}
{{- $ingestion := include "engawa.valuesOf" (dict "root" . "component" "ingestion") | fromYaml -}}
{{- $_ := set $settings "MQTT_PARTITIONS" (include "engawa.text" .Values.mqtt.partitions) -}}
{{- $_ := set $settings "MQTT_REPLICAS" (include "engawa.text" $ingestion.replicas) -}}
{{- else if not .Values.mqtt.group -}}
{{- /* Up to 0.1.0 a single replica was in a group of this name. */ -}}
{{- $_ := set $settings "MQTT_FORMER_GROUP" (printf "%s.%s" .Release.Namespace (include "engawa.fullname" .)) -}}
{{- end -}}
{{- with .Values.mqtt -}}
{{- $settings = merge $settings (dict
  "MQTT_VERSION" .version
  "MQTT_CONNECTIONS" (include "engawa.text" .connections)
  "MQTT_WINDOW" (include "engawa.text" .window)
  "MQTT_SESSION_EXPIRY_SECONDS" (include "engawa.text" .sessionExpirySeconds)
  "MQTT_KEEPALIVE_SECONDS" (include "engawa.text" .keepaliveSeconds)
  "MQTT_MAX_PACKET_BYTES" (include "engawa.text" .maxPacketBytes)
) -}}
{{- if .tls.enabled -}}
{{- $keys := .tls.existingSecretKeys -}}
{{- $_ := set $settings "MQTT_CA_FILE" (printf "/etc/engawa/mqtt/%s" $keys.authority) -}}
{{- if .tls.clientCertificate -}}
{{- $_ := set $settings "MQTT_CERT_FILE" (printf "/etc/engawa/mqtt/%s" $keys.certificate) -}}
{{- $_ := set $settings "MQTT_KEY_FILE" (printf "/etc/engawa/mqtt/%s" $keys.key) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $settings -}}
{{- end -}}

{{/* Settings of the console, except for `console.settings`. Takes the root. */}}
{{- define "engawa.consoleSettings" -}}
{{- $settings := include "engawa.tracingSettings" . | fromJson -}}
{{- range $name, $value := pick (include "engawa.httpSettings" . | fromJson) "HOST" "PORT" "METRICS_PORT" "ALLOWED_HOSTS" "AUTH_MODE" "AUTH_ISSUER" -}}
{{- $_ := set $settings $name $value -}}
{{- end -}}
{{- if eq (include "engawa.authMode" .) "jwt" -}}{{- $_ := set $settings "AUTH_CLIENT_ID" .Values.auth.clientId -}}{{- end -}}
{{- range $service := include "engawa.services" . | fromJsonArray -}}
{{- $name := include "engawa.componentName" (dict "root" $ "component" $service) -}}
{{- $_ := set $settings (printf "%s_URL" (upper $service)) (printf "http://%s:8080" $name) -}}
{{- $_ := set $settings (printf "%s_METRICS_URL" (upper $service)) (printf "http://%s-headless:9464" $name) -}}
{{- end -}}
{{- $_ := set $settings "PROMETHEUS_URL" .Values.console.prometheusUrl -}}
{{- if .Values.ingestion.enabled -}}
{{- /* Its name has the addresses of all pods of ingestion: the readings of each are in its own live feed only. */ -}}
{{- $_ := set $settings "LIVE_FEED_URLS" (printf "http://%s-headless:8080" (include "engawa.componentName" (dict "root" . "component" "ingestion"))) -}}
{{- end -}}
{{- toJson $settings -}}
{{- end -}}

{{/* All settings of a service. Takes (dict "root" $ "component" "query" "values" <its values>). */}}
{{- define "engawa.serviceSettings" -}}
{{- $values := .values -}}
{{- $own := $values.settings -}}
{{- $settings := dict -}}
{{- if eq .component "console" -}}
{{- $settings = include "engawa.consoleSettings" .root | fromJson -}}
{{- $own = pick $own "LOG_LEVEL" "OTEL_SERVICE_NAME" "MAX_CONNECTION_AGE_MS" "AUTH_SCOPES" "AUTH_CLIENT_AUDIENCE" "FORWARD_TIMEOUT_MS" "READ_UNIT_PRICE" "WRITE_UNIT_PRICE" "PRICE_SOURCE" -}}
{{- else -}}
{{- $settings = merge
  (include "engawa.tableSettings" .root | fromJson)
  (include "engawa.httpSettings" .root | fromJson)
-}}
{{- end -}}
{{- if eq .component "ingestion" -}}
{{- $settings = merge $settings (include "engawa.mqttSettings" .root | fromJson) -}}
{{- end -}}
{{- if eq .component "catalog" -}}
{{- $_ := set $settings "FULL_TEXT_FOLDER" "/var/cache/engawa/full-text" -}}
{{- $_ := set $settings "FULL_TEXT_MAX_BYTES" (mul 1048576 (int64 $values.fullText.maxMebibytes) | toString) -}}
{{- end -}}
{{- if and (eq .component "ingestion") $values.mappings -}}
{{- $_ := set $settings "MAPPINGS_DIR" "/etc/engawa/mappings" -}}
{{- end -}}
{{- $_ := set $settings "SHUTDOWN_DRAIN_MS" (mul 1000 $values.drainSeconds | toString) -}}
{{- $_ := set $settings "SHUTDOWN_TIMEOUT_MS" (mul 1000 (sub $values.terminationGracePeriodSeconds (add $values.drainSeconds 5)) | toString) -}}
{{- range $name, $value := $own -}}
{{- $_ := set $settings $name (include "engawa.text" $value) -}}
{{- end -}}
{{- include "engawa.given" $settings -}}
{{- end -}}

{{/* The files of ingestion's own mappings, as YAML. Takes the values of ingestion. */}}
{{- define "engawa.mappings" -}}
{{- range $file, $document := .mappings }}
{{ $file | quote }}: {{ ternary $document (toYaml $document) (kindIs "string" $document) | quote }}
{{- end }}
{{- end -}}

{{/* The non-empty values of a map of texts, as YAML in the order of names. */}}
{{- define "engawa.given" -}}
{{- range $name, $value := . }}
{{- if ne $value "" }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
Environment that comes from Secrets and from the pod itself. Takes (dict "root" $ "component" "query"), and "overHttpOnly".
*/}}
{{- define "engawa.secretEnv" -}}
{{- $values := .root.Values -}}
{{- if has .component (list "ingestion" "registry" "query" "catalog") }}
{{- $key := ternary $values.cursors.existingSecretKeys.secret "CURSOR_SECRET" (ne $values.cursors.existingSecret "") }}
{{ include "engawa.fromSecret" (dict "name" "CURSOR_SECRET" "secret" (include "engawa.cursorSecret" .root) "key" $key) }}
{{- end }}
{{- if and $values.aws.existingSecret (ne .component "console") }}
{{- $secret := $values.aws.existingSecret }}
{{- with $values.aws.existingSecretKeys }}
{{ include "engawa.fromSecret" (dict "name" "AWS_ACCESS_KEY_ID" "secret" $secret "key" .accessKeyId) }}
{{ include "engawa.fromSecret" (dict "name" "AWS_SECRET_ACCESS_KEY" "secret" $secret "key" .secretAccessKey) }}
{{ include "engawa.fromSecret" (dict "name" "AWS_SESSION_TOKEN" "secret" $secret "key" .sessionToken "optional" true) }}
{{- end }}
{{- end }}
{{- if eq .component "ingestion" }}
# A replica and its successors have the same identifier, and no other client has it, so the broker keeps the session.
# The dot, which no namespace contains, distinguishes release `b-c` in `a` from release `c` in `a-b`.
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: POD_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
- name: MQTT_CLIENT_ID
  value: $(POD_NAMESPACE).$(POD_NAME)
{{- with ternary "" $values.mqtt.existingSecret (eq .overHttpOnly true) }}
{{ include "engawa.fromSecret" (dict "name" "MQTT_USERNAME" "secret" . "key" $values.mqtt.existingSecretKeys.username) }}
{{ include "engawa.fromSecret" (dict "name" "MQTT_PASSWORD" "secret" . "key" $values.mqtt.existingSecretKeys.password) }}
{{- end }}
{{- end }}
{{- if eq .component "console" }}
{{- with $values.console.prometheus.existingSecret }}
{{- range $part, $key := $values.console.prometheus.existingSecretKeys }}
{{ include "engawa.fromSecret" (dict "name" (printf "PROMETHEUS_%s" (upper $part)) "secret" $values.console.prometheus.existingSecret "key" $key "optional" true) }}
{{- end }}
{{- end }}
{{- end }}
{{- if eq .component "catalog" }}
{{- with $values.catalog.search.existingSecret }}
{{ include "engawa.fromSecret" (dict "name" "SEARCH_URL" "secret" . "key" $values.catalog.search.existingSecretKeys.url) }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
A variable with a value of a Secret. Takes (dict "name" "SEARCH_URL" "secret" <its name> "key" <key in it>), and "optional".
*/}}
{{- define "engawa.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret | quote }}
      key: {{ .key | quote }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}
