import { describe, expect, it } from '@jest/globals';
import { parseWorkspacePath, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { KcpError } from '@dep-ctrl/kcp-client';
import { readConsumerBinding } from './consumer-bindings.js';
import { decideDeletion } from '../review/decide-deletion.js';
import { answerOf } from '../review/deny-message.js';
import { HeldLookup, type HeldByRule } from './held-lookup.js';
import { person, subject } from '../testing/builders.js';
import { computeBinding, held } from '../testing/objects.js';

const { signal } = new AbortController();
const COMPUTE = pathOf('root:providers:compute');

describe('a rule that was edited into something that cannot be read', () => {
  it('given a consumer of its workspace, then deletes of what it held are refused, and the text names the rule and what is wrong with it', async () => {
    expect(await answer({ bindings: [computeBinding()] })).toMatchObject({
      allowed: false,
      status: {
        code: 403,
        message:
          'cannot delete vpcs/my-vpc: cannot tell whether a VirtualMachine still refers to it, as rule "vm-dependencies" was changed and cannot be read (.spec.dependent: is required: an object); the author of rule "vm-dependencies" can mend it',
      },
      audit: { decision: 'cannot-tell', doubts: 'rule-unreadable' },
    });
  });

  it.each<{ given: string; bindings: KubeObject[]; path?: WorkspacePath; allowed: boolean }>([
    { given: 'a consumer that has bound nothing', bindings: [], path: COMPUTE, allowed: true },
    { given: 'a consumer of others', bindings: [other()], path: COMPUTE, allowed: true },
    { given: 'a consumer of another export of that workspace', bindings: [other({ exporter: 'compute' })], path: COMPUTE, allowed: true },
    {
      given: 'a consumer whose binding does not say what is bound',
      bindings: [other({ exporter: 'compute', resources: [] })],
      path: COMPUTE,
      allowed: false,
    },
    {
      given: 'a consumer of a workspace that was replaced',
      bindings: [computeBinding({ exporter: 'old' })],
      path: COMPUTE,
      allowed: false,
    },
    { given: 'a consumer of others, where nobody knows the path of the rule', bindings: [other()], allowed: false },
  ])('given $given, then allowed is $allowed', async ({ bindings, path, allowed }) => {
    expect(await answer({ bindings, of: path === undefined ? held() : { ...held(), path } })).toMatchObject({ allowed });
  });

  it('given it only warned, then it warns', async () => {
    expect(await answer({ bindings: [computeBinding()], of: held('Warn') })).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining('rule "vm-dependencies" was changed and cannot be read')],
    });
  });

  it('given bindings that cannot be read, then deletes are refused for that', async () => {
    const bindings = () =>
      Promise.reject(new KcpError({ code: 'unavailable', asked: 'list apibindings', at: 'https://kcp', problem: 'a shard starts' }));

    const [finding] = await new HeldLookup({ reads: { bindings } }).find(subject(), [held()], { signal, patienceMs: 1_000 });

    expect(finding?.lookup).toEqual({ answer: 'cannot-tell', failure: { code: 'unavailable', lasting: false } });
  });
});

async function answer({ bindings, of = { ...held(), path: COMPUTE } }: { bindings: readonly KubeObject[]; of?: HeldByRule }) {
  const reads = { bindings: () => Promise.resolve(bindings.map(readConsumerBinding)) };
  const findings = await new HeldLookup({ reads }).find(subject(), [of], { signal, patienceMs: 1_000 });
  const decision = decideDeletion(subject(), 'enforcing', { state: 'rules-known', findings });
  return answerOf(decision, { subject: subject(), caller: person, mode: 'enforcing' });
}

/** A binding to an export of somebody else, or to another of `exporter`. */
function other({ exporter = 'storage', resources = [{ group: 'storage.example.com', resource: 'disks' }] } = {}): KubeObject {
  const { status, ...binding } = computeBinding({ exporter });
  return {
    ...binding,
    status: { ...(status as object), boundResources: resources },
    spec: { reference: { export: { path: 'root:storage', name: 's' } } },
  };
}

function pathOf(text: string): WorkspacePath {
  const parsed = parseWorkspacePath(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
