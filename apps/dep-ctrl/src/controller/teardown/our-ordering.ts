import type { Ordering } from '@dep-ctrl/ordered-teardown';
import { SKIP_ANNOTATION, type RegistryReader } from '@dep-ctrl/rule-registry';
import { STILL_REFERENCED } from '../../own-objects/refusal-cause.js';
import { edgesHere } from './edges-here.js';

/** The order that the rules give, and how our webhook refuses what comes too early. */
export function ourOrdering(registry: Pick<RegistryReader, 'guarding' | 'paths'>): Ordering {
  return {
    orderOf: (types) => edgesHere(types, registry),
    isReferenced: ({ statusBody }) => statusBody?.details?.causes?.some(({ reason }) => reason === STILL_REFERENCED) === true,
    skipAnnotation: SKIP_ANNOTATION,
    hints: { onTypes: 'as "dep-ctrl bind" does', onBindings: 'as "dep-ctrl bootstrap --ordered-teardown" does' },
  };
}
