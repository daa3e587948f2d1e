// Whether deletes are checked for a rule. The condition InForce of its status decides: one reading of it for status, console, graph and explain. Pure.
import { elements, printGroupResource, record } from '@dep-ctrl/kcp-names';
import type { ConditionReason, RuleDependency } from '@dep-ctrl/rule-registry';
import { conditionsIn, IN_FORCE } from './conditions.js';

/** Whether deletes are checked. `partly`: for some targets of the rule. `unknown`: nobody could tell. */
export type InForce = 'yes' | 'partly' | 'no' | 'unknown';

const SOME_TARGETS = 'PartlyInstalled' satisfies ConditionReason;

type StatusBearer = Readonly<Record<string, unknown>>;

/** What the condition says; undefined if there is none about this generation of the rule. */
export function inForceByCondition(rule: StatusBearer): InForce | undefined {
  if (!isAboutThis(rule)) return undefined;
  const condition = conditionsIn(rule).find(({ type }) => type === IN_FORCE);
  switch (condition?.status) {
    case undefined:
      return undefined;
    case 'True':
      return 'yes';
    case 'False':
      return condition.reason === SOME_TARGETS ? 'partly' : 'no';
    default:
      return 'unknown';
  }
}

/** What the status says about one target of the rule; undefined if it does not say. */
export function isTargetInForce(rule: StatusBearer, { export: { path }, group, resource }: RuleDependency): boolean | undefined {
  const { targets } = record(rule['status']) ?? {};
  if (!Array.isArray(targets) || !isAboutThis(rule)) return undefined;
  const name = printGroupResource({ group, resource });
  const isInstalled = elements(targets).some((each) => {
    const target = record(each);
    return target?.['path'] === path && target['resource'] === name && target['state'] === 'Installed';
  });
  return !isInstalled && inForceByCondition(rule) === 'unknown' ? undefined : isInstalled;
}

/** From the most to the least that is promised. */
const PROMISED: readonly InForce[] = ['yes', 'unknown', 'partly', 'no'];

/** Of what a condition says and what was seen in kcp the one that promises less: a condition may be old, and a configuration guard a type that is not there. */
export function weaker(said: InForce | undefined, seen: InForce): InForce {
  return said === undefined || PROMISED.indexOf(seen) > PROMISED.indexOf(said) ? seen : said;
}

function isAboutThis({ metadata, status }: StatusBearer): boolean {
  const generation = record(metadata)?.['generation'];
  return typeof generation !== 'number' || record(status)?.['observedGeneration'] === generation;
}
