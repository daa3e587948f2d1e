{{/* Where kcp calls the webhook, and what proves that it is the webhook. */}}

{{- define "dep-ctrl.webhookServiceHost" -}}
{{- printf "%s-webhook.%s.svc" (include "dep-ctrl.fullname" .) .Release.Namespace -}}
{{- end -}}

{{- define "dep-ctrl.webhookUrl" -}}
{{- default (printf "https://%s:%v" (include "dep-ctrl.webhookServiceHost" .) .Values.webhook.service.port) .Values.webhook.url -}}
{{- end -}}

{{/* The host of the URL, without port and brackets. */}}
{{- define "dep-ctrl.webhookHost" -}}
{{- $host := (urlParse (include "dep-ctrl.webhookUrl" .)).host -}}
{{- regexReplaceAll ":[0-9]+$" $host "" | trimPrefix "[" | trimSuffix "]" -}}
{{- end -}}

{{- define "dep-ctrl.isAddress" -}}
{{- if or (regexMatch "^[0-9]+(\\.[0-9]+){3}$" .) (contains ":" .) -}}true{{- end -}}
{{- end -}}

{{/* JSON of the names and addresses that the certificate is for. */}}
{{- define "dep-ctrl.certificateHosts" -}}
{{- $names := list (include "dep-ctrl.webhookServiceHost" .) -}}
{{- $addresses := list -}}
{{- range prepend .Values.webhook.tls.certManager.additionalDnsNames (include "dep-ctrl.webhookHost" .) -}}
{{- if include "dep-ctrl.isAddress" . -}}
{{- $addresses = append $addresses . -}}
{{- else -}}
{{- $names = append $names . -}}
{{- end -}}
{{- end -}}
{{- dict "names" (uniq $names) "addresses" (uniq $addresses) | toJson -}}
{{- end -}}

{{/* Who makes the certificate: existing, cert-manager, helm, or process (mode "all" without files). */}}
{{- define "dep-ctrl.tlsSource" -}}
{{- if .Values.webhook.tls.existingSecret -}}existing
{{- else if .Values.webhook.tls.certManager.enabled -}}cert-manager
{{- else if eq .Values.mode "all" -}}process
{{- else -}}helm
{{- end -}}
{{- end -}}

{{- define "dep-ctrl.tlsSecretName" -}}
{{- default (printf "%s-webhook-tls" (include "dep-ctrl.fullname" .)) .Values.webhook.tls.existingSecret -}}
{{- end -}}

{{/* Whether both roles get a Secret with the URL token; without one the processes of mode "all" share their own. */}}
{{- define "dep-ctrl.hasUrlToken" -}}
{{- if or (ne .Values.mode "all") .Values.urlToken.existingSecret -}}true{{- end -}}
{{- end -}}
{{- define "dep-ctrl.urlTokenSecretName" -}}
{{- default (printf "%s-url-token" (include "dep-ctrl.fullname" .)) .Values.urlToken.existingSecret -}}
{{- end -}}
