{{/*
The chart's own settings of each workload's container and pod, as YAML, for engawa.podTemplate. Values may extend them,
but not replace them (_refusals.tpl). Takes (dict "root" $ "component" "query" "values" <engawa.valuesOf>).
*/}}
{{- define "engawa.ownOf" -}}
{{- if has .component (list "table" "rollup" "test") -}}
{{- include (printf "engawa.ownOf.%s" .component) . -}}
{{- else -}}
{{- include "engawa.ownOf.service" . -}}
{{- end -}}
{{- end -}}

{{- define "engawa.ownOf.service" -}}
{{- $values := .values -}}
{{- $hasMappings := and (eq .component "ingestion") $values.mappings -}}
{{- $hasTls := and (eq .component "ingestion") .root.Values.mqtt.tls.enabled (not .overHttpOnly) -}}
pod:
  serviceAccountName: {{ include "engawa.accountName" . | quote }}
  topologySpreadConstraints: {{ include "engawa.spread" . | nindent 4 }}
annotations:
  checksum/settings: {{ include "engawa.serviceSettings" . | sha256sum }}
  {{- if $hasMappings }}
  checksum/mappings: {{ include "engawa.mappings" $values | sha256sum }}
  {{- end }}
args: [{{ .component }}]
ports:
  - name: http
    containerPort: 8080
  - name: metrics
    containerPort: 9464
envFrom:
  - configMapRef:
      name: {{ include "engawa.componentName" . }}
env:
  {{- include "engawa.secretEnv" . | nindent 2 }}
  {{- if .overHttpOnly }}
  - name: MQTT_SUBSCRIBE
    value: 'off'
  {{- end }}
  {{- with $values.nodeOptions }}
  - name: NODE_OPTIONS
    value: {{ . | quote }}
  {{- end }}
{{- if or $hasTls $hasMappings }}
volumeMounts:
  {{- if $hasTls }}
  - name: mqtt
    mountPath: /etc/engawa/mqtt
    readOnly: true
  {{- end }}
  {{- if $hasMappings }}
  - name: mappings
    mountPath: /etc/engawa/mappings
    readOnly: true
  {{- end }}
volumes:
  {{- if $hasTls }}
  - name: mqtt
    secret:
      secretName: {{ .root.Values.mqtt.tls.existingSecret | quote }}
      defaultMode: 288 # 0440
  {{- end }}
  {{- if $hasMappings }}
  - name: mappings
    configMap:
      name: {{ include "engawa.componentName" . }}-mappings
  {{- end }}
{{- end }}
{{- if eq .component "catalog" }}
volumeMounts:
  - name: full-text
    mountPath: /var/cache/engawa/full-text
volumes:
  - name: full-text
    emptyDir:
      # Two indexes, the largest journal of one, and locks: a pod that uses more is evicted.
      sizeLimit: {{ add 64 (mul 2 (int64 $values.fullText.maxMebibytes)) }}Mi
{{- end }}
{{- end -}}

{{- define "engawa.ownOf.table" -}}
{{- $settings := merge (dict "TABLE_BILLING" .root.Values.table.billing) (include "engawa.taskSettings" .root | fromJson) -}}
{{- if eq .root.Values.table.billing "provisioned" -}}
{{- $_ := set $settings "TABLE_READ_UNITS" (include "engawa.text" .root.Values.table.readUnits) -}}
{{- $_ := set $settings "TABLE_WRITE_UNITS" (include "engawa.text" .root.Values.table.writeUnits) -}}
{{- end -}}
{{- include "engawa.ownOf.task" (mustMerge (dict "settings" $settings) .) }}
{{- end -}}

{{- define "engawa.ownOf.rollup" -}}
{{- $settings := merge (dict "ROLLUP_AHEAD_HOURS" (include "engawa.text" .root.Values.rollup.aheadHours)) (include "engawa.taskSettings" .root | fromJson) -}}
{{- include "engawa.ownOf.task" (mustMerge (dict "settings" $settings) .) }}
{{- end -}}

{{/*
Settings are in the container, since a ConfigMap would have to exist before the table's hook. The log of each attempt stays
with its pod (Never).
*/}}
{{- define "engawa.ownOf.task" -}}
pod:
  serviceAccountName: {{ include "engawa.accountName" . | quote }}
  restartPolicy: Never
args: [{{ .component }}]
env:
  {{- range $name, $value := .settings }}
  {{- if ne $value "" }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- end }}
  {{- include "engawa.secretEnv" . | nindent 2 }}
{{- end -}}

{{- define "engawa.ownOf.test" -}}
{{- $jwt := eq (include "engawa.authMode" .root) "jwt" -}}
pod:
  restartPolicy: Never
command: [node, --input-type=module, --eval]
args:
  - {{ .root.Files.Get "files/ask.mjs" | toJson }}
env:
  {{- range $service := include "engawa.servers" .root | fromJsonArray }}
  - name: {{ upper $service }}_URL
    value: http://{{ include "engawa.componentName" (dict "root" $.root "component" $service) }}:8080
  {{- end }}
  - name: NEEDS_TOKEN
    value: {{ $jwt | quote }}
  {{- if and $jwt .root.Values.test.existingSecret }}
  - name: TOKEN
    valueFrom:
      secretKeyRef:
        name: {{ .root.Values.test.existingSecret }}
        key: {{ .root.Values.test.existingSecretKeys.token }}
  {{- end }}
  - name: MAY_WRITE
    value: {{ and (not $jwt) (or .root.Values.test.write .root.Values.demo.enabled) | quote }}
{{- end -}}
