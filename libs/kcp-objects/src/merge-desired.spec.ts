import { describe, expect, it } from '@jest/globals';
import { mergeDesired } from './merge-desired.js';

const observed = {
  metadata: { name: 'a', uid: 'u', resourceVersion: '7', labels: { theirs: 'x' } },
  spec: { resources: [{ name: 'vpcs', storage: { crd: {} } }], extra: true },
  status: { phase: 'Bound' },
};

describe(mergeDesired, () => {
  it.each([
    { given: 'nothing but the name', desired: { metadata: { name: 'a' } } },
    { given: 'a part of what is there', desired: { metadata: { name: 'a' }, spec: { resources: [{ name: 'vpcs' }] } } },
    { given: 'an empty record where there is none', desired: { metadata: { name: 'a' }, spec: { none: {} } } },
    { given: 'a label that is there', desired: { metadata: { name: 'a', labels: { theirs: 'x' } } } },
    { given: 'a field without a value', desired: { metadata: { name: 'a' }, spec: { extra: undefined } } },
  ])('given $given, then nothing is to be written', ({ desired }) => {
    expect(mergeDesired(observed, desired)).toBeUndefined();
  });

  it('given another list, then it replaces the list and the rest stays', () => {
    const desired = { metadata: { name: 'a' }, spec: { resources: [{ name: 'vpcs' }, { name: 'subnets' }] } };

    expect(mergeDesired(observed, desired)).toEqual({ ...observed, spec: { ...observed.spec, resources: desired.spec.resources } });
  });

  it('given a list of which only the last item differs, then it replaces the list', () => {
    const two = { ...observed, spec: { resources: [{ name: 'vpcs' }, { name: 'subnets' }] } };
    const desired = { metadata: { name: 'a' }, spec: { resources: [{ name: 'vpcs' }, { name: 'routes' }] } };

    expect(mergeDesired(two, desired)).toMatchObject({ spec: desired.spec });
  });

  it('given a record where there is a text, then it takes the place of the text', () => {
    expect(mergeDesired(observed, { metadata: { name: 'a' }, status: { phase: { is: 'Bound' } } })).toEqual({
      ...observed,
      status: { phase: { is: 'Bound' } },
    });
  });

  it('given a field without a value beside one that differs, then what is there stays', () => {
    expect(mergeDesired(observed, { metadata: { name: 'a' }, spec: { extra: undefined, more: 1 } })).toEqual({
      ...observed,
      spec: { ...observed.spec, more: 1 },
    });
  });

  it('given an annotation that is missing, then it is added, and the labels stay', () => {
    const merged = mergeDesired(observed, { metadata: { name: 'a', annotations: { ours: 'y' } } });

    expect(merged?.metadata).toEqual({ ...observed.metadata, annotations: { ours: 'y' } });
  });

  it('given a label that is missing, then it joins the others, with the resource version that was read', () => {
    const merged = mergeDesired(observed, { metadata: { name: 'a', labels: { ours: 'y' } } });

    expect(merged?.metadata).toEqual({ ...observed.metadata, labels: { theirs: 'x', ours: 'y' } });
  });

  it('given a list with fewer items, then the ones that are too many go', () => {
    expect(mergeDesired(observed, { metadata: { name: 'a' }, spec: { resources: [] } })).toMatchObject({ spec: { resources: [] } });
  });
});
