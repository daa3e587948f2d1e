import { describe, expect, it } from '@jest/globals';
import { clusterNamed, endpointOf } from '../spec-support/widgets.js';
import { NamedSlots, type LocalName, type Slot } from './named-slots.js';

describe(NamedSlots, () => {
  it.each<{ given: string; metadata: LocalName; name: LocalName }>([
    { given: 'no namespace', metadata: { name: 'x' }, name: { namespace: '', name: 'x' } },
    { given: 'an empty namespace', metadata: { namespace: '', name: 'x' }, name: { name: 'x' } },
    { given: 'a namespace', metadata: { namespace: 'n', name: 'x' }, name: { namespace: 'n', name: 'x' } },
    { given: 'no name', metadata: {}, name: { name: '' } },
  ])('given an object with $given, then it is found by its name until it is taken away', ({ metadata, name }) => {
    const slots = new NamedSlots<string>();
    const slot = slotOf(metadata);

    slots.set(slot);
    expect([slots.get(name), slots.isEmpty]).toEqual([slot, false]);

    slots.delete(name);
    expect([slots.get(name), slots.isEmpty]).toEqual([undefined, true]);
  });

  it('given objects of one name in two namespaces, then each is found, and one can be taken away alone', () => {
    const slots = new NamedSlots<string>();
    const [one, other, third] = [
      slotOf({ namespace: 'a', name: 'x' }),
      slotOf({ namespace: 'b', name: 'x' }),
      slotOf({ namespace: 'b', name: 'y' }),
    ];
    for (const each of [one, other, third]) slots.set(each);
    expect([...slots]).toEqual([one, other, third]);

    slots.delete({ namespace: 'b', name: 'x' });

    expect([...slots]).toEqual([one, third]);
  });

  it('given that nothing is there, when it is taken away, then nothing happens', () => {
    const slots = new NamedSlots<string>();

    slots.delete({ name: 'x' });

    expect([slots.get({ name: 'x' }), [...slots]]).toEqual([undefined, []]);
  });
});

function slotOf(metadata: LocalName): Slot<string> {
  const { namespace, name } = metadata;
  const given = { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) };
  return { entry: { endpoint: endpointOf('a'), cluster: clusterNamed('cluster-1'), metadata: given, value: 'red' } };
}
