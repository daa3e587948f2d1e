import { runRoles } from '../roles/run-roles.js';
import { defineCommand } from '../command-line/command.js';
import { checkAll, allSettings } from '../roles/role-settings.js';

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
