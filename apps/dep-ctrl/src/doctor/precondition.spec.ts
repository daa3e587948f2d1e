import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import {
  BOOTSTRAP,
  bootstrap,
  bootstrapKubeconfigs,
  bootstrapShards,
  broken,
  depCtrl,
  doctorFacts,
  install,
  kubectl,
  met,
  notChecked,
  READYZ,
  shardFlags,
  startRoles,
  type Access,
} from './precondition.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { facts, HOME, installation, NOW_MS, read, server } from './spec-support/whole-facts.js';

const plain: Access = { baseUrl: 'https://kcp:6443', workspace: 'root:dep-ctrl', flags: [] };
const given: Access = { ...plain, workspace: 'root:own', flags: ['--context', 'c'], shardKubeconfigs: ['a', 'b'], kubeconfigDir: 'out' };

it('given a judgement, then it says where, and what it says and what to run', () => {
  expect([met('x'), broken('x', 'is wrong', 'mend'), notChecked('x', { because: 'silent', why: 'no answer' })]).toEqual([
    { state: 'met', where: 'x' },
    { state: 'broken', where: 'x', says: 'is wrong', run: 'mend' },
    { state: 'not-checked', where: 'x', because: 'silent', why: 'no answer' },
  ]);
});

describe(doctorFacts, () => {
  it('given a kcp that does not answer, then nothing follows, and workspaces have no other names', () => {
    const access = plain;
    const { nameOf, ...others } = doctorFacts({ nowMs: NOW_MS, server: server() }, access);

    expect(others).toEqual({ nowMs: NOW_MS, server: server(), access, probes: {}, providers: [], rules: [] });
    expect(nameOf('2abc')).toBe('2abc');
  });

  it('given an installation, then its workspaces and rules are there, by their names', () => {
    const { providers, rules, nameOf, probes } = doctorFacts(facts(), plain, { rights: [] });

    expect([providers.map(({ name }) => name), rules.map(({ name }) => name)]).toEqual([['root:providers:compute'], ['vm-dependencies']]);
    expect(nameOf(HOME)).toBe('root:dep-ctrl');
    expect(probes).toEqual({ rights: [] });
  });
});

describe('a command that is shown', () => {
  it.each([
    { command: 'the one of the catalogue', text: BOOTSTRAP, expected: 'dep-ctrl bootstrap --kubeconfig FILE --shard-kubeconfig FILE' },
    { command: 'a plain one', text: depCtrl(plain, 'status'), expected: 'dep-ctrl status' },
    { command: 'one elsewhere', text: depCtrl(given, 'bind', 'root:a'), expected: 'dep-ctrl bind root:a --workspace root:own --context c' },
    {
      command: 'kubectl',
      text: kubectl(given, 'root:a', 'get x'),
      expected: 'kubectl --context c --server https://kcp:6443/clusters/root:a get x',
    },
    { command: 'bootstrap', text: bootstrap(plain, '--more'), expected: 'dep-ctrl bootstrap --more' },
    {
      command: 'bootstrap, with all flags',
      text: bootstrap(given, '--more'),
      expected: 'dep-ctrl bootstrap --shard-kubeconfig a --shard-kubeconfig b --kubeconfig-dir out --more --workspace root:own --context c',
    },
    { command: 'bootstrap for shards', text: bootstrapShards(plain), expected: 'dep-ctrl bootstrap --shard-kubeconfig FILE' },
    { command: 'bootstrap for kubeconfigs', text: bootstrapKubeconfigs(plain), expected: 'dep-ctrl bootstrap --kubeconfig-dir identities' },
    {
      command: 'bootstrap for kubeconfigs in a folder that was given',
      text: bootstrapKubeconfigs({ ...plain, kubeconfigDir: 'out' }),
      expected: 'dep-ctrl bootstrap --kubeconfig-dir out',
    },
    {
      command: 'an installation in a workspace',
      text: install({ ...plain, workspace: 'root:own' }),
      expected: 'dep-ctrl bootstrap --kubeconfig-dir identities --workspace root:own',
    },
    {
      command: 'an installation in root, where it is never',
      text: install({ ...plain, workspace: 'root' }),
      expected: 'dep-ctrl bootstrap --kubeconfig-dir identities',
    },
    { command: 'the flags of no shard', text: shardFlags(plain).join(' '), expected: '--shard-kubeconfig FILE' },
    { command: 'the flags of two shards', text: shardFlags(given).join(' '), expected: '--shard-kubeconfig a --shard-kubeconfig b' },
    { command: 'what a process lacks', text: READYZ, expected: "curl -s 'http://HOST:8081/readyz?verbose'" },
    { command: 'the roles', text: startRoles(plain), expected: 'dep-ctrl all --kubeconfig identities/all.kubeconfig' },
    { command: 'the roles from a folder', text: startRoles(given), expected: 'dep-ctrl all --kubeconfig out/all.kubeconfig' },
    {
      command: 'the roles at another port',
      text: startRoles({ webhookOrigin: 'https://127.0.0.1:9555' }),
      expected: 'dep-ctrl all --kubeconfig identities/all.kubeconfig --webhook-port 9555',
    },
    {
      command: 'the roles at the usual port of HTTPS',
      text: startRoles({ webhookOrigin: 'https://127.0.0.1' }),
      expected: 'dep-ctrl all --kubeconfig identities/all.kubeconfig --webhook-port 443',
    },
    {
      command: 'the roles at another host',
      text: startRoles({ webhookOrigin: 'https://w.example.com:9443' }),
      expected: 'dep-ctrl all --kubeconfig identities/all.kubeconfig --webhook-url https://w.example.com:9443',
    },
  ])('given $command, then it can be copied', ({ text, expected }) => {
    expect(text).toBe(expected);
  });
});

it('given a configuration that tells kcp where to call the webhook, then the commands know it; given none, they know what they were told', () => {
  const clientConfig = { url: 'https://w.example.com:9555/admit/token', caBundle: '' };
  const admission = {
    metadata: { name: ADMISSION_CONFIGURATION, annotations: { 'kcp.io/cluster': HOME } },
    webhooks: [{ name: 'a', clientConfig }],
  };
  const accessOf = (there?: KubeObject) =>
    doctorFacts(facts({ installation: installation({ home: { admission: read(there) } }) }), given).access;

  expect(accessOf(admission)).toEqual({ ...given, webhookOrigin: 'https://w.example.com:9555' });
  expect(accessOf()).toEqual(given);
});
