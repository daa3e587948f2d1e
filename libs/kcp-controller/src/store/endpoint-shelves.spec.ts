import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { clusterNamed, endpointOf } from '../spec-support/widgets.js';
import { EndpointShelves, type Shelf, type Slot } from './endpoint-shelves.js';

const [ONE, TWO] = [clusterNamed('one'), clusterNamed('two')];
const [A, B] = [endpointOf('a'), endpointOf('b')];

describe(EndpointShelves, () => {
  it('given an endpoint that never showed anything, then nothing is found there, and taking it away is no change', () => {
    const shelves = new EndpointShelves<string>();

    expect([shelves.get(ONE, 'x'), shelves.held(A, ONE, 'x')]).toEqual([undefined, undefined]);
    expect([shelves.clustersAt(A), [...shelves.at(A)], [...shelves.at(A, ONE)]]).toEqual([[], [], []]);
    expect([shelves.delete(A, ONE, 'x'), shelves.dropCluster(A, ONE), shelves.drop(A)]).toEqual([[], [], []]);
    expect([...shelves.endpoints()]).toEqual([]);
  });

  it('given objects in two workspaces, then one of them can be asked for', () => {
    const shelves = new EndpointShelves<string>();
    const [first, second] = [slot(A, ONE), slot(A, TWO)];
    for (const each of [first, second]) shelves.set(each, 'x');

    expect([[...shelves.at(A)], [...shelves.at(A, ONE)], [...shelves.inCluster(TWO)]]).toEqual([
      [first.entry, second.entry],
      [first.entry],
      [second.entry],
    ]);
  });

  it('given an object that two endpoints show, when the other one is ranked higher, then its version counts from now on', () => {
    const shelves = new EndpointShelves<string>();
    const [before, after] = [slot(A, ONE), slot(B, ONE)];
    shelves.rank(A, 1);
    shelves.set(before, 'x');
    shelves.set(after, 'x');
    shelves.set(slot(B, TWO), 'x');

    expect(shelves.rank(B, 2)).toEqual([{ before, after }]);
    expect([shelves.get(ONE, 'x'), [...shelves.inCluster(ONE)]]).toEqual([after.entry, [after.entry]]);
  });

  it('given two endpoints of the same rank, then the version counts that was shown first', () => {
    const shelves = new EndpointShelves<string>();
    const first = slot(A, ONE);
    shelves.set(first, 'x');

    expect(shelves.set(slot(B, ONE), 'x')).toEqual([]);
    expect(shelves.get(ONE, 'x')).toBe(first.entry);
  });

  it('given a list that takes the place of another one, then each object that differs is told once, whether another endpoint shows its workspace or not', () => {
    const shelves = new EndpointShelves<string>();
    const [goes, stays, changes] = [slot(A, ONE), slot(A, ONE), slot(A, TWO)];
    for (const [local, each] of Object.entries({ goes, stays, changes })) shelves.set(each, local);
    shelves.rank(B, -1);
    shelves.set(slot(B, ONE), 'only at B');
    const [changed, came] = [slot(A, TWO), slot(A, ONE)];

    const next: Shelf<string> = new Map([
      [ONE, new Map(Object.entries({ stays, came }))],
      [TWO, new Map(Object.entries({ changes: changed }))],
    ]);

    expect(new Set(shelves.replace(A, next))).toEqual(
      new Set([
        { before: goes, after: undefined },
        { before: undefined, after: came },
        { before: changes, after: changed },
      ]),
    );
    expect(shelves.replace(A, next)).toEqual([]);
  });

  it('given a workspace that one endpoint shows alone, then its slots are handed out, until another endpoint shows it, too, or its list is swapped', () => {
    const shelves = new EndpointShelves<string>();
    const [first, next] = [slot(A, ONE), slot(A, ONE)];
    shelves.set(first, 'x');
    expect([shelves.alone(A, ONE)?.get('x'), shelves.alone(B, ONE), shelves.alone(A, TWO)]).toEqual([first, undefined, undefined]);

    shelves.set(slot(B, ONE), 'y');
    expect([shelves.alone(A, ONE), shelves.alone(B, ONE)]).toEqual([undefined, undefined]);

    shelves.drop(B);
    shelves.replace(A, new Map([[ONE, new Map([['x', next]])]]));
    expect(shelves.alone(A, ONE)?.get('x')).toBe(next);
  });

  it('given that an endpoint shows nothing any more of a workspace that another one shows, then the other version counts', () => {
    const shelves = new EndpointShelves<string>();
    const [before, after] = [slot(A, ONE), slot(B, ONE)];
    for (const each of [before, after]) shelves.set(each, 'x');

    expect(shelves.replace(A, new Map())).toEqual([{ before, after }]);
    expect(shelves.replace(B, new Map())).toEqual([{ before: after, after: undefined }]);
  });
});

let versions = 0;

function slot(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): Slot<string> {
  versions += 1;
  return { entry: { endpoint, cluster, metadata: { name: 'x', resourceVersion: String(versions) }, value: 'red' } };
}
