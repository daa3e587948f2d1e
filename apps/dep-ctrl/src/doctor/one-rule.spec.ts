import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { doctorCommand } from '../commands/doctor-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { runCli } from '../testing/run-cli.js';
import { factsAboutRule, parseNamedRule } from './one-rule.js';
import { examine, findingsOf } from './preconditions.js';
import type { DoctorFacts } from './precondition.js';
import { NO_PROBES } from './probes/probes.js';
import { binding, clusterNamed, facts, installation, read, ready, rule, server, shard } from './spec-support/whole-facts.js';

const { compute, network } = DEV_PATHS;
const NETWORK = clusterNamed('network');
const inWorkspace = (object: KubeObject, cluster: string, path: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { 'kcp.io/cluster': cluster, 'kcp.io/path': path } },
});

/** Two rules that are not ready, of two authors, and a guarded workspace that waits for its configuration. */
function troubled(): DoctorFacts {
  const unready = rule({ status: { conditions: [ready('False', 'FieldNotFound')] } });
  const rejected = { ...binding(), spec: { ...(binding()['spec'] as object), permissionClaims: [] } };
  const shards = [
    shard({
      bindings: read([binding(), inWorkspace(binding(), NETWORK, network), inWorkspace(rejected, 'storage', 'root:storage')]),
      rules: read([unready, inWorkspace(unready, 'storage', 'root:storage')]),
    }),
  ];
  const rights = [compute, 'root:storage'].map((workspace) => ({
    ...({ role: 'webhook', of: 'dependents', workspace, action: 'list virtualmachines.compute.example.com' } as const),
    grant: read('missing' as const),
  }));
  return facts({ installation: installation({ shards, paths: new Map([[network, NETWORK]]) }), probes: { ...NO_PROBES, rights } });
}

const about = (given: DoctorFacts, text: string) => {
  const named = parseNamedRule(text);
  if (!named.ok) throw new Error(named.problem);
  const found = factsAboutRule(given, named.value);
  return found.ok ? findingsOf(examine(found.value)).broken.map(({ id, where }) => `${id} ${where}`) : found.problem;
};

describe(factsAboutRule, () => {
  it.each([`${compute}/vm-dependencies`, 'compute/vm-dependencies'])(
    'given trouble of two authors and the rule %s, then that rule, its rights and the workspace that it guards are told, and nothing of the other author',
    (named) => {
      expect(about(troubled(), named)).toEqual([
        `configuration-there configuration in ${network}`,
        `rule-ready rule ${compute}/vm-dependencies`,
        `webhook-reads-dependents webhook in ${compute}`,
      ]);
    },
  );

  it('given trouble of the installation, then it is told: it concerns every rule', () => {
    const given = facts({ server: server({ version: read('v1.32.0+kcp-v0.29.1') }) });

    expect(about(given, `${compute}/vm-dependencies`)).toEqual(['kcp-version https://kcp.example.com:6443']);
  });

  it.each([
    {
      named: `${compute}/vm-dependancies`,
      says: `there is no rule "vm-dependancies" in workspace "${compute}"; there is ${compute}/vm-dependencies`,
    },
    { named: 'root:nowhere/other', says: 'there is no rule "other" in workspace "root:nowhere"' },
  ])('given $named, which there is not, then what there is near it is named', ({ named, says }) => {
    expect(about(facts(), named)).toBe(says);
  });

  it.each(['vms', 'a/b/c', '/vms', 'root:a/'])('given --rule %s, then it is wrong usage', async (named) => {
    const { code, stderr } = await runCli(doctorCommand, ['--rule', named]);

    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --rule must be a workspace and the name of a rule in it/)]);
  });
});
