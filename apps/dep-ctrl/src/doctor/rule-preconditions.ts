// The preconditions of rules, from their statuses and their text.
import type { RuleView } from '../installation/rule-views.js';
import { broken, kubectl, met, READYZ, type DoctorFacts, type Judgement, type Precondition } from './precondition.js';
import { PROVIDER_PRECONDITIONS } from './provider-preconditions.js';
import { RIGHTS_PRECONDITIONS } from './rights-preconditions.js';
import { ruleFix } from './rule-fix.js';
import { SERVER_PRECONDITIONS } from './server-preconditions.js';
import { SHARD_PRECONDITIONS } from './shard-preconditions.js';

/** A controller takes a moment after a rule is written. */
export const MOMENT_MS = 15_000;

/** By the time that it takes to see them. */
export const RULE_PRECONDITIONS: readonly Precondition[] = [
  {
    id: 'rule-readable',
    must: 'Each rule can be read as a whole.',
    otherwise: 'The targets that cannot be read are not guarded.',
    fix: 'kubectl edit dependencyrules.dependencies.opendefense.cloud NAME',
    judge: forRules((rule, { access }) => {
      const [first, ...more] = rule.problems;
      const edit = kubectl(access, rule.workspace, `edit dependencyrules.dependencies.opendefense.cloud ${rule.name}`);
      const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
      return [first === undefined ? met(whereIs(rule)) : broken(whereIs(rule), `cannot be read as a whole: ${first}${others}`, edit)];
    }),
  },
  {
    id: 'rule-looked-at',
    must: 'The controller has looked at each rule as it is now.',
    otherwise: 'A new rule is not in force, and the status of a changed one is that of before.',
    fix: READYZ,
    judge: forRules((rule, { nowMs }) => {
      const isYoung = nowMs - Date.parse(rule.createdAt) < MOMENT_MS;
      if (rule.isSeen || isYoung) return [met(whereIs(rule))];
      const says =
        rule.ready === undefined
          ? 'has no status: no controller of this installation runs'
          : 'has the status of an older generation: no controller of this installation runs';
      return [broken(whereIs(rule), says, READYZ)];
    }),
  },
  {
    id: 'rule-ready',
    must: 'Each rule is ready.',
    otherwise: 'The reason says what that means: see [conditions](conditions.md).',
    fix: 'kubectl describe dependencyrules.dependencies.opendefense.cloud NAME',
    judge: (facts) => {
      const told = toldElsewhere(facts);
      return forRules((rule) => {
        const { workspace, name, ready, lost } = rule;
        if (ready?.status !== 'False' || !rule.isSeen) return ready === undefined ? [] : [met(whereIs(rule))];
        const targets = rule.targets.filter(({ state }) => state !== 'Installed').map(({ path }) => path);
        if (rule.problems.length > 0 || told.has(ready.reason)) return [];
        const run = ruleFix({ workspace, name, reason: ready.reason, targets, lost }, facts.access);
        return [broken(whereIs(rule), `is not ready (${ready.reason}): ${ready.message}`, run)];
      })(facts);
    },
  },
];

/** Reasons of rules, and the preconditions that tell where they come from. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  ClaimNotAccepted: ['claim-accepted'],
  Conflict: ['configuration-ours'],
  GrantMissing: ['shard-rights', 'webhook-enters', 'webhook-reads-dependents'],
  Unreachable: ['kcp-answers'],
};

const ORIGINS = [...SERVER_PRECONDITIONS, ...PROVIDER_PRECONDITIONS, ...SHARD_PRECONDITIONS, ...RIGHTS_PRECONDITIONS];

function toldElsewhere(facts: DoctorFacts): ReadonlySet<string> {
  const broke = new Set(ORIGINS.filter(({ judge }) => judge(facts).some(({ state }) => state === 'broken')).map(({ id }) => id));
  const told = Object.entries(CAUSES).filter(([, ids]) => ids.some((id) => broke.has(id)));
  return new Set(told.map(([reason]) => reason));
}

function forRules(judge: (rule: RuleView, facts: DoctorFacts) => readonly Judgement[]): Precondition['judge'] {
  return (facts) => facts.rules.flatMap((rule) => judge(rule, facts));
}

function whereIs({ workspace, name }: RuleView): string {
  return `rule ${workspace}/${name}`;
}
