import { describe, expect, it } from '@jest/globals';
import { parseVirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { exportClusterOf } from './export-cluster.js';

describe(exportClusterOf, () => {
  it.each([
    ['https://kcp:6443/services/apiexport/37p7lc/dependencies.opendefense.cloud', '37p7lc'],
    ['https://kcp:6443/prefix/services/apiexport/37p7lc/x', '37p7lc'],
    ['https://kcp:6443/services/other/37p7lc/x', undefined],
    ['https://kcp:6443/services/apiexport/UPPER/x', undefined],
    ['https://kcp:6443/services/apiexport/37p7lc', undefined],
    ['https://kcp:6443/services/apiexport/37p7lc/x/clusters', undefined],
    ['https://kcp:6443', undefined],
  ])('given %s, then the export lives in %s', (text, expected) => {
    const url = parseVirtualWorkspaceUrl(text);

    expect(url.ok && exportClusterOf(url.value)).toBe(expected);
  });
});
