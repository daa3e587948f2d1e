{{/* Names and labels. */}}

{{- define "dep-ctrl.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Short enough for "-controller" and the like after it: names of Services have 63 characters. */}}
{{- define "dep-ctrl.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 48 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "dep-ctrl.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 48 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "dep-ctrl.selectorLabels" -}}
app.kubernetes.io/name: {{ include "dep-ctrl.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "dep-ctrl.labels" -}}
{{ include "dep-ctrl.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The roles that run, and the one among them that serves the webhook. */}}
{{- define "dep-ctrl.roles" -}}
{{- ternary "all" "controller,webhook" (eq .Values.mode "all") -}}
{{- end -}}
{{- define "dep-ctrl.webhookRole" -}}
{{- ternary "all" "webhook" (eq .Values.mode "all") -}}
{{- end -}}

{{/* Takes root and role. */}}
{{- define "dep-ctrl.serviceAccountName" -}}
{{- $account := (index .root.Values .role).serviceAccount -}}
{{- if $account.create -}}
{{- default (printf "%s-%s" (include "dep-ctrl.fullname" .root) .role) $account.name -}}
{{- else -}}
{{- default "default" $account.name -}}
{{- end -}}
{{- end -}}

{{/* The port of an address such as ":8081". */}}
{{- define "dep-ctrl.portOf" -}}
{{- regexFind "[0-9]+$" . -}}
{{- end -}}
