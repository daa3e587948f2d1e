import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { holds, planChange, type PlanInput } from './plan-change.js';
import type { DesiredConfiguration, DesiredWebhook } from './webhook-configuration.js';

const entry: DesiredWebhook = {
  name: 'guard.example.com',
  clientConfig: { url: 'https://example.com/validate', caBundle: 'Y2E=' },
  rules: [{ operations: ['DELETE'], apiGroups: ['a.io'], apiVersions: ['*'], resources: ['xs', 'ys'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const desired: DesiredConfiguration = { labels: { app: 'guard' }, webhooks: [entry] };
const empty: DesiredConfiguration = { labels: {}, webhooks: [] };
const ours = observed({ app: 'guard', owner: 'me', foreign: 'stays' }, [asServed(entry)]);
const theirs = observed({ owner: 'you' }, [asServed(entry)]);
const old = observed({}, [{ ...asServed(entry), clientConfig: { url: 'https://old/validate' } }]);
const strange = observed({}, [{ name: 'strange' }]);

describe(planChange, () => {
  it.each<{ given: string; observed: KubeObject | undefined; desired: DesiredConfiguration; expected: object }>([
    { given: 'nothing wanted, nothing there', observed: undefined, desired: empty, expected: { kind: 'none', because: 'absent' } },
    { given: 'entries wanted, nothing there', observed: undefined, desired, expected: { kind: 'create' } },
    { given: 'what the server made of what is wanted', observed: ours, desired, expected: { kind: 'none', because: 'same' } },
    {
      given: 'an entry changed by hand',
      observed: observed({ app: 'guard', owner: 'me' }, [{ ...asServed(entry), failurePolicy: 'Ignore' }]),
      desired,
      expected: { kind: 'replace' },
    },
    {
      given: 'an entry added by hand',
      observed: observed({ app: 'guard', owner: 'me' }, [asServed(entry), { ...asServed(entry), name: 'more' }]),
      desired,
      expected: { kind: 'replace' },
    },
    {
      given: 'a selector added by hand',
      observed: observed({ app: 'guard', owner: 'me' }, [{ ...asServed(entry), objectSelector: { matchLabels: { a: 'b' } } }]),
      desired,
      expected: { kind: 'replace' },
    },
    { given: 'a label taken off', observed: observed({ owner: 'me' }, [asServed(entry)]), desired, expected: { kind: 'replace' } },
    { given: 'entries lost', observed: observed({ app: 'guard', owner: 'me' }, undefined), desired, expected: { kind: 'replace' } },
    { given: 'ours, nothing wanted', observed: ours, desired: empty, expected: { kind: 'remove', object: ours } },
    { given: 'another owner', observed: theirs, desired, expected: { kind: 'conflict', owner: 'you' } },
    { given: 'another owner, nothing wanted', observed: theirs, desired: empty, expected: { kind: 'none', because: 'not-ours' } },
    { given: 'left by an older version', observed: old, desired, expected: { kind: 'adopt' } },
    { given: 'left by an older version, nothing wanted', observed: old, desired: empty, expected: { kind: 'remove', object: old } },
    { given: 'unlabelled and strange', observed: strange, desired, expected: { kind: 'conflict', owner: undefined } },
    {
      given: 'one without any label',
      observed: { ...strange, metadata: { name: 'guard' } },
      desired,
      expected: { kind: 'conflict', owner: undefined },
    },
    { given: 'unlabelled and strange, nothing wanted', observed: strange, desired: empty, expected: { kind: 'none', because: 'not-ours' } },
  ])('given $given, then it plans $expected.kind', ({ observed: seen, desired: wanted, expected }) => {
    expect(plan(wanted, seen)).toMatchObject(expected);
  });

  it('given a change, then the object keeps its resourceVersion and what others put on it', () => {
    const changed = plan({ ...desired, webhooks: [{ ...entry, timeoutSeconds: 2 }] }, ours);

    expect(changed).toMatchObject({
      kind: 'replace',
      object: { metadata: { resourceVersion: '7', labels: { owner: 'me', foreign: 'stays' } }, webhooks: [{ timeoutSeconds: 2 }] },
    });
  });

  it('given an item of a list, which does not say its kind, then what is written says it', () => {
    const { metadata, webhooks } = observed({ owner: 'me' }, []);
    const kind = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' };

    expect(plan(desired, { metadata, webhooks })).toMatchObject({ kind: 'replace', object: kind });
    expect(plan(desired, undefined)).toMatchObject({ kind: 'create', object: kind });
  });

  it('given the object it planned, when that is observed, then nothing is left to do', () => {
    const created = plan(desired, undefined);

    expect(created.kind === 'create' && plan(desired, created.object)).toEqual({ kind: 'none', because: 'same' });
  });
});

describe(holds, () => {
  it('given the ownership of somebody else, then it does not hold', () => {
    expect(holds(theirs, { desired: { ...desired, labels: {} }, ownership })).toBe(false);
    expect(holds({ ...ours, metadata: { name: 'guard' } }, { desired, ownership })).toBe(false);
    expect(holds(ours, { desired, ownership })).toBe(true);
  });
});

const ownership = {
  label: 'owner',
  value: 'me',
  adopt: (configuration: KubeObject) => JSON.stringify(configuration['webhooks']).includes('guard.example.com'),
};

function plan(wanted: DesiredConfiguration, seen: KubeObject | undefined): ReturnType<typeof planChange> {
  const input: PlanInput = { name: 'guard', desired: wanted, observed: seen, ownership };
  return planChange(input);
}

function observed(labels: Record<string, string>, webhooks: readonly object[] | undefined): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'guard', uid: 'u', resourceVersion: '7', labels },
    ...(webhooks && { webhooks }),
  };
}

/** What kcp v0.32.3 answers for an entry that leaves everything optional out. */
function asServed(webhook: DesiredWebhook): Record<string, unknown> {
  return {
    ...webhook,
    rules: webhook.rules.map((rule) => ({ ...rule, scope: '*' })),
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  };
}
