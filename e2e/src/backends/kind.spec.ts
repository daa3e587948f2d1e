import { describe, expect, it } from '@jest/globals';
import { missingForKind, type KindParts } from './kind.js';

describe(missingForKind, () => {
  it.each<{ given: string; parts: KindParts; expected: string }>([
    {
      given: 'a machine without anything',
      parts: { docker: 'absent', images: undefined, hasKind: false },
      expected: 'no docker on PATH; no kind on PATH',
    },
    {
      given: 'a docker without a daemon',
      parts: { docker: 'silent', images: undefined, hasKind: true },
      expected: 'no container engine answers',
    },
    {
      given: 'an engine without the image',
      parts: { docker: 'answers', images: [], hasKind: true },
      expected: 'the container engine holds no image kindest/node, and nothing is pulled',
    },
    {
      given: 'everything but kind',
      parts: { docker: 'answers', images: ['kindest/node:v1.34.0'], hasKind: false },
      expected: 'no kind on PATH',
    },
    {
      given: 'everything',
      parts: { docker: 'answers', images: ['kindest/node:v1.34.0'], hasKind: true },
      expected: 'kind and kindest/node:v1.34.0 are there, but how to run dep-ctrl in them is not written: it could not be tried yet',
    },
  ])('given $given, then that is said: $expected', ({ parts, expected }) => {
    expect(missingForKind(parts)).toBe(expected);
  });
});
