import { describe, expect, it } from '@jest/globals';
import { isSeen } from './unseen-rules.js';

describe(isSeen, () => {
  it.each([
    { given: 'a status about this generation', generation: 2, status: { observedGeneration: 2 }, expected: true },
    { given: 'a status about an earlier one', generation: 2, status: { observedGeneration: 1 }, expected: false },
    { given: 'no status', generation: 1, status: undefined, expected: false },
    { given: 'neither', generation: undefined, status: {}, expected: false },
  ])('given $given, then $expected', ({ generation, status, expected }) => {
    expect(isSeen({ metadata: { name: 'a', ...(generation !== undefined && { generation }) }, status })).toBe(expected);
  });
});
