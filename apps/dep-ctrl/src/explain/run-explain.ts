// `dep-ctrl explain`: the answer that a delete would get, from the code that answers deletes. Reads only.
import { runAll, systemClock, type Connection, type Logger } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { UsageError, type World } from '../cli/command.js';
import { connect, type ConnectionSettings } from '../cli/connect.js';
import { printResult } from '../cli/print-result.js';
import { compose } from '../composition/compose.js';
import { Rules } from '../composition/tokens.js';
import { until } from '../kcp-objects/until.js';
import { RuleSource } from '../rules/rule-source.js';
import { loggerFor } from '../telemetry/logger-for.js';
import type { LogFormat, LogLevel } from '../telemetry/winston-logger.js';
import type { DecidedReview } from '../webhook/decisions.js';
import { noDecisions } from '../webhook/decisions.js';
import { makeDeletionGuard } from '../webhook/make-deletion-guard.js';
import { ReviewDesk } from '../webhook/review-desk.js';
import { rulesReadiness } from '../webhook/rules-readiness.js';
import { explanationOf, printExplanation, reviewOf } from './explanation.js';
import { findSubject, type FoundSubject, type SubjectQuery } from './find-subject.js';

/** What `explain` is told. */
export interface ExplainSettings extends ConnectionSettings {
  readonly subject: SubjectQuery;
  /** Where the object is; without it the workspace of the kubeconfig. */
  readonly workspace: WorkspacePath | undefined;
  readonly depCtrlWorkspace: WorkspacePath;
  readonly output: 'json' | 'yaml' | undefined;
  readonly logFormat: LogFormat | undefined;
  readonly logLevel: LogLevel | undefined;
}

// The time that kcp gives a webhook of ours.
const REVIEW_MS = 10_000;
const RULES_WITHIN_MS = 15_000;
const MAX_RULE_AGE_MS = 30_000;

/** Prints whether a delete would go through, and if not by which rules and because of whom. */
export async function runExplain(settings: ExplainSettings, world: World): Promise<void> {
  const connection = connect(settings, world.env);
  try {
    const workspace = settings.workspace ?? connection.workspace;
    if (workspace === undefined)
      throw new UsageError('--workspace is missing: the kubeconfig names no workspace, give the one that holds the object');
    const subject = await findSubject(connection, workspace, settings.subject, world);
    const decided = await review(connection, subject, settings, { logger: loggerFor(settings, world, 'error'), signal: world.signal });
    printResult(explanationOf(decided, workspace), { output: settings.output, stdout: world.stdout, asText: printExplanation });
  } finally {
    await connection.close();
  }
}

/** Asks the very desk that answers kcp, while the rules are read. */
async function review(
  connection: Connection,
  subject: FoundSubject,
  { depCtrlWorkspace }: ExplainSettings,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<DecidedReview> {
  const home = { exportName: EXPORT_NAME, workspace: connection.cluster(depCtrlWorkspace) };
  const container = compose({ connection, home, clock: systemClock, logger }, undefined);
  const source = container.get(RuleSource);
  const guard = makeDeletionGuard({
    connection,
    home,
    registry: container.get(Rules).value.reader,
    source,
    maxRuleAgeMs: MAX_RULE_AGE_MS,
    clock: systemClock,
    logger,
  });
  const enough = new AbortController();
  let answered: DecidedReview | undefined;
  const desk = new ReviewDesk({
    guard,
    decisions: { ...noDecisions, decided: (each) => void (answered = each) },
    clock: systemClock,
    logger,
  });
  const ask = async (stop: AbortSignal) => {
    try {
      await until('reading the rules', () => Promise.resolve(probeRules(source)), {
        clock: systemClock,
        timeoutMs: RULES_WITHIN_MS,
        signal: stop,
      });
      const { body, mode } = reviewOf(subject);
      const target = { guardedCluster: subject.guardedCluster, token: undefined, mode, timeoutMs: REVIEW_MS };
      await desk.answer(body, target, { signal: stop });
    } finally {
      enough.abort();
    }
  };
  await runAll([source, { run: ask }], AbortSignal.any([signal, enough.signal]));
  if (answered === undefined) throw new Error('the review was not answered');
  return answered;
}

function probeRules(source: RuleSource) {
  const now = systemClock.monotonic();
  const readiness = rulesReadiness(source.state(), { nowMs: now, maxDisconnectedMs: RULES_WITHIN_MS });
  return readiness.ready ? ({ done: true } as const) : { waitingFor: readiness.missing };
}
