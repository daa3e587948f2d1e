// Prints the view for people: the objects first, the problems last. Pure.
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { ageText } from '../own-objects/lease-view.js';
import type { AgeView, EndpointView, RuleStatus, StatusView, WebhookView, WorkspaceView } from './status-view.js';

const NOT_SEEN = 'none in what could be read';
// Healthy entries beyond this number are not printed; everything that is wrong is printed in full.
const MOST_WELL = 20;

/** As text. */
export function printStatus(view: StatusView): string {
  const nowMs = Date.parse(view.at);
  const isWhole = view.endpoints.every(({ state }) => state === 'read') && view.notLookedAt.every(({ id }) => id !== 'endpoint-slice');
  const lines = [
    headText(view),
    `controller  ${controllerText(view.controller, nowMs)}`,
    ...(view.webhooks.length === 0
      ? [`webhook     ${isWhole ? `${ADMISSION_CONFIGURATION} in ${view.home.path} names none, so none was called` : NOT_SEEN}`]
      : []),
    ...view.webhooks.map((webhook) => `webhook     ${webhookText(webhook, nowMs)}`),
    ...(view.endpoints.length === 0 ? [`endpoint    ${isWhole ? 'none: nobody has bound dep-ctrl' : NOT_SEEN}`] : []),
    ...view.endpoints.map((endpoint) => `endpoint    ${endpointText(endpoint)}`),
    ...first(
      view.workspaces.map((workspace) => `workspace   ${workspaceText(workspace)}`),
      'workspaces',
    ),
    ...rulesText(view.rules, isWhole),
    // Where there is something to lose.
    ...(view.rules.length === 0 ? [] : [`home        ${homeText(view.home)}`]),
    ...(view.teardown === undefined ? [] : [`teardown    ${teardownText(view.teardown, nowMs)}`]),
    ...view.ages.map((age) => `age         ${ageLine(age, nowMs)}`),
    ...view.notLookedAt.map(({ where, why }) => `not looked at: ${where}: ${why}`),
    ...view.problems.flatMap(({ where, says, run }) => [`WRONG  ${where} ${says}`, `       run: ${run}`]),
    ...(view.well ? ['all is well'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function headText({ versions: { depCtrl, kcp = 'unknown' }, home: { path, cluster } }: StatusView): string {
  return `dep-ctrl ${depCtrl} in ${path}${cluster === undefined ? '' : ` (${cluster})`}, kcp ${kcp}`;
}

function homeText({ path, protected: isProtected }: StatusView['home']): string {
  switch (isProtected) {
    case 'yes':
      return `kcp refuses a delete of ${path} itself, until dep-ctrl uninstall`;
    case 'no':
      return `${path} is not protected from deletion (dep-ctrl bootstrap --protect-workspace protects it)`;
    case 'unknown':
      return `whether ${path} is protected from deletion may not be read`;
    default:
      return isProtected satisfies never;
  }
}

/** One shard, in a line. */
export function endpointText({ url, state, bindings, rules, kcp }: EndpointView): string {
  const counted = `${count(bindings, 'binding')}, ${count(rules, 'rule')}`;
  const text = { read: counted, 'partly-read': `partly read: ${counted}`, unread: 'could not be read' }[state];
  return `${url}: ${text}${kcp === undefined ? '' : `, kcp ${kcp}`}`;
}

/** Workspaces that wait for their order, in a line. */
export function teardownText({ waiting, longest }: NonNullable<StatusView['teardown']>, nowMs: number): string {
  if (longest === undefined) return 'ordered, no workspace waits for it';
  const age = ageText(Math.max(0, nowMs - Date.parse(longest.since)));
  return `ordered, ${count(waiting, 'workspace')} ${waiting === 1 ? 'waits' : 'wait'} for it, ${longest.path} longest: ${age}`;
}

/** Something that gets old, in a line. */
export function ageLine({ what, writtenAt, validUntil }: AgeView, nowMs: number): string {
  const written = writtenAt === undefined ? [] : [`written ${ageText(nowMs - Date.parse(writtenAt))} ago`];
  const valid = validUntil === undefined ? [] : [`valid for ${ageText(Date.parse(validUntil) - nowMs)}`];
  return `${what}: ${[...written, ...valid].join(', ')}`;
}

/** The leader, in a line. */
export function controllerText({ state, holder = 'somebody', version, renewedAt }: StatusView['controller'], nowMs: number): string {
  const age = renewedAt === undefined ? '' : `, Lease renewed ${ageText(Math.max(0, nowMs - Date.parse(renewedAt)))} ago`;
  switch (state) {
    case 'leads':
      return `${holder} leads${version === undefined ? '' : `, version ${version}`}${age}`;
    case 'gone':
      return `nobody leads${age}`;
    case 'not-elected':
      return 'no Lease: it runs with --leader-elect=false, or not at all';
    case 'unknown':
      return 'not looked at';
    default:
      return state satisfies never;
  }
}

function validityText(what: string, until: readonly string[], nowMs: number): readonly string[] {
  const valid = until.map((time) => Date.parse(time) - nowMs).filter((ms) => ms > 0);
  const expired = until.filter((time) => Date.parse(time) <= nowMs);
  return [
    ...(valid.length === 0 ? [] : [`${what} valid for ${valid.map(ageText).join(' and ')}`]),
    ...(expired.length === 0 ? [] : [`${what} EXPIRED at ${expired.join(' and ')}`]),
  ];
}

/** A webhook as seen from here, in a line. */
export function webhookText(webhook: WebhookView, nowMs: number): string {
  const { url, state, problem = '', versions, namedIn, certificateUntil, caUntil } = webhook;
  const parts = [
    `${url} ${state === 'answers' ? 'answers from here' : `fails from here: ${problem}`}`,
    ...(versions.length === 0 ? [] : [`${versions.length === 1 ? 'version' : 'versions'} ${versions.join(' and ')}`]),
    `named in ${count(namedIn.length, 'workspace')}`,
    ...validityText('certificate', certificateUntil === undefined ? [] : [certificateUntil], nowMs),
    ...validityText('CA', caUntil, nowMs),
  ];
  return parts.join(', ');
}

function workspaceText({ path, guard, configuration, guards, heldByRules }: WorkspaceView): string {
  if (guards.length === 0 && configuration === 'none') {
    return `${path}: nothing guarded${guard === undefined ? '' : `, guard ${guard.reason || 'without status'}`}`;
  }
  const guardText = guard === undefined ? 'no guard' : `guard ${guard.ready ? 'ready' : `not ready (${guard.reason || 'no status'})`}`;
  return `${path}: ${guards.join(', ')} held by ${count(heldByRules, 'rule')}, configuration ${CONFIGURATIONS[configuration]}, ${guardText}`;
}

/** The state of a configuration, as people read it. */
export const CONFIGURATIONS: Readonly<Record<WorkspaceView['configuration'], string>> = {
  none: 'not wanted',
  equal: 'as wanted',
  missing: 'MISSING',
  foreign: "SOMEBODY ELSE'S",
  differs: 'NOT AS WANTED',
  leftover: 'LEFT OVER',
  unknown: 'not compared',
};

function rulesText(rules: readonly RuleStatus[], isWhole: boolean): readonly string[] {
  const isWell = ({ ready, inForce }: RuleStatus): boolean => ready === 'True' && inForce === 'yes';
  const bad = rules.filter((rule) => !isWell(rule));
  return [
    `rules       ${rules.length - bad.length} of ${rules.length} ready and in force${isWhole ? '' : '; there may be others that could not be read'}`,
    ...bad.map(({ workspace, name, ready, inForce, reason, fix }) => {
      const force = { yes: 'in force', no: 'NOT in force', partly: 'in force for some targets', unknown: 'unknown whether in force' }[
        inForce
      ];
      const readiness = ready === 'none' ? 'no status' : `Ready=${ready}`;
      return `            ${workspace}/${name}: ${readiness}${reason === undefined ? '' : ` (${reason})`}, ${force}${fix === undefined ? '' : `; ${fix}`}`;
    }),
  ];
}

function first(lines: readonly string[], what: string): readonly string[] {
  return lines.length <= MOST_WELL
    ? lines
    : [...lines.slice(0, MOST_WELL), `            and ${lines.length - MOST_WELL} more ${what}: -o json has all`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
