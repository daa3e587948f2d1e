import { describe, expect, it } from '@jest/globals';
import { parseVirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { OWNER_LABEL } from './configuration-labels.js';
import { ownConfigurations } from './own-configurations.js';

describe(ownConfigurations, () => {
  it('given configurations of our name, then only those that carry the cluster of our export count', () => {
    const url = parseVirtualWorkspaceUrl('https://kcp/services/apiexport/ours/dependencies.opendefense.cloud');
    if (!url.ok) throw new Error(url.problem);
    const shown = [{ [OWNER_LABEL]: 'ours' }, { [OWNER_LABEL]: 'another' }, {}].map((labels) => ({
      endpoint: url.value,
      value: { metadata: { labels } },
    }));

    expect(ownConfigurations([...shown, { endpoint: url.value, value: { metadata: {} } }])).toEqual([shown[0]?.value]);
  });

  it('given an endpoint of another shape, then nothing that it shows is ours', () => {
    const url = parseVirtualWorkspaceUrl('https://kcp/services/something');
    if (!url.ok) throw new Error(url.problem);

    expect(ownConfigurations([{ endpoint: url.value, value: { metadata: {} } }])).toEqual([]);
  });
});
