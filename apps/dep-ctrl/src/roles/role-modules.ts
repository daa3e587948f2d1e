// The roles of a process as modules: `controller`, `webhook`, `all` and `dev` run the same ones in different sets.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { makeCollectYoung, systemClock, YoungGarbage, type Connection, type Logger } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { silentTeardown, type TeardownObserver } from '@dep-ctrl/ordered-teardown';
import { createRegistry, type RegistryReader } from '@dep-ctrl/rule-registry';
import type { PlainQuestion } from '@dep-ctrl/admission-server';
import type { ModuleSet } from '../composition/compose.js';
import { controllerModules, webhookElsewhere, webhookHere } from '../composition/controller-modules.js';
import { leadershipModules, ruleAdmissionModule } from '../composition/leadership-modules.js';
import { rulesModule } from '../composition/rules-module.js';
import { teardownModule } from '../composition/teardown-module.js';
import { webhookModules } from '../composition/webhook-modules.js';
import type { Home } from '../command-line/connect.js';
import { DecisionFeed } from '../telemetry/decision-feed.js';
import { decisionLog, tellAll } from '../telemetry/decision-log.js';
import { namingPaths } from '../telemetry/naming-paths.js';
import { urlTokensFrom } from '../url-tokens/url-tokens.js';
import type { ReviewObserver } from '../webhook/decision/review-observer.js';
import type { Prepared } from './prepare-roles.js';
import { OWN_HOST, teardownOf, type RoleSettings } from './role-settings.js';

/** What the roles are made of, beside what was prepared. */
export interface RoleParts {
  readonly connection: Connection;
  readonly home: Home;
  readonly roles: RoleSettings;
  /** Told of decisions and of teardowns. */
  readonly metrics?: ReviewObserver & TeardownObserver;
  readonly logger: Logger;
}

/** The modules of a process, and the registry that its parts share. */
export interface RoleModules extends ModuleSet {
  readonly registry: RegistryReader;
}

/** The modules of the roles that a process has. */
export function roleModules({ connection, home, roles, metrics, logger: plain }: RoleParts, prepared: Prepared): RoleModules {
  const { reader: registry, writer } = createRegistry();
  const logger = namingPaths(plain, (cluster) => pathIn(registry, cluster));
  const shared = { connection, home, registry, clock: systemClock, logger };
  const rules = rulesModule(shared, writer);
  const { readServingPair, certificate, caBundle, urlSecrets } = prepared;
  const urlTokens = urlSecrets && urlTokensFrom(urlSecrets);
  const election = roles.controller?.leaderElect === true ? { identity: `${hostname()}-${randomUUID()}` } : undefined;
  const controller = controllerModules(shared, { caBundle, election, isCertificateJudged: certificate !== undefined });
  const leadership = (webhookUrl: string) => {
    const options = { webhookUrl, caBundle, urlTokens };
    const teardown = teardownOf(roles.controller);
    return [
      ...leadershipModules(shared, options),
      ruleAdmissionModule(shared, options),
      ...(teardown === undefined ? [] : [teardownModule(shared, { ...teardown, observer: metrics ?? silentTeardown })]),
    ];
  };
  if (roles.webhook === undefined)
    return { registry, process: [rules, webhookElsewhere(roles.controller.webhookUrl), ...controller], leadership };
  if (readServingPair === undefined) throw new Error('nothing was prepared for the webhook to serve with');
  const byHost: Partial<ReviewObserver> = { decided: ({ host }) => certificate?.calledAs(host) };
  const feed = new DecisionFeed({
    process: randomUUID(),
    secrets: urlSecrets,
    pathOf: (cluster) => pathIn(registry, cluster),
    now: () => systemClock.now(),
  });
  const observer = tellAll(decisionLog(logger), metrics ?? {}, byHost, { decided: (review) => feed.decided(review) });
  const reading = { observer, garbage: new YoungGarbage(makeCollectYoung()) };
  const { port, host, maxRuleAgeMs } = roles.webhook;
  const serving = { port, host, readServingPair, certificate, urlSecrets, answerGet: (question: PlainQuestion) => feed.answer(question) };
  const webhook = [...webhookModules(shared, { ...reading, ...serving, maxRuleAgeMs }), rules];
  if (roles.controller === undefined) return { registry, process: webhook };
  const url = roles.controller.webhookUrl ?? ((ownPort: number) => `https://${OWN_HOST}:${ownPort}/validate`);
  return { registry, process: [...webhook, webhookHere(url), ...controller], leadership };
}

function pathIn({ paths }: RegistryReader, name: string): WorkspacePath | undefined {
  const cluster = parseLogicalClusterName(name);
  return cluster.ok ? paths.pathOf(cluster.value) : undefined;
}
