import { describe, expect, it } from '@jest/globals';
import { findNodePrograms } from './node-programs.js';

describe(findNodePrograms, () => {
  it('given a machine without Kubernetes, then each program that is missing is named, once', () => {
    const found = findNodePrograms({ PATH: '/nowhere' });

    const { missing } = found as { readonly missing: string };
    expect(missing).toContain('neither on PATH nor in KUBE_BIN');
    expect(missing.match(/\bkubelet\b/g)).toHaveLength(1);
    expect(missing).toContain('kube-apiserver');
    expect(missing).toContain('helm');
  });

  it('given HELM_BIN, then helm is not missing', () => {
    const { missing } = findNodePrograms({ PATH: '/nowhere', HELM_BIN: process.execPath }) as { readonly missing: string };

    expect(missing).not.toContain('helm');
  });
});
