import type { Saboteur } from '../saboteur.js';

const DESIRED = 'apps/dep-ctrl/src/controller/configuration/desired-webhooks.ts';
const INSTALLER = 'libs/webhook-installer/src/webhook-installer.ts';
const WITHDRAWAL = 'apps/dep-ctrl/src/controller/workspace/workspace-withdrawal.ts';

/** The controller asks kcp for something else than what is promised. */
export const configurations: readonly Saboteur[] = [
  {
    name: 'warnings-fail-closed',
    does: 'tells kcp to refuse, while the webhook does not answer, also what rules only warn of',
    changes: [{ file: DESIRED, now: "const WATCHING = { failurePolicy: 'Ignore'", instead: "const WATCHING = { failurePolicy: 'Fail'" }],
    fails: { 'S5.9': 'answered 500, expected 200' },
  },
  {
    name: 'guards-without-finalizer',
    does: 'makes guards that kcp may delete together with the binding',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/guard/guard-objects.ts',
        now: 'labels: { [MANAGED_BY.label]: MANAGED_BY.value }, finalizers: [GUARD_FINALIZER] },',
        instead: 'labels: { [MANAGED_BY.label]: MANAGED_BY.value } },',
      },
      {
        file: 'apps/dep-ctrl/src/controller/guard/guard-objects.ts',
        now: 'return guard.metadata.finalizers?.includes(GUARD_FINALIZER) ?? false;',
        instead: 'return guard.metadata.finalizers?.includes(GUARD_FINALIZER) ?? true;',
      },
    ],
    fails: { 'S3.18': 'the binding waits' },
  },
  {
    name: 'audits-fail-closed',
    does: 'tells kcp to refuse, while the webhook does not answer, what rules only audit',
    changes: [
      {
        file: DESIRED,
        now: "const denied = guarded.filter(({ enforcement }) => enforcement === 'Deny');",
        instead: "const denied = guarded.filter(({ enforcement }) => enforcement !== 'Warn');",
      },
    ],
    fails: { 'S5.9': 'answered 500, expected 200' },
  },
  {
    name: 'fail-open',
    does: 'tells kcp to ignore a webhook that does not answer',
    changes: [{ file: DESIRED, now: "const REFUSING = { failurePolicy: 'Fail'", instead: "const REFUSING = { failurePolicy: 'Ignore'" }],
    fails: {
      'S5.1': '200 !== 500',
      'S5.2': 'the deletion was allowed',
      'S5.6': '200 !== 500',
      'S7.5': 'a delete was allowed',
      'S7.23': 'a delete was allowed',
      'S7.16': '"status":"Success"',
      'S7.17': '"status":"Success"',
      'S7.18': '"status":"Success"',
    },
  },
  {
    name: 'no-way-out',
    does: 'has kcp ask the webhook about annotated objects too, and fail without it',
    changes: [
      {
        file: DESIRED,
        now: "entries.push(entry(DENY_ENTRY, '', denied, { ...REFUSING, matchConditions: [NOT_SKIPPED] }, address));",
        instead: "entries.push(entry(DENY_ENTRY, '', denied, { ...REFUSING, matchConditions: [] }, address));",
      },
    ],
    fails: {
      'S5.1': 'answered 500, expected 200',
      'S5.6': 'answered 500, expected 200',
      'S7.16': 'answered 500, expected 200',
      'S7.17': 'answered 500, expected 200',
      'S7.18': 'answered 500, expected 200',
    },
  },
  {
    name: 'any-value-skips',
    does: 'lets an object go that is annotated, whatever the value',
    changes: [
      {
        file: DESIRED,
        now: "expression: `${SKIP_VALUE} != 'true'`",
        instead: "expression: `${SKIP_VALUE} == ''`",
      },
    ],
    fails: { 'S1.10': '200 !== 403' },
  },
  {
    name: 'delete-then-create',
    does: 'replaces a configuration by deleting it and making it again a second later',
    changes: [
      {
        file: INSTALLER,
        now: "return this.#write(() => client.replace(WEBHOOK_CONFIGURATIONS, plan.object, { signal }), 'replaced');",
        instead: `return this.#write(async () => {
          await client.delete(WEBHOOK_CONFIGURATIONS, { name: this.#dependencies.name }, { signal });
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          const { uid, resourceVersion, creationTimestamp, ...metadata } = plan.object.metadata as Record<string, unknown>;
          await client.create(WEBHOOK_CONFIGURATIONS, { ...plan.object, metadata } as never, { signal });
        }, 'replaced');`,
      },
    ],
    fails: {
      'S7.19': 'the deletion was allowed',
      'S7.20': 'the deletion was allowed',
      'S6.12': 'the deletion was allowed',
      'S7.21': 'Success',
    },
  },
  {
    name: 'left-behind',
    does: 'says that a configuration is gone without removing it',
    changes: [
      {
        file: INSTALLER,
        now: 'return this.#remove(client, plan.object, signal);',
        instead: "return { state: 'removed' };",
      },
    ],
    fails: {
      'S5.4': 'nothing is left',
      'S7.14': 'nothing is left',
      'S7.20': 'what was begun is done',
      'S3.9': 'a configuration is left',
    },
  },
  {
    name: 'unbinding-without-end',
    does: 'holds a workspace that unbinds for as long as its configuration cannot be removed',
    changes: [{ file: WITHDRAWAL, now: 'const UNBINDING_MS = 60_000;', instead: 'const UNBINDING_MS = Infinity;' }],
    fails: { 'S3.17': 'the binding is gone' },
    patienceMs: 100_000,
  },
  {
    name: 'silent-leftover',
    does: 'says nothing of a configuration that it leaves behind',
    changes: [{ file: WITHDRAWAL, now: 'this.#leaveBehind(site.cluster, problem);', instead: 'void problem;' }],
    fails: { 'S3.17': 'the controller says' },
    patienceMs: 100_000,
  },
  {
    name: 'handed-over-is-ours',
    does: 'treats a configuration that was handed over as its own: removes it, or goes by the first rule that comes, before anybody says that all are back',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/workspace/plan-workspace.ts',
        now: "if (facts.isHandedOver) return { do: 'wait', for: RULES_ARE_BACK };",
        instead: "if (facts.isHandedOver && facts.wanted.length < 0) return { do: 'wait', for: RULES_ARE_BACK };",
      },
    ],
    patienceMs: 60_000,
    // Where the controller is slower than the first look, it removes nothing before a rule comes.
    fails: { 'S6.8': ['nothing but rules are missing', 'the controller leaves what was handed over', 'the rules are said to be back'] },
  },
  {
    name: 'deleted-stays-deleted',
    does: 'never makes a configuration again that somebody deleted',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/configuration/configuration-writer.ts',
        now: "if (held !== undefined) return { installation: { state: 'pending', message: held }, again: 'soon', isNew: false };",
        instead: `const isDeleted = want.seen === undefined && (want.wasInstalled || this.#dependencies.reinstalls.isMissing(site.cluster));
    if (held !== undefined || isDeleted)
      return { installation: { state: 'pending', message: held ?? 'it was deleted' }, again: 'later', isNew: false };`,
      },
      {
        // While the watch lags behind, the writer sees it there still.
        file: INSTALLER,
        now: "return this.#write(() => client.create(WEBHOOK_CONFIGURATIONS, plan.object, { signal }), 'created');",
        instead: `{
          const made = ((globalThis as { made?: Set<unknown> }).made ??= new Set());
          if (made.has(client.address)) return UNSEEN;
          made.add(client.address);
          return this.#write(() => client.create(WEBHOOK_CONFIGURATIONS, plan.object, { signal }), 'created');
        }`,
      },
    ],
    patienceMs: 60_000,
    fails: { 'S2.8': 'it is there again', 'S9.8': 'it is made again' },
  },
  {
    name: 'unbinding-at-once',
    does: 'lets a workspace that unbinds go after a second, whatever is left there',
    changes: [{ file: WITHDRAWAL, now: 'const UNBINDING_MS = 60_000;', instead: 'const UNBINDING_MS = 1_000;' }],
    fails: { 'S3.17': 'nobody tried for a minute to remove the configuration' },
  },
  {
    name: 'a-conflict-is-for-ever',
    does: 'installs nothing any more where it once found a configuration of another installation',
    changes: [
      {
        file: INSTALLER,
        now: "return { state: 'conflict', owner: plan.owner };",
        instead: `((globalThis as { lost?: Set<unknown> }).lost ??= new Set()).add(client.address);
        return { state: 'conflict', owner: plan.owner };`,
      },
      {
        file: INSTALLER,
        now: "return this.#write(() => client.create(WEBHOOK_CONFIGURATIONS, plan.object, { signal }), 'created');",
        instead: `if ((globalThis as { lost?: Set<unknown> }).lost?.has(client.address) === true) return { state: 'conflict', owner: undefined };
        return this.#write(() => client.create(WEBHOOK_CONFIGURATIONS, plan.object, { signal }), 'created');`,
      },
    ],
    fails: { 'S2.19': 'answered 200, expected 403' },
  },
  {
    name: 'any-value-lets-go',
    does: 'lets go what has the annotation, whatever its value is',
    changes: [{ file: DESIRED, now: "expression: `${SKIP_VALUE} != 'true'`", instead: "expression: `${SKIP_VALUE} == ''`" }],
    fails: { 'S7.16': '"status":"Success"' },
  },
];
