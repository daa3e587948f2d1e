import { at, type Tree } from '../https/kube-body.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import type { World } from './world.js';

/** Where kcp calls the webhook for a guarded workspace, and what it trusts there. */
export async function calledBy(own: World, guarded: string): Promise<{ readonly url: string; readonly ca: string }> {
  const { body } = (await own.kcp.admin.get(`${guarded}${WEBHOOK_CONFIGURATIONS}/dependency-controller`)).expect(200);
  const entry = (at(body, 'webhooks') as Tree[]).find(({ name }) => String(name).startsWith('dependency-controller.'));
  return {
    url: String(at(entry, 'clientConfig', 'url')),
    ca: Buffer.from(String(at(entry, 'clientConfig', 'caBundle')), 'base64').toString('utf8'),
  };
}
