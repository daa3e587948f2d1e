import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { Connection } from '@dep-ctrl/kcp-client';
import { workspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';

/** An embedded kcp, and its admin at the front-proxy. */
export interface EmbeddedWorld {
  readonly kcp: EmbeddedKcp;
  readonly admin: Connection;
}

/** Gives `work` an embedded kcp that takes no time for anything, and ends it afterwards. */
export async function onEmbeddedKcp<T>(work: (world: EmbeddedWorld) => Promise<T>): Promise<T> {
  const kcp = await EmbeddedKcp.start({ delays: 0 });
  const admin = new Connection({ server: kcp.baseUrl, credentials: { ca: kcp.ca, token: kcp.token('kcp-admin', ['system:kcp:admin']) } });
  try {
    return await work({ kcp, admin });
  } finally {
    await admin.close();
    await kcp.stop();
  }
}

/** A path that a spec spells out. */
export function pathOf(text: string): WorkspacePath {
  return workspacePath(text);
}
