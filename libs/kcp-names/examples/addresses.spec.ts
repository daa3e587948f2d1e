import { expect, it } from '@jest/globals';
import { parseLogicalClusterName, splitWorkspacePath, workspacePath } from '@dep-ctrl/kcp-names';

it('tells names and paths apart', () => {
  expect(splitWorkspacePath(workspacePath('root:providers:network'))).toEqual({ parent: 'root:providers', name: 'network' });
  expect(parseLogicalClusterName('root:a').ok).toBe(false);
});
