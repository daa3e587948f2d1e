import type { FaultProxy } from '../faults/fault-proxy.js';
import type { InstallWish } from './product.js';
import type { World } from './world.js';

/** Runs with an installation whose roles reach kcp through a proxy; lists come in pages of at most `pageLimit` where that is given. */
export async function throughProxy<T>(
  world: World,
  { pageLimit, ...wish }: Partial<InstallWish> & { readonly pageLimit?: number },
  run: (own: World, faults: FaultProxy) => Promise<T>,
): Promise<T> {
  const own = await world.second({ ...wish, breakable: true });
  try {
    const { faults } = own.product;
    if (pageLimit !== undefined) await faults.limitPages(pageLimit);
    return await run(own, faults);
  } finally {
    await own.product.stop();
  }
}
