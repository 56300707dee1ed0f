{{/*
A policy for one kind of connection; omitted without peers, since an empty list of peers would allow all. Takes (dict "root"
$ "name" "table" "pods" <components> "direction" "egress" "port" "443" "peers" <list>); with "hook" true it is created and
deleted with the table's Job.
*/}}
{{- define "engawa.policy" }}
{{- if .peers }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "engawa.fullname" .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace | quote }}
  labels: {{ include "engawa.labels" (dict "root" .root "component" "network") | nindent 4 }}
  {{- if .hook }}
  annotations: {{ include "engawa.tableHook" -10 | nindent 4 }}
  {{- end }}
spec:
  {{- include "engawa.ofComponents" (dict "root" .root "components" .pods) | nindent 2 }}
  policyTypes: [{{ title .direction }}]
  {{ .direction }}:
    - ports:
        - { port: {{ .port }}, protocol: TCP }
      {{ ternary "from" "to" (eq .direction "ingress") }}: {{ toYaml .peers | nindent 8 }}
{{- end }}
{{- end }}

{{/* Selects the pods of some components of this release. Takes (dict "root" $ "components" <list>). */}}
{{- define "engawa.ofComponents" -}}
podSelector:
  matchLabels:
    app.kubernetes.io/name: {{ include "engawa.name" .root | quote }}
    app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
  matchExpressions:
    - key: app.kubernetes.io/component
      operator: In
      values: [{{ join ", " .components }}]
{{- end -}}

{{/*
The given peers; or by default any pod, and any address except the node's metadata service, which provides credentials
of the node's role. Pods are listed explicitly, because network plugins differ in whether addresses include them.
*/}}
{{- define "engawa.anywhere" -}}
{{- if . -}}
{{ toYaml . }}
{{- else -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [169.254.169.254/32]
- ipBlock:
    cidr: ::/0
    except: [fd00:ec2::254/128]
- namespaceSelector: {}
{{- end -}}
{{- end -}}

{{- define "engawa.tablePeers" -}}
{{- if .Values.demo.enabled -}}
- {{ include "engawa.ofComponents" (dict "root" . "components" (list "dynamodb")) | nindent 2 }}
{{- else -}}
{{ include "engawa.anywhere" .Values.networkPolicy.tableServers }}
{{- end -}}
{{- end -}}

{{- define "engawa.brokerPeers" -}}
{{- if .Values.demo.enabled -}}
- {{ include "engawa.ofComponents" (dict "root" . "components" (list "broker")) | nindent 2 }}
{{- else -}}
{{ include "engawa.anywhere" .Values.networkPolicy.brokerServers }}
{{- end -}}
{{- end -}}

{{/* The agent on the node that provides the credentials of EKS Pod Identity. */}}
{{- define "engawa.podIdentityPeers" -}}
- ipBlock:
    cidr: 169.254.170.23/32
- ipBlock:
    cidr: fd00:ec2::23/128
{{- end -}}

{{/* The ports of the cluster's DNS, as a list in YAML. Takes the root. */}}
{{- define "engawa.dnsPorts" -}}
{{- range .Values.networkPolicy.dnsPorts }}
- { port: {{ . }}, protocol: UDP }
- { port: {{ . }}, protocol: TCP }
{{- end }}
{{- end -}}

{{/* Non-empty if the catalog searches in an OpenSearch: by catalog.search, or by SEARCH_URL in its extraEnv. Takes the root. */}}
{{- define "engawa.hasSearch" -}}
{{- $values := include "engawa.valuesOf" (dict "root" . "component" "catalog") | fromYaml -}}
{{- $names := list -}}{{- range $values.extraEnv -}}{{- $names = append $names .name -}}{{- end -}}
{{- if or $values.search.existingSecret (has "SEARCH_URL" $names) -}}true{{- end -}}
{{- end -}}
