import { runDev } from '../dev/run-dev.js';
import { defineCommand } from '../command-line/define-command.js';
import { checkDev, devSettings } from '../dev/dev-settings.js';

/** `dep-ctrl dev`. */
export const devCommand = defineCommand({
  name: 'dev',
  about: 'Try it: a small kcp in this process, both roles, and the story of a VPC that a virtual machine uses.',
  settings: devSettings,
  examples: ['dep-ctrl dev', 'dep-ctrl dev --once --port 0', 'dep-ctrl dev --against admin.kubeconfig --once'],
  check: checkDev,
  run: runDev,
});
