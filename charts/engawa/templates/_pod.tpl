{{/* What the restricted Pod Security Standard asks of a pod, and of each of its containers. */}}
{{- define "engawa.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "engawa.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* What all pods begin with. Takes (dict "user" 1000 "root" $). */}}
{{- define "engawa.podStart" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext: {{ include "engawa.podSecurity" .user | nindent 2 }}
{{- end -}}

{{/* On which nodes pods may run. Takes the values of a service, or `defaults` for what is none. */}}
{{- define "engawa.placement" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The template of a service's pods. Takes (dict "root" $ "component" "query" "values" <its values>). */}}
{{- define "engawa.podTemplate" -}}
{{- $values := .values -}}
{{- $mqttFiles := and (eq .component "ingestion") .root.Values.mqtt.tls.enabled -}}
metadata:
  labels: {{ include "engawa.labels" . | nindent 4 }}
    {{- with $values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    checksum/settings: {{ include "engawa.serviceSettings" . | sha256sum }}
    {{- with $values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ include "engawa.componentName" . }}
  {{- include "engawa.podStart" (dict "root" .root "user" 1000) | nindent 2 }}
  {{- include "engawa.placement" $values | nindent 2 }}
  terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
  topologySpreadConstraints: {{ include "engawa.spread" . | nindent 4 }}
  containers:
    - name: {{ .component }}
      image: {{ include "engawa.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .component }}]
      envFrom:
        - configMapRef:
            name: {{ include "engawa.componentName" . }}
      env:
        {{- include "engawa.secretEnv" . | nindent 8 }}
        {{- with $values.nodeOptions }}
        - name: NODE_OPTIONS
          value: {{ . | quote }}
        {{- end }}
        {{- with $values.extraEnv }}{{ toYaml . | nindent 8 }}{{ end }}
      ports:
        - name: http
          containerPort: 8080
        - name: metrics
          containerPort: 9464
      {{- include "engawa.probes" . | nindent 6 }}
      resources: {{ toYaml $values.resources | nindent 8 }}
      securityContext: {{ include "engawa.containerSecurity" . | nindent 8 }}
      {{- if $mqttFiles }}
      volumeMounts:
        - name: mqtt
          mountPath: /etc/engawa/mqtt
          readOnly: true
      {{- end }}
  {{- if $mqttFiles }}
  volumes:
    - name: mqtt
      secret:
        secretName: {{ .root.Values.mqtt.tls.existingSecret | quote }}
        defaultMode: 288 # 0440
  {{- end }}
{{- end -}}

{{/* A service opens its probes first, and is ready once it has its table and its broker. */}}
{{- define "engawa.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: metrics }
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /livez, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /readyz, port: metrics }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
{{- end -}}

{{/* As even over nodes and zones as it goes, unless the values have it otherwise. */}}
{{- define "engawa.spread" -}}
{{- if .values.topologySpreadConstraints -}}
{{ toYaml .values.topologySpreadConstraints }}
{{- else -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{ include "engawa.selectorLabels" $ | nindent 6 }}
{{- end }}
{{- end -}}
{{- end -}}
