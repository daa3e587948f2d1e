import { describe, expect, it } from '@jest/globals';
import { readSettings, type Settings, type ValuesOf } from '@dep-ctrl/command-settings';
import { allSettings, checkAll, checkController, checkWebhook, controllerSettings, teardownOf, webhookSettings } from './role-settings.js';
import { VARIABLE_PREFIX } from '../command-line/define-command.js';

const values = <S extends Settings>(settings: S, flags: Record<string, string>): ValuesOf<S> => {
  const given = new Map(Object.entries(flags).map(([flag, text]) => [flag, [text]]));
  const read = readSettings(settings, given, { env: {}, prefix: VARIABLE_PREFIX });
  if (!read.ok) throw new Error(read.problem);
  return read.value;
};

describe(checkController, () => {
  it('given a webhook URL alone, then it is the controller with the documented defaults', () => {
    const settings = checkController(values(controllerSettings, { '--webhook-url': 'https://h:9443' }));

    expect(settings).toMatchObject({
      ok: true,
      value: {
        exportName: 'dependencies.opendefense.cloud',
        healthAddress: { port: 8081 },
        metricsAddress: { port: 8080 },
        roles: {
          controller: {
            webhookUrl: 'https://h:9443/validate',
            leaderElect: true,
            workspaceType: 'dependency-ordered',
            teardownTimeoutMs: 600_000,
          },
        },
      },
    });
  });

  it('given a name that no WorkspaceType can have, then the problem names the flag', () => {
    const flags = new Map([
      ['--webhook-url', ['https://h:9443']],
      ['--workspace-type', ['root:ordered']],
    ]);

    expect(readSettings(controllerSettings, flags, { env: {}, prefix: VARIABLE_PREFIX })).toEqual({
      ok: false,
      problem: '--workspace-type must be the name of a WorkspaceType, or empty, not "root:ordered"',
    });
  });
});

describe(teardownOf, () => {
  it.each([
    { given: 'no controller', settings: undefined, expected: undefined },
    { given: 'a controller that was told nothing', settings: { leaderElect: true }, expected: undefined },
    { given: 'an empty name', settings: { leaderElect: true, workspaceType: '', teardownTimeoutMs: 1 }, expected: undefined },
    {
      given: 'a name and a time',
      settings: { leaderElect: true, workspaceType: 'ordered', teardownTimeoutMs: 1_000 },
      expected: { typeName: 'ordered', timeoutMs: 1_000 },
    },
  ])('given $given', ({ settings, expected }) => {
    expect(teardownOf(settings)).toEqual(expected);
  });
});

describe(checkWebhook, () => {
  it('given nothing, then it is the webhook with the documented defaults', () => {
    expect(checkWebhook(values(webhookSettings, {}))).toMatchObject({
      ok: true,
      value: { roles: { webhook: { port: 9443, tlsCertDir: '/etc/webhook-tls', maxRuleAgeMs: 30_000 } } },
    });
  });
});

describe(checkAll, () => {
  it('given nothing, then both roles run and the process makes its own certificate for its own address', () => {
    expect(checkAll(values(allSettings, {}))).toMatchObject({
      ok: true,
      value: { roles: { controller: { leaderElect: true }, webhook: { port: 9443, maxRuleAgeMs: 30_000 } } },
    });
  });

  it.each([
    {
      given: 'a CA without a certificate',
      flags: { '--webhook-ca-bundle-path': 'ca.crt' },
      problem: '--webhook-ca-bundle-path needs --tls-cert-dir: without it the certificate and its CA are made here',
    },
    {
      given: 'health on the port of the webhook',
      flags: { '--webhook-port': '8081' },
      problem: '--health-probe-bind-address must be another port than --webhook-port, which is 8081',
    },
    {
      given: 'metrics on the port of the webhook',
      flags: { '--metrics-bind-address': ':9443' },
      problem: '--metrics-bind-address must be another port than --webhook-port, which is 9443',
    },
  ])('given $given, then the problem names the flag and what to write', ({ flags, problem }) => {
    expect(checkAll(values(allSettings, flags))).toEqual({ ok: false, problem });
  });

  it('given free ports everywhere, then nothing clashes', () => {
    expect(
      checkAll(values(allSettings, { '--webhook-port': '0', '--metrics-bind-address': ':0', '--health-probe-bind-address': ':0' })).ok,
    ).toBe(true);
  });
});
