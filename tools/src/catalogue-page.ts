// docs/reference/catalogue.md: everything that dep-ctrl refuses, warns of, writes into a status or exits with, on one page to search in.
import {
  BROKEN_ANSWER,
  CONDITION_REASONS,
  EXITS,
  FINDING_REASONS,
  GUARD_CONDITIONS,
  REFUSED_CALLS,
  RULE_CONDITIONS,
  commands,
  type RefusedCall,
} from './app-sources.js';
import { doubtfulDeletes, refusedDeletes, warnedDeletes, type Told } from './catalogue/refused-deletes.js';
import { refusedWrites, warnedWrites } from './catalogue/refused-writes.js';
import { code, page, sentence, table } from './markdown.js';

/** The page. */
export function cataloguePage(): string {
  return page([
    '# Catalogue',
    'Every refusal, warning, condition, reason and exit code, with what it means and what to do. The texts are made by the code that makes them for kcp, for a VPC `my-vpc` and a virtual machine `my-vm`.',
    '- A delete: [refused](#refused-deletes), [refused because something cannot be read](#deletes-refused-in-doubt), [let through with a warning](#deletes-with-a-warning), [not answered](#deletes-that-dep-ctrl-does-not-answer), [not even read](#calls-that-are-no-review)\n- A rule as it is written: [refused](#refused-rules), [taken with a warning](#rules-with-a-warning), [as lint finds it](#findings-of-lint)\n- A status: [conditions and reasons](#conditions-and-reasons)\n- A process: [exit codes](#exit-codes)',
    '## Refused deletes',
    'Each heading is what the audit log has under `decision`, and the log of the webhook and the metric `dep_ctrl_reviews_total` under `because`.',
    ...sectionsOf(refusedDeletes()),
    '## Deletes refused in doubt',
    'The `decision` is `cannot-tell`: a rule of `Deny` could not be checked, so the delete is refused. Each heading is the value of `doubts` in the audit log.',
    ...sectionsOf(doubtfulDeletes()),
    '## Deletes with a warning',
    'kubectl prints these as `Warning: ...`; the delete passes.',
    tableOf(warnedDeletes()),
    '## Deletes that dep-ctrl does not answer',
    'If kcp cannot call the webhook it refuses the delete in words of its own, which begin with `failed calling webhook`. [Troubleshooting](../operations.md#a-delete-is-refused) lists them.',
    '## Calls that are no review',
    'What the webhook tells a caller whose call it does not read, in plain text. kcp shows none of these texts: it says `could not find the requested resource` for a 404, and `failed calling webhook` for the others.',
    table(
      ['HTTP', 'Text', 'Means', 'To do'],
      Object.entries(REFUSED_CALLS).map(([why, { code: number, text }]) => [
        String(number),
        text,
        ...Object.values(CALLS[why as RefusedCall]),
      ]),
    ),
    '## Refused rules',
    '`kubectl apply` prints every problem of a rule or guard at once, one a line. Each heading is the `reason` in `dep-ctrl lint -o json`.',
    ...sectionsOf(refusedWrites()),
    '### The check itself failed',
    ...entryOf(brokenWrite()),
    '## Rules with a warning',
    'kubectl prints these as `Warning: ...`; the rule is taken.',
    ...sectionsOf(warnedWrites()),
    '## Findings of lint',
    '`dep-ctrl lint` says of a file what kcp would say when it is written, and what only a file can have. Its JSON and SARIF name these reasons:',
    table(
      ['Reason', 'Meaning'],
      Object.entries(FINDING_REASONS).map(([reason, meaning]) => [code(reason), meaning]),
    ),
    '## Conditions and reasons',
    `On a DependencyRule: ${Object.keys(RULE_CONDITIONS).map(code).join(', ')}. On a DependencyGuard: ${Object.keys(GUARD_CONDITIONS).map(code).join(', ')}. What each means is in [conditions.md](conditions.md).`,
    table(
      ['Reason', 'On a rule', 'On a guard', 'What to do'],
      Object.entries(CONDITION_REASONS)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([reason, { rule = [], guard = [], fix = '' }]) => [
          `[${reason}](conditions.md#${reason.toLowerCase()})`,
          rule.map(code).join(' '),
          guard.map(code).join(' '),
          fix,
        ]),
    ),
    '## Exit codes',
    `Every command: ${sentence(EXITS)} What went wrong is on stderr, on one line. The roles (\`all\`, \`controller\`, \`webhook\`) and \`dev\` end with 0 after the first SIGTERM or SIGINT, once what has begun is finished; a second one ends them at once with 1. A process that is killed with signal N ends with 128 + N.`,
    table(
      ['Command', ...codesOf(EXITS).keys()],
      commands.map(({ name, exits = EXITS }) => [`[${code(name)}](command-line.md#${name})`, ...codesOf(exits).values()]),
    ),
  ]);
}

const CALLS: Readonly<Record<RefusedCall, { readonly means: string; readonly fix: string }>> = {
  'not-admitted': {
    means: 'The URL lacks the token of its workspace, or has an old one.',
    fix: 'Give both roles the same `--url-token-file`. If kcp did not call: somebody else reaches the port.',
  },
  method: { means: 'Not what kcp sends.', fix: 'Find out who reaches the port of the webhook.' },
  'content-type': { means: 'Not what kcp sends.', fix: 'The same.' },
  'too-large': {
    means: 'The object that is to be deleted is larger than kcp stores.',
    fix: 'If kcp sent it: report it, and delete the object by [the way out](../consumer.md#delete-it-all-the-same).',
  },
  overloaded: { means: 'Bodies of other reviews take the memory that there is for them.', fix: 'Try again; add a webhook if it stays.' },
};

function sectionsOf(told: Readonly<Record<string, Told | readonly Told[]>>): readonly string[] {
  return Object.entries(told).flatMap(([name, each]) => [`### ${name}`, ...[each].flat().flatMap(entryOf)]);
}

function entryOf({ text, status, means, fix }: Told): readonly string[] {
  return [['```', text, '```'].join('\n'), `${status === undefined ? '' : `HTTP ${status}. `}${means} **To do:** ${fix}`];
}

function tableOf(told: readonly Told[]): string {
  return table(
    ['Warning', 'Means', 'To do'],
    told.map(({ text, means, fix }) => [text, means, fix]),
  );
}

function brokenWrite(): Told {
  if (BROKEN_ANSWER.allowed) throw new Error('bug: what could not be checked is let through');
  const { code: number, reason, message } = BROKEN_ANSWER.status;
  return {
    text: message,
    status: `${String(number)} ${reason}`,
    means: 'A defect of dep-ctrl, and no mistake in the rule.',
    fix: 'Report it with the lines of the log of the webhook at that time.',
  };
}

/** `0 done, 1 failed` or `0 done; 1 failed, ...` by code. */
function codesOf(exits: string): ReadonlyMap<string, string> {
  const parts = exits.split(/[,;] (?=\d )/);
  return new Map(parts.map((part) => [part.slice(0, 1), sentence(part.slice(2))]));
}
