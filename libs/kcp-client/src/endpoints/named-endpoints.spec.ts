import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { nameEndpoints, NOTHING_NAMED, type NamedEndpoints } from './named-endpoints.js';
import type { Observed, ReflectorEvent } from '../watch/reflector-event.js';

const A = 'https://shard-a:6443/services/apiexport/c/e';
const B = 'https://shard-b:6443/services/apiexport/c/e';
const C = 'https://shard-a:6443/services/apiexport/other/e';

describe(nameEndpoints, () => {
  it('given no slice, then nothing is named, and that is known', () => {
    expect(after([listed()])).toEqual({ slice: 'no-slice', endpoints: [], appeared: [], withdrawn: [], problems: [] });
  });

  it('given a slice without endpoints, then nobody binds the export, and that is known', () => {
    expect(after([listed(slice('u1'))])).toMatchObject({ slice: 'read', endpoints: [], appeared: [] });
    expect(after([listed(slice('u1', []))])).toMatchObject({ slice: 'read', endpoints: [], appeared: [] });
  });

  it('given endpoints, then they appear once', () => {
    expect(after([listed(slice('u1', [A]))])).toMatchObject({ appeared: [A] });
    expect(after([listed(slice('u1', [A])), applied(slice('u1', [A, B]))])).toMatchObject({ appeared: [B], endpoints: [A, B] });
  });

  it('given a slice that no longer names an endpoint, then that is withdrawn; named again, it appears again', () => {
    expect(after([listed(slice('u1', [A, B])), applied(slice('u1', [B]))])).toMatchObject({ withdrawn: [A], endpoints: [B] });
    expect(after([listed(slice('u1', [A])), listed(slice('u1', []))])).toMatchObject({ withdrawn: [A], endpoints: [] });
    expect(after([listed(slice('u1', [A])), applied(slice('u1', [])), applied(slice('u1', [A]))])).toMatchObject({ appeared: [A] });
  });

  it('given a slice that is gone, then its endpoints are not withdrawn: it says nothing', () => {
    const gone = { slice: 'no-slice', endpoints: [A], withdrawn: [] };

    expect(after([listed(slice('u1', [A])), deleted(slice('u1', [A]))])).toMatchObject(gone);
    expect(after([listed(slice('u1', [A])), listed()])).toMatchObject(gone);
  });

  it('given a new slice of the same name, then it withdraws only what it named itself', () => {
    const renewed = [listed(slice('u1', [A, B])), deleted(slice('u1', [A, B])), applied(slice('u2'))];

    expect(after(renewed)).toMatchObject({ slice: 'read', endpoints: [A, B], withdrawn: [] });
    expect(after([...renewed, applied(slice('u2', [A])), applied(slice('u2', []))])).toMatchObject({ endpoints: [B], withdrawn: [A] });
  });

  it('given a slice of another logical cluster, then what the one before named goes once the new one names something', () => {
    const madeAnew = [listed(slice('u1', [A, B])), listed(), listed(slice('u2', [], 'other'))];

    expect(after(madeAnew)).toMatchObject({ slice: 'read', endpoints: [A, B], withdrawn: [] });
    expect(after([...madeAnew, applied(slice('u2', [C], 'other'))])).toMatchObject({ endpoints: [C], appeared: [C], withdrawn: [A, B] });
  });

  it('given entries that are no addresses, then they are reported and the others count', () => {
    expect(after([listed(slice('u1', ['ftp://x', A]))])).toMatchObject({
      endpoints: [A],
      problems: [expect.stringContaining('"ftp://x"')],
    });
  });

  it.each([
    { given: 'null', status: null, problems: 0 },
    { given: 'a text', status: 'x', problems: 0 },
    { given: 'endpoints that are no list', status: { endpoints: { url: A } }, problems: 0 },
    { given: 'entries without a URL', status: { endpoints: [null, 'x', {}, { url: 7 }, { url: '' }] }, problems: 5 },
  ])('given a status that is $given, then no endpoint is named, and each entry is reported', ({ status, problems }) => {
    const odd: Observed = { ...slice('u1'), object: { metadata: { name: 'e', uid: 'u1' }, status } };

    expect(after([applied(odd)])).toEqual({
      slice: 'read',
      endpoints: [],
      appeared: [],
      withdrawn: [],
      problems: Array.from({ length: problems }, () => expect.stringContaining('"" is not a server address')),
    });
  });

  it('given something undecodable before anything else, then nothing is known', () => {
    expect(after([{ kind: 'undecodable', problem: 'x' }])).toEqual({
      slice: 'unknown',
      endpoints: [],
      appeared: [],
      withdrawn: [],
      problems: ['x'],
    });
  });

  it('given something undecodable, then nothing changes', () => {
    expect(after([listed(slice('u1', [A])), { kind: 'undecodable', problem: 'x' }])).toMatchObject({
      endpoints: [A],
      withdrawn: [],
      problems: ['x'],
    });
  });
});

function after(events: readonly ReflectorEvent[]): object {
  let named: NamedEndpoints = NOTHING_NAMED;
  let result = {};
  for (const event of events) {
    const { named: next, ...step } = nameEndpoints(named, event);
    named = next;
    result = { slice: named.slice, endpoints: [...named.endpoints.keys()], ...step };
  }
  return result;
}

function slice(uid: string, urls?: readonly string[], cluster = 'c'): Observed {
  const status = urls === undefined ? {} : { endpoints: urls.map((url) => ({ url })) };
  return { cluster: cluster as LogicalClusterName, object: { metadata: { name: 'e', uid }, status } };
}

function listed(...objects: readonly Observed[]): ReflectorEvent {
  return { kind: 'replaced', objects };
}

function applied(object: Observed): ReflectorEvent {
  return { kind: 'applied', object };
}

function deleted(object: Observed): ReflectorEvent {
  return { kind: 'deleted', object };
}
