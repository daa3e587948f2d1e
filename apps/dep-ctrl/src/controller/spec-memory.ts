/*
 * A guard that was deleted by hand can be made again only after the old one is gone: one name, one object. Between the two nobody holds the
 * provider's consent, and a process may die there. So the spec is written onto our configuration in the same workspace first, and read back
 * by whoever makes the guard. Nothing is forgotten before the new guard stands.
 */
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { isKcpError } from '@dep-ctrl/kcp-client';
import { API_GROUP, GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import type { Site } from './configuration-writer.js';
import { isOurs } from './ownership.js';

interface Options {
  readonly signal: AbortSignal;
}

/** On a configuration: the spec of the guard that is being made again, as JSON. */
export const GUARD_SPEC_ANNOTATION = `${API_GROUP}/guard-spec`;

/** Writes the spec down. False: there is no configuration of ours that could hold it. */
export async function rememberSpec(site: Site, spec: object, { signal }: Options): Promise<boolean> {
  const configuration = await ownConfiguration(site, signal);
  if (configuration === undefined) return false;
  const text = JSON.stringify(spec);
  if (configuration.metadata.annotations?.[GUARD_SPEC_ANNOTATION] !== text) await annotate(site, configuration, text, signal);
  return true;
}

/** The spec that was written down; undefined: none was. */
export async function recallSpec(site: Site, { signal }: Options): Promise<object | undefined> {
  const configuration = await ownConfiguration(site, signal);
  return configuration === undefined ? undefined : specOn(configuration);
}

/** Drops what was written down, once a guard has it again. `observed` is what was seen last: without a note nothing is asked. */
export async function forgetSpec(site: Site, observed: KubeObject | undefined, { signal }: Options): Promise<void> {
  if (observed?.metadata.annotations?.[GUARD_SPEC_ANNOTATION] === undefined) return;
  const configuration = await ownConfiguration(site, signal);
  if (configuration?.metadata.annotations?.[GUARD_SPEC_ANNOTATION] !== undefined) await annotate(site, configuration, undefined, signal);
}

async function ownConfiguration({ client, owner }: Site, signal: AbortSignal): Promise<KubeObject | undefined> {
  try {
    const configuration = await client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
    return isOurs(configuration, owner) ? configuration : undefined;
  } catch (error) {
    // Forbidden: the claim is not accepted, so that nothing can be written down either.
    if (isKcpError(error, 'not-found', 'not-served', 'forbidden')) return undefined;
    throw error;
  }
}

async function annotate({ client }: Site, configuration: KubeObject, text: string | undefined, signal: AbortSignal): Promise<void> {
  const { [GUARD_SPEC_ANNOTATION]: _before, ...others } = configuration.metadata.annotations ?? {};
  const annotations = text === undefined ? others : { ...others, [GUARD_SPEC_ANNOTATION]: text };
  await client.replace(WEBHOOK_CONFIGURATIONS, { ...configuration, metadata: { ...configuration.metadata, annotations } }, { signal });
}

function specOn({ metadata }: KubeObject): object | undefined {
  const text = metadata.annotations?.[GUARD_SPEC_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const spec: unknown = JSON.parse(text);
    return typeof spec === 'object' && spec !== null ? spec : undefined;
  } catch {
    return undefined; // somebody edited it: as good as not there
  }
}
