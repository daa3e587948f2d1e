import { describe, expect, it } from '@jest/globals';
import { filesReadiness } from './files-readiness.js';

describe(filesReadiness, () => {
  it.each([
    { given: 'no file but the kubeconfig', problem: undefined, files: {}, note: undefined },
    {
      given: 'files that can be used',
      problem: undefined,
      files: { urlSecrets: { problem: undefined }, caBundle: { problem: undefined } },
      note: undefined,
    },
    {
      given: 'files that cannot be used',
      problem: 'cut short',
      files: { urlSecrets: { problem: 'no line' }, caBundle: { problem: 'no PEM' } },
      note: 'what was read before stays in use: the kubeconfig: cut short; --url-token-file: no line; --webhook-ca-bundle-path: no PEM',
    },
  ])('given $given, then it is ready, and says so', ({ problem, files, note }) => {
    const answer = filesReadiness({ kubeconfig: { problem: () => problem }, files }).check();

    expect(answer).toEqual(note === undefined ? { ready: true } : { ready: true, note });
  });
});
