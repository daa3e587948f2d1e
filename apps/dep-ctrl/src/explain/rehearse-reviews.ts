// Runs the code that answers kcp in this process, on rules that it reads from kcp. Reads only.
import { runAll, type Clock, type Connection, type Logger } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { createRegistry, EXPORT_NAME, type RegistryReader, type RegistryWriter } from '@dep-ctrl/rule-registry';
import { API_EXPORT_ENDPOINT_SLICES, type Doubt, until } from '@dep-ctrl/kcp-objects';
import { compose, partsOf, type ModuleSet } from '../composition/compose.js';
import { reviewModules } from '../composition/review-modules.js';
import { rulesModule } from '../composition/rules-module.js';
import type { SharedParts } from '../composition/tokens.js';
import { describeRole } from '../command-line/missing-role.js';
import { lookForExport } from '../command-line/own-export.js';
import { RuleSource } from '../rules/rule-source.js';
import type { SeenObjects } from '../rules/watched-objects.js';
import type { Decision } from '../webhook/decision/decide-deletion.js';
import { silentObserver, type DecidedReview, type ReviewObserver } from '../webhook/decision/review-observer.js';
import { ReviewDesk } from '../webhook/review/review-desk.js';
import { rulesReadiness } from '../webhook/fresh-rules/rules-readiness.js';
import { explanationOf, reviewOf, withUnready, type Explanation } from './explanation.js';
import type { FoundSubject } from './find-subject.js';
import { isAskedAbout, type Asked } from './installed-configuration.js';
import { ReadingFailures } from './reading-failures.js';
import { rulesNaming, unreadyRules, type UnreadyRule } from './unready-rules.js';

/** The questions that can be asked, one after the other. */
export interface Rehearsal {
  readonly rules: RegistryReader;
  /** The objects behind them, with their statuses. */
  readonly seen: Pick<SeenObjects, 'get'>;
  /** What a delete of the object would be answered. */
  readonly decide: (subject: FoundSubject, asked: Asked) => Promise<DecidedReview>;
  /** One line for each rule about the object's type that is not ready. */
  readonly unready: (subject: FoundSubject) => readonly UnreadyRule[];
  /** Whether kcp asks at all. */
  readonly isAsked: (subject: Pick<FoundSubject, 'type' | 'guardedCluster'>) => Promise<Asked>;
  /** Where kcp is, for commands that are shown. */
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

// The time that kcp gives a webhook of ours.
const REVIEW_MS = 10_000;
const RULES_WITHIN_MS = 15_000;
// Anybody can name thousands of paths: the answer is right without them, and says names of clusters instead.
const PATHS_WITHIN_MS = 2_000;
const MAX_RULE_AGE_MS = 30_000;

/** What a rehearsal needs. */
export interface Context {
  /** How many objects that refer to one are named, of each rule and path; as many as a refusal names unless given. */
  readonly wanted?: number | undefined;
  readonly depCtrlWorkspace: WorkspacePath;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** How kubectl reaches this kcp. */
  readonly flags?: readonly string[];
}

/** The parts that answer kcp, without a server. A new endpoint slice is not waited for: people also ask about types that were never guarded. */
export function rehearsalModules(shared: SharedParts, writer: RegistryWriter, observer: ReviewObserver, wanted?: number): ModuleSet {
  const options = { observer, wanted, maxRuleAgeMs: MAX_RULE_AGE_MS, sliceFillsUpMs: 0, isAskedByKcp: false };
  return { process: [rulesModule(shared, writer), ...reviewModules(shared, options)] };
}

/** Gives `work` the desk once the rules are read. */
export async function rehearseReviews<T>(
  connection: Connection,
  { depCtrlWorkspace, wanted, clock, logger, signal, flags = [] }: Context,
  work: (rehearsal: Rehearsal) => Promise<T>,
): Promise<T> {
  const named = { path: depCtrlWorkspace, by: '--dep-ctrl-workspace', flags };
  const slice = { type: API_EXPORT_ENDPOINT_SLICES, name: EXPORT_NAME, purpose: 'read the rules there' };
  const doubt = await lookForExport(connection, named, slice, { signal });
  const home = { path: depCtrlWorkspace, exportName: EXPORT_NAME, workspace: connection.cluster(depCtrlWorkspace) };
  let latest: DecidedReview | undefined;
  const observer = { ...silentObserver, decided: (each: DecidedReview) => void (latest = each) };
  const { reader: rules, writer } = createRegistry();
  const container = compose(rehearsalModules({ connection, home, registry: rules, clock, logger }, writer, observer, wanted));
  const source = container.get(RuleSource);
  const desk = container.get(ReviewDesk);
  const enough = new AbortController();
  let result: { readonly value: T } | undefined;
  const ask = async (stop: AbortSignal) => {
    const decide = async (subject: FoundSubject, asked: Asked): Promise<DecidedReview> => {
      const { body, mode } = reviewOf(subject, asked);
      const target = { guardedCluster: subject.guardedCluster, token: undefined, mode, timeoutMs: REVIEW_MS };
      await desk.answer(await desk.parse(body), target, { signal: stop });
      if (latest === undefined) throw new Error('the review was not answered');
      return latest;
    };
    const unready = ({ guardedCluster: cluster, type }: FoundSubject) => {
      return unreadyRules(rulesNaming({ cluster, type }, rules.snapshot()), { seen: source.seen.rules, paths: rules.paths });
    };
    try {
      const patience = { clock, timeoutMs: doubt?.withinMs ?? RULES_WITHIN_MS, signal: stop };
      const failures = new ReadingFailures(connection, { home, doubt, clock });
      const probe = async (each: { readonly signal: AbortSignal }) => {
        await failures.check(source.state(), each);
        return probeRules(source, clock, doubt);
      };
      await until('reading the rules', probe, patience);
      const readAtMs = clock.monotonic();
      const probePaths = () => (source.haveAskedForPaths() || clock.monotonic() - readAtMs > PATHS_WITHIN_MS ? DONE : WAITS_FOR_PATHS);
      await until('asking for workspace paths', () => Promise.resolve(probePaths()), patience);
      const isAsked = (subject: Pick<FoundSubject, 'type' | 'guardedCluster'>) => isAskedAbout(connection, subject, { signal: stop });
      result = {
        value: await work({ rules, seen: source.seen.rules, decide, unready, isAsked, baseUrl: connection.baseUrl, signal: stop }),
      };
    } finally {
      enough.abort();
    }
  };
  await runAll([...partsOf(container), { run: ask }], AbortSignal.any([signal, enough.signal]));
  if (result === undefined) throw new Error('stopped before there was an answer');
  return result.value;
}

/** The result of a delete of the object, including kcp: it calls no webhook for a type without a configuration. */
export async function explainDelete(
  { decide, unready, isAsked, baseUrl }: Rehearsal,
  subject: FoundSubject,
  workspace: LogicalClusterName | WorkspacePath,
): Promise<Explanation> {
  const asked = await isAsked(subject);
  const decided = await decide(subject, asked);
  const refused = refusedToCaller(decided.decision);
  if (refused !== undefined) {
    const role = describeRole({ path: workspace, clusterRole: 'cluster-admin' }, baseUrl);
    throw new Error(`cannot tell what dep-ctrl would answer: these credentials may not read what it reads; ${role}: ${refused}`);
  }
  const explanation = explanationOf(decided, workspace);
  return withUnready(explanation, unready(subject), asked);
}

/** The refusal of kcp on which the answer depends, if there is one. It is about the user's rights: the webhook reads with rights of its own. */
function refusedToCaller(decision: Decision): string | undefined {
  const failures =
    decision.because === 'cannot-tell'
      ? decision.doubts.map(({ failure }) => failure)
      : decision.because === 'bindings-unknown'
        ? [decision.failure]
        : [];
  const refused = failures.find(({ code }) => code === 'forbidden');
  return refused === undefined ? undefined : 'problem' in refused ? (refused.problem ?? '') : '';
}

const DONE = { done: true } as const;
const WAITS_FOR_PATHS = { waitingFor: 'the workspaces that rules name' } as const;

function probeRules(source: RuleSource, clock: Clock, doubt: Doubt | undefined) {
  const readiness = rulesReadiness(source.state(), { nowMs: clock.monotonic(), maxDisconnectedMs: RULES_WITHIN_MS });
  if (readiness.ready) return DONE;
  return { waitingFor: doubt === undefined ? readiness.missing : `${readiness.missing}; ${doubt.text}` };
}
