import { FaultProxy } from '../faults/fault-proxy.js';
import type { World } from './world.js';

/** Runs with an installation whose webhook reaches kcp through a proxy; lists come in pages of at most `pageLimit` where that is given. */
export async function throughProxy(
  world: World,
  { pageLimit, webhookFlags = [] }: { readonly pageLimit?: number; readonly webhookFlags?: readonly string[] },
  run: (own: World, proxy: FaultProxy) => Promise<void>,
): Promise<void> {
  const proxy = await FaultProxy.start({ url: world.kcp.front.url, ca: world.kcp.backend.ca });
  proxy.pageLimit = pageLimit;
  try {
    const own = await world.second({ webhookFlags, through: proxy });
    try {
      await run(own, proxy);
    } finally {
      await own.product.stop();
    }
  } finally {
    await proxy.close();
  }
}
