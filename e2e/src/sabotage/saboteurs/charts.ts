import type { Saboteur } from '../saboteur.js';

const DEPLOYMENTS = 'deploy/chart/templates/deployments.yaml';

const SELECTS = `  selector:
    {{- include "dep-ctrl.selectorLabels" . | nindent 4 }}
    app.kubernetes.io/component: {{ include "dep-ctrl.webhookRole" . }}
`;
const SELECTS_WEBHOOKS = `  selector:
    {{- include "dep-ctrl.selectorLabels" . | nindent 4 }}
    app.kubernetes.io/component: webhook
`;
const WHOLE_FOLDER = `            - name: {{ .name }}
              mountPath: {{ .path }}
              readOnly: true
`;
const ONE_FILE_EACH = `            {{- $mount := . }}
            {{- range .keys }}
            - name: {{ $mount.name }}
              mountPath: {{ $mount.path }}/{{ . }}
              subPath: {{ . }}
              readOnly: true
            {{- end }}
`;

/** The chart installs dep-ctrl in a wrong way. */
export const charts: readonly Saboteur[] = [
  {
    name: 'service-leads-elsewhere',
    does: 'gives the Service of the webhook the port of the health probes',
    changes: [{ file: 'deploy/chart/templates/services.yaml', now: 'targetPort: {{ .Values.webhook.port }}', instead: 'targetPort: 8081' }],
    fails: { 'S14.1': 'the rule is admitted' },
  },
  {
    name: 'service-of-one-mode',
    does: 'gives the Service no Pod where one process has both roles',
    changes: [{ file: 'deploy/chart/templates/services.yaml', now: SELECTS, instead: SELECTS_WEBHOOKS }],
    fails: { 'S14.2': 'the rule is admitted' },
  },
  {
    name: 'webhook-leaves-at-once',
    does: 'ends a webhook as soon as it is told to, while the Service still leads to it',
    changes: [{ file: DEPLOYMENTS, now: 'seconds: {{ $root.Values.webhook.preStopSeconds }}', instead: 'seconds: 0' }],
    fails: { 'S14.3': ['failed calling webhook', 'a connection failed'] },
  },
  {
    name: 'all-or-none',
    does: 'lets a drained node take both webhooks at once',
    changes: [
      {
        file: 'deploy/chart/templates/poddisruptionbudgets.yaml',
        now: 'maxUnavailable: {{ $budget.maxUnavailable }}',
        instead: 'maxUnavailable: 2',
      },
    ],
    fails: { 'S14.4': 'all of them may be taken at once' },
  },
  {
    name: 'mounted-file-by-file',
    does: 'mounts the files of a Secret one by one, which Kubernetes then never replaces',
    changes: [{ file: DEPLOYMENTS, now: WHOLE_FOLDER, instead: ONE_FILE_EACH }],
    fails: { 'S14.5': 'the new certificate is served' },
  },
];
