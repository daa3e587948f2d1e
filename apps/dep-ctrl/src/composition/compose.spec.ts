import { describe, expect, it } from '@jest/globals';
import { ContainerModule, type Container } from 'inversify';
import { Connection, silentLogger, systemClock } from '@dep-ctrl/kcp-client';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { StaticCaBundle } from '@dep-ctrl/webhook-installer';
import { createRegistry } from '@dep-ctrl/rule-registry';
import { rehearsalModules } from '../explain/rehearse-reviews.js';
import { roleModules, type RoleModules } from '../roles/role-modules.js';
import type { RoleSettings } from '../roles/role-settings.js';
import { HealthServer } from '../health/health-server.js';
import { RuleSource } from '../rules/rule-source.js';
import { silentObserver } from '../webhook/decision/review-observer.js';
import { ReviewDesk } from '../webhook/review/review-desk.js';
import { compose, partsOf, readyLinesOf, type ModuleSet } from './compose.js';
import { telemetryModule } from './telemetry-module.js';
import { LeadershipStart } from './tokens.js';

const webhookUrl = 'https://dep-ctrl.example.com/validate';
const webhook = { port: 0, maxRuleAgeMs: 30_000 };

/** What the commands build, and what each asks its container for. */
const SETS: readonly { readonly given: string; readonly modules: () => ModuleSet; readonly ask: (container: Container) => void }[] = [
  { given: 'controller', modules: () => rolesWith({ controller: { webhookUrl, leaderElect: true } }), ask: startAndLead },
  {
    given: 'controller with a type of workspaces that it tears down',
    modules: () => rolesWith({ controller: { webhookUrl, leaderElect: true, workspaceType: 'ordered' } }),
    ask: startAndLead,
  },
  { given: 'webhook', modules: () => rolesWith({ webhook }), ask: start },
  { given: 'all', modules: () => rolesWith({ controller: { leaderElect: true }, webhook }), ask: startAndLead },
  { given: 'dev', modules: () => rolesWith({ controller: { leaderElect: false }, webhook }), ask: startAndLead },
  { given: 'explain', modules: () => rehearsal(), ask: rehearse },
  {
    given: 'health and metrics',
    modules: () => ({ process: [telemetryModule({ ...ADDRESSES, logger: silentLogger })] }),
    ask: serveHealth,
  },
];

describe(compose, () => {
  it.each(SETS)(
    'given the modules of $given, then every part can be built, and each is asked for by a part or by the command',
    ({ modules, ask }) => {
      const recorder = new Recorder();

      ask(compose(recorder.of(modules())));

      expect(recorder.unused()).toEqual([]);
    },
  );

  it('given a part that nobody asks for, then it shows', () => {
    const Idle = class Idle extends Set {};
    const recorder = new Recorder();
    const idle = new ContainerModule(({ bind }) => void bind(Idle).toResolvedValue(() => new Idle()));

    rehearse(compose(recorder.of({ process: [...rehearsal().process, idle] })));

    expect(recorder.unused()).toEqual(['Idle']);
  });

  it('given a leadership after another, then its parts are new ones, on the same process', () => {
    const container = compose(rolesWith({ controller: { webhookUrl, leaderElect: true } }));
    const { value: lead } = container.get(LeadershipStart);

    const [first, second] = [lead(webhookUrl), lead(webhookUrl)];

    expect(second.installations).not.toBe(first.installations);
    expect(second.parts.map((part) => first.parts.includes(part))).toEqual([false, false]);
  });

  it('given another process, then it shares nothing with this one', () => {
    const [one, other] = [rolesWith({ webhook }), rolesWith({ webhook })];

    expect(one.registry).not.toBe(other.registry);
    expect(compose(one).get(RuleSource)).not.toBe(compose(other).get(RuleSource));
  });
});

const ADDRESSES = { healthAddress: { port: 0 }, metricsAddress: { port: 0 } };

function start(container: Container): void {
  expect(partsOf(container)).not.toEqual([]);
  expect(readyLinesOf(container)).not.toEqual([]);
}

function startAndLead(container: Container): void {
  start(container);
  container.get(LeadershipStart).value(webhookUrl);
}

function rehearse(container: Container): void {
  expect(partsOf(container)).toHaveLength(1);
  container.get(ReviewDesk);
}

function serveHealth(container: Container): void {
  container.get(HealthServer);
}

function rehearsal(): ModuleSet {
  const { reader: registry, writer } = createRegistry();
  return rehearsalModules({ ...given(), registry, clock: systemClock }, writer, silentObserver);
}

function rolesWith(roles: RoleSettings): RoleModules {
  const prepared = {
    urlSecrets: undefined,
    caBundle: new StaticCaBundle(undefined),
    followers: [],
    readServingPair: () => Promise.reject(new Error('not asked')),
  };
  return roleModules({ ...given(), roles }, prepared);
}

function given() {
  const connection = new Connection({ server: 'https://127.0.0.1:1/clusters/root:dep-ctrl' });
  const path = workspacePath('root:dep-ctrl');
  const home = { exportName: 'dependencies.opendefense.cloud', workspace: connection.cluster(path) };
  return { connection, home, logger: silentLogger };
}

/** Notes what modules bind, and what of that is ever built. */
class Recorder {
  readonly #bound = new Set<unknown>();
  readonly #built = new Set<unknown>();

  of({ process, leadership }: ModuleSet): ModuleSet {
    const recorded = (modules: readonly ContainerModule[]) => modules.map((module) => this.#recorded(module));
    return { process: recorded(process), ...(leadership && { leadership: (url) => recorded(leadership(url)) }) };
  }

  unused(): readonly string[] {
    return [...this.#bound].filter((token) => !this.#built.has(token)).map((token) => (token as { readonly name: string }).name);
  }

  #recorded(module: ContainerModule): ContainerModule {
    return new ContainerModule((options) =>
      module.load({
        ...options,
        bind: (token) => {
          this.#bound.add(token);
          options.onActivation(token, (_context, part) => {
            this.#built.add(token);
            return part;
          });
          return options.bind(token);
        },
      }),
    );
  }
}
