import { describe, expect, it } from '@jest/globals';
import { askingAgain, isRefusingAll, refusingAll } from './handed-over.js';

const url = 'https://dep-ctrl.example.com/validate/1k7ez4/t0k3n';
const refusing = { name: 'a', failurePolicy: 'Fail', clientConfig: { url, caBundle: 'Y2E=' }, rules: [{ resources: ['vpcs'] }] };
const advising = { name: 'b', failurePolicy: 'Ignore', clientConfig: { url: `${url}/advisory` } };
const configurationOf = (...webhooks: readonly unknown[]) => ({ metadata: { name: 'dependency-controller' }, webhooks });

describe(refusingAll, () => {
  it('given a configuration, then the address of what refuses says that everything is refused; nothing else changes, and it can be undone', () => {
    const made = configurationOf(refusing, advising);

    const handedOver = refusingAll(made);

    expect(handedOver).toEqual(configurationOf({ ...refusing, clientConfig: { url: `${url}/handed-over`, caBundle: 'Y2E=' } }, advising));
    expect([isRefusingAll(made), isRefusingAll(handedOver)]).toEqual([false, true]);
    expect(askingAgain(handedOver)).toEqual(made);
  });

  it('given one that refuses everything already, then it stays', () => {
    const handedOver = refusingAll(configurationOf(refusing));

    expect(refusingAll(handedOver)).toBe(handedOver);
  });

  it.each([
    { given: 'no entries', webhooks: [] },
    { given: 'a service instead of an address', webhooks: [{ clientConfig: { service: { name: 'x' } } }] },
    { given: 'what is no entry', webhooks: ['text', 7] },
  ])('given $given, then there is nothing to say it in', ({ webhooks }) => {
    expect(refusingAll(configurationOf(...webhooks))).toEqual(configurationOf(...webhooks));
    expect(isRefusingAll(configurationOf(...webhooks))).toBe(false);
  });
});
