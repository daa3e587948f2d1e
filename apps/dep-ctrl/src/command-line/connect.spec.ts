import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { UsageError } from '@dep-ctrl/command-settings';
import { connectionOptions } from './connect.js';

describe(connectionOptions, () => {
  it.each([
    {
      given: 'an address without TLS',
      server: 'http://kcp:6443',
      says: '--kubeconfig: kcp answers by https alone, and the server there is http://kcp:6443',
    },
    { given: 'no context', server: undefined, says: /^--kubeconfig: / },
  ])('given a kubeconfig with $given, then it is wrong usage, and the flag is named', async ({ server, says }) => {
    const dir = await mkdtemp(join(tmpdir(), 'connect-'));
    const kubeconfig = join(dir, 'kubeconfig');
    await writeFile(kubeconfig, JSON.stringify(server === undefined ? {} : pointingAt(server)));

    const connecting = () => connectionOptions({ kubeconfig, context: undefined }, {});

    expect(connecting).toThrow(UsageError);
    expect(connecting).toThrow(says);
    await rm(dir, { recursive: true });
  });
});

function pointingAt(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    users: [{ name: 'u', user: { token: 't' } }],
  };
}
