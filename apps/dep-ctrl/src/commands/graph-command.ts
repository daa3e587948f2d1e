import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { runGraph } from '../graph/run-graph.js';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, logSettings, otherHomeSettings } from '../command-line/common-settings.js';
import { optional, parseChoice, withDefault } from '@dep-ctrl/command-settings';
import { parsePath } from '../command-line/parse-own-values.js';

/** `dep-ctrl graph`. */
export const graphCommand = defineCommand({
  name: 'graph',
  about:
    'Draw which types refer to which, and mark circles: from files, or without files from all rules of a kcp. References that are not in force are dashed.',
  operands: 'FILE...',
  settings: {
    output: withDefault(
      {
        flag: '--output',
        short: '-o',
        // DEP_CTRL_OUTPUT is the format of other commands.
        variable: 'none',
        value: 'FORMAT',
        about: 'mermaid for Markdown, dot for Graphviz, svg for people (at most 1000 arrows), json for programs',
        parse: parseChoice('mermaid', 'dot', 'json', 'svg'),
      },
      'mermaid',
    ),
    workspace: optional({
      flag: '--workspace',
      // DEP_CTRL_WORKSPACE is the workspace of dep-ctrl.
      variable: 'none',
      value: 'PATH',
      about: 'with FILE: workspace that the rules are for, where it does not follow from them',
      parse: parsePath,
    }),
    ...otherHomeSettings,
    ...connectionSettings,
    ...logSettings,
  },
  examples: [
    'dep-ctrl graph rules/',
    'dep-ctrl graph --kubeconfig admin.kubeconfig -o svg > dependencies.svg',
    'kubectl get dependencyrules -o yaml | dep-ctrl graph - -o dot | dot -Tpng > dependencies.png',
  ],
  check: (values, files) =>
    files.length === 0 && values.workspace !== undefined
      ? notParsed('--workspace needs FILE: of a kcp the rules of all workspaces are drawn')
      : parsed({ ...values, files }),
  run: (settings, world) => runGraph(settings, world),
});
