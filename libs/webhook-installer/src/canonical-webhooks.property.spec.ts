import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalText, canonicalWebhooks } from './canonical-webhooks.js';

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 4 });
const rule = fc.record({ operations: fc.constant(['DELETE']), apiGroups: words, apiVersions: fc.constant(['*']), resources: words });
const webhook = fc.record({
  name: word,
  clientConfig: fc.record({ url: word, caBundle: word }),
  rules: fc.array(rule, { maxLength: 4 }),
  matchConditions: fc.array(fc.record({ name: word, expression: word }), { maxLength: 3 }),
  sideEffects: fc.constant('None'),
  admissionReviewVersions: fc.constant(['v1']),
});
const webhooks = fc.uniqueArray(webhook, { maxLength: 3, selector: ({ name }) => name });

describe('laws of canonical webhooks', () => {
  it('order means nothing: any shuffle has the same text', () => {
    fc.assert(
      fc.property(webhooks, fc.infiniteStream(fc.nat()), (list, seeds) => {
        const shuffle = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => ({ item, at: seeds.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item);
        const shuffled = shuffle(list).map((entry) => ({
          ...entry,
          matchConditions: shuffle(entry.matchConditions),
          rules: shuffle(entry.rules).map((item) => ({ ...item, apiGroups: shuffle(item.apiGroups), resources: shuffle(item.resources) })),
        }));

        expect(canonicalText(shuffled)).toBe(canonicalText(list));
      }),
    );
  });

  it('canonical is idempotent', () => {
    fc.assert(fc.property(webhooks, (list) => expect(canonicalWebhooks(canonicalWebhooks(list))).toEqual(canonicalWebhooks(list))));
  });

  it('any JSON has a text', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(typeof canonicalText(value)).toBe('string')));
  });

  it('another resource, group, URL or bundle is another text', () => {
    fc.assert(
      fc.property(webhook, fc.constantFrom('url', 'caBundle'), (entry, field) => {
        const other = { ...entry, clientConfig: { ...entry.clientConfig, [field]: `${entry.clientConfig[field]}x` } };
        const wider = {
          ...entry,
          rules: [...entry.rules, { operations: ['DELETE'], apiGroups: ['toolongaword'], apiVersions: ['*'], resources: ['a'] }],
        };

        expect(canonicalText([other])).not.toBe(canonicalText([entry]));
        expect(canonicalText([wider])).not.toBe(canonicalText([entry]));
      }),
    );
  });
});
