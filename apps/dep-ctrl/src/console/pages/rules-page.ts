// Every rule and every guard: its state, the reason and what helps. What is not well comes first. Pure.
import { CONFIGURATIONS } from '../../status/print-status.js';
import type { RuleStatus, StatusView, WorkspaceView } from '../../status/status-view.js';
import { breakable, html, type Html } from './html.js';
import { choice, command, form, holds, state, table, type Page } from './page.js';

/** What is asked. */
export interface RulesQuestion {
  readonly search: string;
  readonly show: 'all' | 'not-well';
}

const EVERY_SECONDS = 10;

/** The page. */
export function rulesPage({ rules, workspaces, problems }: StatusView, { search, show }: RulesQuestion): Page {
  const wanted = (isGood: boolean): boolean => show === 'all' || !isGood;
  const shownRules = badFirst(rules, isWell).filter(
    (rule) => wanted(isWell(rule)) && holds(search, `${rule.workspace}/${rule.name}`, rule.reason, rule.message),
  );
  // As status names what is wrong there.
  const fixesOf = ({ path }: WorkspaceView) => problems.filter(({ where }) => where === path || where.endsWith(` in ${path}`));
  const isGuarded = (each: WorkspaceView): boolean => isWellGuarded(each) && fixesOf(each).length === 0;
  const shownWorkspaces = badFirst(workspaces, isGuarded).filter(
    (each) => wanted(isGuarded(each)) && holds(search, each.path, each.cluster, each.guard?.reason, ...each.guards),
  );
  const bad = rules.filter((rule) => !isWell(rule)).length;
  const summary = `${String(rules.length)} ${rules.length === 1 ? 'rule' : 'rules'}, ${bad === 0 ? 'all ready and in force' : `${String(bad)} not ready or not in force`}.`;
  return {
    view: 'rules',
    title: 'Rules and guards',
    everySeconds: EVERY_SECONDS,
    summary,
    fixed: form(
      'rules',
      [
        { name: 'search', label: 'Search', value: search, hint: 'workspace, name, reason or type' },
        choice('show', 'Show', show, { all: 'all', 'not-well': 'what is not well' }),
      ],
      'Search',
    ),
    content: html` <p class="notice ${bad === 0 ? 'good' : 'bad'}">${summary}</p>
      ${table(
        'Rules',
        shownRules,
        [
          { name: 'Rule', cell: ({ workspace, name }) => breakable(`${workspace}/${name}`) },
          { name: 'Ready', cell: readiness },
          { name: 'In force', cell: force },
          { name: 'Reason, and what helps', cell: reason },
        ],
        'No rule is like that.',
      )}
      ${table(
        'Workspaces that bind dep-ctrl, and their guards',
        shownWorkspaces,
        [
          { name: 'Workspace', cell: ({ path }) => breakable(path) },
          { name: 'Guard', cell: guardState },
          { name: 'Admits rules of', cell: admitted },
          { name: 'Configuration', cell: configuration },
          {
            name: 'Guarded types',
            cell: ({ guards, heldByRules }) =>
              html`${guards.join(', ')} ${guards.length === 0 ? 'none' : `(${String(heldByRules)} ${heldByRules === 1 ? 'rule' : 'rules'})`}`,
          },
          { name: 'What helps', cell: (each) => helps(fixesOf(each)) },
        ],
        'No workspace is like that.',
      )}`,
  };
}

function badFirst<T>(rows: readonly T[], isGood: (row: T) => boolean): readonly T[] {
  return rows.toSorted((a, b) => Number(isGood(a)) - Number(isGood(b)));
}

function isWell({ ready, inForce }: RuleStatus): boolean {
  return ready === 'True' && inForce === 'yes';
}

function isWellGuarded({ guard, configuration: held, guards }: WorkspaceView): boolean {
  if (guards.length === 0) return held === 'none' && guard?.ready !== false;
  return guard?.ready === true && held === 'equal';
}

function readiness({ ready }: RuleStatus): Html {
  const words = { True: 'ready', False: 'not ready', Unknown: 'unknown', none: 'no status' } as const;
  return state(words[ready], ready === 'True' ? 'good' : ready === 'False' ? 'bad' : 'doubt');
}

function force({ inForce }: RuleStatus): Html {
  const kinds = { yes: 'good', no: 'bad', partly: 'doubt', unknown: 'doubt' } as const;
  return state(inForce, kinds[inForce]);
}

function reason({ reason: word, message, fix }: RuleStatus): Html {
  return html`<p>${word}${message === undefined ? undefined : `: ${message}`}</p>
    ${fix === undefined ? undefined : command(fix)}`;
}

function guardState({ guard, guards }: WorkspaceView): Html {
  if (guard === undefined) return state(guards.length === 0 ? 'none wanted' : 'missing', guards.length === 0 ? 'plain' : 'bad');
  return guard.ready ? state('ready', 'good') : html`${state('not ready', 'bad')} ${guard.reason === '' ? 'no status' : guard.reason}`;
}

function admitted({ guard }: WorkspaceView): string {
  if (guard === undefined) return '';
  if (guard.admits === 'everyone') return 'everyone';
  return guard.admits === 0 ? 'nobody else' : `${String(guard.admits)} workspaces`;
}

function configuration({ configuration: held }: WorkspaceView): Html {
  const text = CONFIGURATIONS[held].toLowerCase();
  const kind = held === 'equal' ? 'good' : held === 'none' ? 'plain' : held === 'unknown' ? 'doubt' : 'bad';
  return state(text, kind);
}

function helps(fixes: StatusView['problems']): Html {
  return html`${fixes.map(
    ({ where, says, run }) =>
      html`<p>${where} ${says}</p>
        ${command(run)}`,
  )}`;
}
