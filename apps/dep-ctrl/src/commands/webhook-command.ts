import { runRoles } from '../roles/run-roles.js';
import { defineCommand } from '../command-line/command.js';
import { checkWebhook, webhookSettings } from '../roles/role-settings.js';

/** `dep-ctrl webhook`. */
export const webhookCommand = defineCommand({
  name: 'webhook',
  about: 'Run the webhook role: answer kcp whether a delete may go through.',
  settings: webhookSettings,
  examples: [
    'dep-ctrl webhook --kubeconfig identities/webhook.kubeconfig --url-token-file identities/url-token --tls-cert-dir /etc/webhook-tls',
  ],
  check: checkWebhook,
  run: runRoles,
});
