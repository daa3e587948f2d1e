import { describe, expect, it } from '@jest/globals';
import { parseWorkspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import { readProgress } from './workspace-progress.js';

const PATH = parseWorkspacePath('root:new');
const OWNED = { 'experimental.tenancy.kcp.io/owner': '{"username":"a"}' };

interface Row {
  readonly of: string;
  readonly status?: object;
  readonly annotations?: Record<string, string>;
  readonly spec?: object;
  readonly is: ReturnType<typeof readProgress>;
}

const failed = (message: unknown, more: object = {}): object => ({ type: 'A', status: 'False', severity: 'Error', message, ...more });
const binding = { phase: 'Initializing', initializers: ['root:universal', 'system:apibindings'] };
const underWay = { state: 'under-way', saying: 'its phase is "Initializing"' } as const;

const ROWS: readonly Row[] = [
  { of: 'a ready workspace', status: { phase: 'Ready' }, is: { state: 'ready' } },
  { of: 'a ready one that still names its initializers', status: { ...binding, phase: 'Ready' }, is: { state: 'ready' } },
  { of: 'one without a status', is: { state: 'under-way', saying: 'its phase is ""' } },
  { of: 'one with a phase of another type', status: { phase: 7 }, is: { state: 'under-way', saying: 'its phase is ""' } },
  { of: 'one whose APIs are being bound', status: binding, annotations: OWNED, is: underWay },
  { of: 'one whose maker only its spec names', status: binding, spec: { createdBy: { username: 'a' } }, is: underWay },
  { of: 'one of nobody, which waits for another initializer', status: { ...binding, initializers: ['root:universal'] }, is: underWay },
  { of: 'one of nobody, with initializers of another type', status: { ...binding, initializers: 'system:apibindings' }, is: underWay },
  {
    of: 'one that says something that is no error',
    status: { phase: 'Initializing', conditions: [failed('wait', { severity: 'Info' })] },
    is: underWay,
  },
  {
    of: 'one with an error, which comes after what is none',
    status: {
      phase: 'Initializing',
      conditions: [null, failed('mended', { status: 'True' }), failed(7), failed('no such export'), failed('b')],
    },
    is: { state: 'under-way', saying: 'its phase is "Initializing": no such export' },
  },
  {
    of: 'one of nobody, as system:masters make them',
    status: binding,
    annotations: { 'kcp.io/path': 'root:new' },
    spec: { owner: { name: 'new' } },
    is: {
      state: 'stuck',
      problem:
        'workspace "root:new" never gets ready: kcp keeps no owner for what a member of system:masters makes; use the kubeconfig or the context of another admin, such as a member of system:kcp:admin; delete it first: "kubectl delete workspace new" in its parent',
    },
  },
];

describe('readProgress', () => {
  it.each(ROWS)('of $of', ({ status, annotations, spec, is }) => {
    if (!PATH.ok) throw new Error(PATH.problem);
    const logicalCluster: KubeObject = {
      apiVersion: 'core.kcp.io/v1alpha1',
      kind: 'LogicalCluster',
      metadata: { name: 'cluster', ...(annotations !== undefined && { annotations }) },
      ...(spec !== undefined && { spec }),
      ...(status !== undefined && { status }),
    };

    expect(readProgress(PATH.value, logicalCluster)).toEqual(is);
  });
});
