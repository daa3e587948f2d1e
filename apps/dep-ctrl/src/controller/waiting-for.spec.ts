import { describe, expect, it } from '@jest/globals';
import { KcpError, parseVirtualWorkspaceUrl, type EndpointsState, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { createRegistry, reportRule } from '@dep-ctrl/rule-registry';
import { rule } from '../rules/spec-support/objects.js';
import { kcpAnswers, waitingFor } from './waiting-for.js';

const NEVER = { synced: false };
const endpoint = url('https://shard.example.com:6443/services/apiexport/abc/dependencies.opendefense.cloud');

describe(waitingFor, () => {
  it.each<{ given: string; slice: EndpointsState['slice']; expected: readonly unknown[] }>([
    { given: 'a kcp that was not asked yet', slice: { kind: 'unknown' }, expected: ['kcp to answer'] },
    {
      given: 'a kcp that is away',
      slice: {
        kind: 'unknown',
        lastError: new KcpError({ code: 'unreachable', asked: 'list slices', at: 'https://kcp', problem: 'connection refused' }),
      },
      expected: [expect.stringMatching(/^kcp to answer: .*connection refused/)],
    },
    {
      given: 'no export',
      slice: { kind: 'no-slice' },
      expected: [
        'the APIExportEndpointSlice of APIExport dependencies.opendefense.cloud in the workspace of the kubeconfig: "dep-ctrl bootstrap" makes the export, and kcp the slice',
      ],
    },
    { given: 'nobody who binds', slice: { kind: 'read' }, expected: ['the first workspace to bind dependencies.opendefense.cloud'] },
  ])('given $given, then it waits for just that', ({ slice, expected }) => {
    expect(waitingFor(state(slice, []), createRegistry().reader, 'dependencies.opendefense.cloud')).toEqual(expected);
  });

  it('given an endpoint that has not listed, then it is named, and once it has listed no rule, the first rule is waited for, even one that cannot be read', () => {
    const { reader, writer } = createRegistry();
    const read = state({ kind: 'read' }, [endpoint]);
    writer.endpointsRead([endpoint]);
    const before = waitingFor(read, reader, 'x');

    writer.rulesListed(endpoint, []);
    writer.guardsListed(endpoint, []);
    writer.workspacesListed(endpoint, []);

    expect(before).toEqual(expect.arrayContaining([expect.stringContaining(endpoint)]));
    expect(waitingFor(read, reader, 'x')).toEqual(['the first rule']);
    const { cluster, object } = rule();
    writer.ruleApplied(endpoint, reportRule(cluster, { ...object, spec: {} }));
    expect(waitingFor(read, reader, 'x')).toEqual([]);
  });
});

describe(kcpAnswers, () => {
  const lastError = new KcpError({ code: 'unreachable', asked: 'list slices', at: 'https://kcp', problem: 'connection refused' });

  it.each<{ given: string; slice: EndpointsState['slice']; broken?: KcpError; expected: object }>([
    {
      given: 'a kcp that has not answered yet',
      slice: { kind: 'unknown', lastError },
      broken: lastError,
      expected: { ready: false, missing: 'the endpoints of the export have not been read' },
    },
    { given: 'endpoints that were read', slice: { kind: 'read' }, expected: { ready: true } },
    {
      given: 'endpoints that were read, and a kcp that is away now',
      slice: { kind: 'read' },
      broken: lastError,
      expected: { ready: true, note: 'cannot list slices at https://kcp: connection refused' },
    },
    {
      given: 'no export',
      slice: { kind: 'no-slice' },
      expected: { ready: true, note: 'there is no endpoint slice of the export: dep-ctrl bootstrap makes the export' },
    },
  ])('given $given, then it says whether the controller is ready', ({ slice, broken, expected }) => {
    const sliceFreshness = broken === undefined ? NEVER : { ...NEVER, lastError: broken };

    const answers = kcpAnswers({ state: () => ({ ...state(slice, []), sliceFreshness }) });

    expect([answers.name, answers.check()]).toStrictEqual(['kcp', expected]);
  });
});

function state(slice: EndpointsState['slice'], endpoints: readonly VirtualWorkspaceUrl[]): EndpointsState {
  return { slice, sliceFreshness: NEVER, endpoints: new Map(endpoints.map((each) => [each, new Map()])) };
}

function url(text: string): VirtualWorkspaceUrl {
  const parsed = parseVirtualWorkspaceUrl(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
