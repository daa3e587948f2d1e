// docs/reference/conditions.md: the conditions of both kinds, and what each reason means.
import { CONDITION_REASONS, GUARD_CONDITIONS, RULE_CONDITIONS, type ReasonText, TARGET_STATES } from './app-sources.js';
import { code, page, shell, table } from './markdown.js';

/** The page. */
export function conditionsPage(): string {
  const reasons = Object.entries(CONDITION_REASONS).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return page([
    '# Conditions and reasons',
    'What dep-ctrl writes into the status of rules and guards. The message of a condition names the field, the workspace or the command; this page says what a reason means for deletes.',
    shell([
      'kubectl get dependencyrules -o wide',
      `kubectl get dependencyrule my-rule -o jsonpath='{range .status.conditions[*]}{.type}={.status} {.reason}: {.message}{"\\n"}{end}'`,
      'kubectl get guards -o wide',
    ]),
    '## Conditions of a DependencyRule',
    tableOf('Condition', RULE_CONDITIONS),
    '## Conditions of a DependencyGuard',
    tableOf('Condition', GUARD_CONDITIONS),
    '## Targets of a DependencyRule',
    `The field ${code('state')} of each entry of ${code('.status.targets')}.`,
    tableOf('State', TARGET_STATES),
    '## Reasons',
    ...reasons.flatMap(([reason, text]) => reasonSection(reason, text)),
  ]);
}

function tableOf(head: string, texts: Readonly<Record<string, string>>): string {
  return table(
    [head, 'Meaning'],
    Object.entries(texts).map(([name, about]) => [code(name), about]),
  );
}

function reasonSection(reason: string, { rule = [], guard = [], means, fix }: ReasonText): readonly string[] {
  const stands = [
    ...(rule.length === 0 ? [] : [`rule ${rule.map(code).join(' ')}`]),
    ...(guard.length === 0 ? [] : [`guard ${guard.map(code).join(' ')}`]),
  ];
  return [`### ${reason}`, `On: ${stands.join('; ')}.`, means, ...(fix === undefined ? [] : [`To do: ${fix}`])];
}
