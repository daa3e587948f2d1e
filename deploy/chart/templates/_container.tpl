{{/* The command lines. Each takes root and role. */}}

{{- define "dep-ctrl.args" -}}
{{- $settings := index .root.Values .role -}}
{{- $values := .root.Values -}}
{{- $isController := ne .role "webhook" -}}
{{- $isWebhook := ne .role "controller" -}}
{{- $hasFiles := ne (include "dep-ctrl.tlsSource" .root) "process" -}}
- {{ .role }}
- --kubeconfig=/etc/kcp-kubeconfig/{{ $settings.kubeconfig.key }}
{{- with $settings.kubeconfig.context }}
- --context={{ . }}
{{- end }}
- --api-export-name={{ $values.apiExportName }}
{{- with $values.kcpBaseHost }}
- --kcp-base-host={{ . }}
{{- end }}
{{- if include "dep-ctrl.hasUrlToken" .root }}
- --url-token-file=/etc/url-token/{{ $values.urlToken.key }}
{{- end }}
{{- if $isController }}
- --webhook-url={{ include "dep-ctrl.webhookUrl" .root }}
{{- if and $hasFiles (not $values.webhook.tls.publicCA) }}
- --webhook-ca-bundle-path=/etc/webhook-ca/{{ $values.webhook.tls.caSecret.key }}
{{- end }}
- --leader-elect
{{- end }}
{{- if $isWebhook }}
- --webhook-port={{ $values.webhook.port }}
{{- if $hasFiles }}
- --tls-cert-dir={{ $values.webhook.tlsCertDir }}
{{- end }}
- --max-rule-age={{ $values.webhook.maxRuleAge }}
{{- end }}
- --health-probe-bind-address={{ $settings.healthProbeBindAddress }}
- --metrics-bind-address={{ $settings.metricsBindAddress }}
- --log-format={{ $values.log.format }}
- --log-level={{ $values.log.level }}
{{- with $settings.extraArgs }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* What is mounted where: a JSON list of name, path, secret and, where not all keys are wanted, the key. */}}
{{- define "dep-ctrl.mounts" -}}
{{- $settings := index .root.Values .role -}}
{{- $tls := .root.Values.webhook.tls -}}
{{- $hasFiles := ne (include "dep-ctrl.tlsSource" .root) "process" -}}
{{- $mounts := list (dict "name" "kcp-kubeconfig" "path" "/etc/kcp-kubeconfig" "secret" $settings.kubeconfig.secretName "keys" (list $settings.kubeconfig.key)) -}}
{{- if include "dep-ctrl.hasUrlToken" .root -}}
{{- $mounts = append $mounts (dict "name" "url-token" "path" "/etc/url-token" "secret" (include "dep-ctrl.urlTokenSecretName" .root) "keys" (list .root.Values.urlToken.key)) -}}
{{- end -}}
{{- if and (ne .role "webhook") $hasFiles (not $tls.publicCA) -}}
{{- $secret := default (include "dep-ctrl.tlsSecretName" .root) $tls.caSecret.name -}}
{{- $mounts = append $mounts (dict "name" "webhook-ca" "path" "/etc/webhook-ca" "secret" $secret "keys" (list $tls.caSecret.key)) -}}
{{- end -}}
{{- if and (ne .role "controller") $hasFiles -}}
{{- $mounts = append $mounts (dict "name" "webhook-tls" "path" .root.Values.webhook.tlsCertDir "secret" (include "dep-ctrl.tlsSecretName" .root) "keys" (list "tls.crt" "tls.key")) -}}
{{- end -}}
{{- toJson $mounts -}}
{{- end -}}

{{- define "dep-ctrl.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository (default .Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}
