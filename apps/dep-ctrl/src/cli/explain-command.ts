import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { runExplain } from '../explain/run-explain.js';
import { defineCommand } from './command.js';
import { connectionSettings, logSettings, outputSettings } from './common-settings.js';
import { parsePath, parseResourceName, parseText } from './parse-values.js';
import { optional, withDefault } from './setting.js';

/** `dep-ctrl explain`. */
export const explainCommand = defineCommand({
  name: 'explain',
  about: 'Say whether a delete would be refused, by which rule and because of whom. Deletes nothing.',
  operands: 'RESOURCE/NAME',
  settings: {
    ...connectionSettings,
    namespace: withDefault(
      { flag: '--namespace', short: '-n', value: 'NAME', about: 'namespace of the object', parse: parseText },
      'default',
    ),
    workspace: optional({
      flag: '--workspace',
      value: 'PATH',
      about: 'workspace of the object; without it that of the kubeconfig',
      parse: parsePath,
    }),
    depCtrlWorkspace: withDefault(
      { flag: '--dep-ctrl-workspace', value: 'PATH', about: 'workspace of dep-ctrl', parse: parsePath },
      'root:dep-ctrl',
    ),
    ...outputSettings,
    ...logSettings,
  },
  examples: [
    'dep-ctrl explain vpcs/my-vpc --workspace root:teams:team-b',
    'dep-ctrl explain vpcs.network.example.com/my-vpc -n prod -o json',
  ],
  check: ({ namespace, ...values }, [operand, ...more]) => {
    if (operand === undefined) return notParsed('RESOURCE/NAME is missing: give an object such as vpcs/my-vpc');
    if (more.length > 0) return notParsed(`RESOURCE/NAME must be one object, not ${String(more.length + 1)}`);
    const subject = parseResourceName(operand);
    if (!subject.ok) return notParsed(`RESOURCE/NAME must be ${subject.problem}, not ${JSON.stringify(operand)}`);
    return parsed({ ...values, subject: { ...subject.value, namespace } });
  },
  run: runExplain,
});
