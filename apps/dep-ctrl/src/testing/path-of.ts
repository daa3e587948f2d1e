import { workspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';

/** A path that a spec spells out. */
export function pathOf(text: string): WorkspacePath {
  return workspacePath(text);
}
