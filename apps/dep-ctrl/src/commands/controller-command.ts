import { runRoles } from '../roles/run-roles.js';
import { defineCommand } from '../command-line/command.js';
import { checkController, controllerSettings } from '../roles/role-settings.js';

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
