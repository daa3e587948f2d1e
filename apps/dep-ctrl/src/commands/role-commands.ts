import { defineCommand } from '../command-line/define-command.js';
import { allSettings, checkAll, checkController, checkWebhook, controllerSettings, webhookSettings } from '../roles/role-settings.js';
import { runRoles } from '../roles/run-roles.js';

/** `dep-ctrl controller`. */
export const controllerCommand = defineCommand({
  name: 'controller',
  about: 'Run the controller role: keep webhook configurations and rule statuses as the rules want them.',
  settings: controllerSettings,
  examples: [
    'dep-ctrl controller --kubeconfig identities/controller.kubeconfig --url-token-file identities/url-token --webhook-url https://dep-ctrl.example.com:9443 --webhook-ca-bundle-path ca.crt',
  ],
  check: checkController,
  run: runRoles,
});

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

/** `dep-ctrl all`. */
export const allCommand = defineCommand({
  name: 'all',
  about: 'Run both roles in one process.',
  settings: allSettings,
  examples: [
    'dep-ctrl all --kubeconfig identities/all.kubeconfig',
    'dep-ctrl all --kubeconfig identities/all.kubeconfig --webhook-url https://dep-ctrl.example.com:9443',
  ],
  check: checkAll,
  run: runRoles,
});
