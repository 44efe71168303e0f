{{- define "meetdeck.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "meetdeck.account" -}}
{{ .Values.serviceAccount.name | default (include "meetdeck.name" .) }}
{{- end }}

{{- define "meetdeck.selector" -}}
app.kubernetes.io/name: meetdeck
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "meetdeck.labels" -}}
{{ include "meetdeck.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "meetdeck.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "meetdeck.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "meetdeck.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "meetdeck.settings" -}}
- { name: MEETDECK_ENVIRONMENT, value: {{ .Values.environment | quote }} }
- { name: MEETDECK_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: MEETDECK_STORAGE_URL, value: {{ .Values.storageUrl | quote }} }
- { name: MEETDECK_TRUSTED_PROXIES, value: {{ join "," .Values.trustedProxies | quote }} }
{{- with .Values.issuer }}
- { name: MEETDECK_ISSUER, value: {{ . | quote }} }
{{- end }}
{{- with .Values.audience }}
- { name: MEETDECK_AUDIENCE, value: {{ . | quote }} }
{{- end }}
{{- with .Values.gotenbergUrl }}
- { name: MEETDECK_GOTENBERG_URL, value: {{ . | quote }} }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "meetdeck.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if .Values.secrets.mounted }}
- { name: secrets, mountPath: /run/secrets/meetdeck, readOnly: true }
{{- end }}
{{- end }}

{{- define "meetdeck.volumes" -}}
- { name: data, emptyDir: { sizeLimit: 256Mi } }
- { name: tmp, emptyDir: { medium: Memory, sizeLimit: {{ .Values.tmpSize }} } }
{{- with .Values.secrets.mounted }}
- { name: secrets, secret: { secretName: {{ . }}, defaultMode: 0440 } }
{{- end }}
{{- end }}
