import { describe, expect, it } from '@jest/globals';
import { clusterNamed, endpointOf } from '../spec-support/widgets.js';
import { GoneObjects, type GoneObject } from './gone-objects.js';

describe(GoneObjects, () => {
  it('given objects of two names, then those of one are worked off in the order in which they went', () => {
    const gone = new GoneObjects<string>();
    const keys = [gone.add(goneOf('a', 'old')), gone.add(goneOf('b', 'other')), gone.add(goneOf('a', 'new'))];
    expect(keys).toEqual(['cluster-1//a', 'cluster-1//b', 'cluster-1//a']);

    const seen = Array.from({ length: 3 }, () => {
      const first = gone.first('cluster-1//a')?.last.value;
      gone.done('cluster-1//a');
      return first;
    });

    expect(seen).toEqual(['old', 'new', undefined]);
    expect(gone.first('cluster-1//b')).toEqual(goneOf('b', 'other'));
  });

  it('given an object that goes again after all were worked off, then it is the first one', () => {
    const gone = new GoneObjects<string>();
    gone.done(gone.add(goneOf('a', 'old')));

    gone.add(goneOf('a', 'new'));

    expect(gone.first('cluster-1//a')?.last.value).toBe('new');
  });

  it('given a key of which nothing went, then nothing is worked off', () => {
    const gone = new GoneObjects<string>();

    gone.done('cluster-1//a');

    expect(gone.first('cluster-1//a')).toBeUndefined();
  });
});

function goneOf(name: string, value: string): GoneObject<string> {
  return { last: { endpoint: endpointOf('a'), cluster: clusterNamed('cluster-1'), metadata: { name }, value }, because: 'deleted' };
}
