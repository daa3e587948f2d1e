import { describe, expect, it } from '@jest/globals';
import { isRefusingAll, refusingAll } from './handed-over.js';

const url = 'https://dep-ctrl.example.com/validate/1k7ez4/t0k3n';
const configurationOf = (...webhooks: readonly unknown[]) => ({ metadata: { name: 'dependency-controller' }, webhooks });

describe(refusingAll, () => {
  it('given a configuration, then each address says that everything is refused, and nothing else changes', () => {
    const made = configurationOf({ name: 'a', clientConfig: { url, caBundle: 'Y2E=' }, rules: [{ resources: ['vpcs'] }] });

    const refusing = refusingAll(made);

    expect(refusing).toEqual(
      configurationOf({ name: 'a', clientConfig: { url: `${url}/handed-over`, caBundle: 'Y2E=' }, rules: [{ resources: ['vpcs'] }] }),
    );
    expect([isRefusingAll(made), isRefusingAll(refusing)]).toEqual([false, true]);
  });

  it('given one that refuses everything already, then it stays', () => {
    const refusing = refusingAll(configurationOf({ clientConfig: { url } }));

    expect(refusingAll(refusing)).toBe(refusing);
  });

  it.each([
    { given: 'no entries', webhooks: [] },
    { given: 'a service instead of an address', webhooks: [{ clientConfig: { service: { name: 'x' } } }] },
  ])('given $given, then there is nothing to say it in', ({ webhooks }) => {
    expect(refusingAll(configurationOf(...webhooks))).toEqual(configurationOf(...webhooks));
    expect(isRefusingAll(configurationOf(...webhooks))).toBe(false);
  });
});
