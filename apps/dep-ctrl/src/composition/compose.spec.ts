import { describe, expect, it } from '@jest/globals';
import { Connection, silentLogger, systemClock } from '@dep-ctrl/kcp-client';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { StaticCaBundle } from '@dep-ctrl/webhook-installer';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ControllerRole } from '../controller/controller-role.js';
import { RuleSource } from '../rules/rule-source.js';
import { noDecisions } from '../webhook/decision/decisions.js';
import { WebhookRole } from '../webhook/webhook-role.js';
import { compose } from './compose.js';
import { controllerModule } from './controller-module.js';
import { Rules } from './tokens.js';
import { webhookModule } from './webhook-module.js';

function composed() {
  const connection = new Connection({ server: 'https://127.0.0.1:1/clusters/root:dep-ctrl' });
  const path = parseWorkspacePath('root:dep-ctrl');
  if (!path.ok) throw new Error(path.problem);
  const home = { exportName: 'dependencies.opendefense.cloud', workspace: connection.cluster(path.value) };
  const container = compose({ connection, home, clock: systemClock, logger: silentLogger }, undefined);
  container.load(
    webhookModule({ port: 0, maxRuleAgeMs: 30_000, readServingPair: () => Promise.reject(new Error('not asked')), decisions: noDecisions }),
    controllerModule({
      webhookUrl: 'https://127.0.0.1:9443/validate',
      leaderElect: true,
      caBundle: new StaticCaBundle(undefined),
      isWebhookServing: () => true,
    }),
  );
  return container;
}

describe(compose, () => {
  it('given both modules, then both roles and what they share can be built', () => {
    const container = composed();

    expect(container.get(WebhookRole)).toBeInstanceOf(WebhookRole);
    expect(container.get(ControllerRole)).toBeInstanceOf(ControllerRole);
  });

  it('given several who ask, then there is one of each', () => {
    const container = composed();

    for (const token of [RuleSource, WorkspaceResolver, Rules, WebhookRole, ControllerRole]) {
      expect(container.get<object>(token)).toBe(container.get<object>(token));
    }
  });

  it('given another process, then it shares nothing with this one', () => {
    expect(composed().get(Rules).value).not.toBe(composed().get(Rules).value);
  });
});
