import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { runLint } from '../lint/run-lint.js';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings } from '../command-line/common-settings.js';
import { parseChoice, parseText } from '@dep-ctrl/command-settings';
import { parsePath } from '../command-line/parse-own-values.js';
import { optional, repeated, toggle } from '@dep-ctrl/command-settings';

/** `dep-ctrl lint`. */
export const lintCommand = defineCommand({
  name: 'lint',
  aliases: ['check'],
  about:
    'Check DependencyRules and DependencyGuards in YAML files without a server: every problem with its line and column. With schemas or a workspace the fields too.',
  operands: 'FILE...',
  exits: '0 no problem, though there may be warnings; 1 a problem, with --strict a warning too, or kcp did not answer; 2 wrong usage',
  settings: {
    schemas: repeated({
      flag: '--schemas',
      value: 'DIR',
      about: 'folder or file with APIResourceSchemas, CustomResourceDefinitions or APIExports: checks the fields that rules name',
      parse: parseText,
    }),
    strict: toggle('--strict', 'a warning is a problem too'),
    workspace: optional({
      flag: '--workspace',
      // DEP_CTRL_WORKSPACE is the workspace of dep-ctrl.
      variable: 'none',
      value: 'PATH',
      about: 'workspace that the rules are for; without it that of the kubeconfig',
      parse: parsePath,
    }),
    kubeconfig: optional({
      flag: '--kubeconfig',
      value: 'FILE',
      about: 'kubeconfig of the workspace that the rules are for: checks fields, bindings and circles there; KUBECONFIG alone is not used',
      parse: parseText,
    }),
    context: connectionSettings.context,
    output: optional({
      flag: '--output',
      short: '-o',
      // DEP_CTRL_OUTPUT is the format of other commands.
      variable: 'none',
      value: 'FORMAT',
      about: 'print the findings as json, or as sarif for code hosts, instead of text for people',
      parse: parseChoice('json', 'sarif'),
    }),
  },
  examples: [
    'dep-ctrl lint rules/',
    'kubectl kustomize overlays/prod | dep-ctrl lint --strict -',
    'dep-ctrl lint rules/ --schemas config/apis -o sarif > dep-ctrl.sarif',
    'dep-ctrl lint rule.yaml --kubeconfig provider.kubeconfig',
  ],
  check: (values, files) =>
    files.length === 0 ? notParsed('FILE is missing: give files, folders or - for stdin, such as rules/') : parsed({ ...values, files }),
  run: (settings, world) => runLint(settings, world),
});
