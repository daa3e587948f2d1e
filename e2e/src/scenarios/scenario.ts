import type { Backend } from '../backends/backend.js';
import type { Case, Exclusive } from '../running/case.js';
import type { World } from './world.js';

/** One thing that users of dep-ctrl see, shown with the product as processes of its own. */
export type Scenario = Case<World>;

/** Takes the product that others share away. A real kcp has enough to do with one scenario of that kind. */
export function takesProduct({ name }: Pick<Backend, 'name'>): Exclusive {
  return name.startsWith('embedded') ? 'product' : 'everything';
}

/** Measures a product of its own. */
export function takesMachine({ name }: Pick<Backend, 'name'>): Exclusive {
  return name.startsWith('embedded') ? 'machine' : 'everything';
}
