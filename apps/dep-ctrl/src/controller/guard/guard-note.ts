/*
 * A guard that was deleted by hand can be made again only after the old one is gone: one name, one object. Between the two nobody holds the
 * provider's consent, nor what rules held that cannot be read any more, and a process may die there. So both are written onto our
 * configuration in the same workspace first, and read back by whoever makes the guard. Nothing is forgotten before the new guard says it.
 */
import { apiVersionOf, type KubeObject } from '@dep-ctrl/kcp-names';
import { isKcpError } from '@dep-ctrl/kcp-client';
import { API_GROUP, GUARD_NAME, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { guardEntries } from '../../rules/guard-entries.js';
import { MANAGED_BY, OWNER_LABEL } from '../../kcp-objects/configuration-labels.js';
import type { Site } from '../configuration/configuration-writer.js';
import { namedRuleCount, saysSomething } from './guard-objects.js';
import { isOurs } from '../../kcp-objects/ownership.js';

interface Options {
  readonly signal: AbortSignal;
}

/** What would be lost with a guard. */
export interface GuardNote {
  readonly spec?: object;
  /** What its status names. */
  readonly named?: { readonly ruleCount: number; readonly rules: readonly GuardRuleEntry[] };
}

/** On a configuration: the note of the guard that is being made again, as JSON. */
export const GUARD_NOTE_ANNOTATION = `${API_GROUP}/guard-note`;

// kcp takes 256 KiB of annotations on an object, ours and those of others.
const MOST_CHARACTERS = 200_000;

/** What of a guard must not be lost. Empty where it says nothing. */
export function noteOf(guard: KubeObject): GuardNote {
  const rules = guardEntries(guard);
  const ruleCount = namedRuleCount(guard);
  return {
    ...(saysSomething(guard) && { spec: guard.spec }),
    ...(ruleCount !== undefined && ruleCount > 0 && { named: { ruleCount, rules } }),
  };
}

/** Whether a note stands on a configuration. */
export function carriesNote(configuration: KubeObject | undefined): boolean {
  return configuration?.metadata.annotations?.[GUARD_NOTE_ANNOTATION] !== undefined;
}

/** Writes a note, where there is no configuration on one without entries. False: it cannot be kept, and what it says must not go. */
export async function writeNote(site: Site, note: GuardNote, { signal }: Options): Promise<boolean> {
  const text = JSON.stringify(note);
  if (text.length > MOST_CHARACTERS) return false;
  try {
    const configuration = await configurationAt(site, signal);
    if (configuration === undefined) await site.client.create(WEBHOOK_CONFIGURATIONS, carrier(site, text), { signal });
    else if (!isOurs(configuration, site.owner)) return false;
    else if (configuration.metadata.annotations?.[GUARD_NOTE_ANNOTATION] !== text) await annotate(site, configuration, text, signal);
    return true;
  } catch (error) {
    if (isKcpError(error, ...NOT_OURS_TO_WRITE)) return false;
    throw error;
  }
}

/** The note that was written; undefined: none was. One that somebody edited into something else says nothing. */
export async function readNote(site: Site, { signal }: Options): Promise<GuardNote | undefined> {
  const configuration = await ownConfiguration(site, signal);
  const text = configuration?.metadata.annotations?.[GUARD_NOTE_ANNOTATION];
  return text === undefined ? undefined : parseNote(text);
}

/** Drops the note, once a guard says what it says. */
export async function dropNote(site: Site, { signal }: Options): Promise<void> {
  const configuration = await ownConfiguration(site, signal);
  if (configuration !== undefined && carriesNote(configuration)) await annotate(site, configuration, undefined, signal);
}

// Forbidden: the claim is not accepted.
const NOT_OURS_TO_WRITE = ['not-served', 'forbidden'] as const;

async function ownConfiguration(site: Site, signal: AbortSignal): Promise<KubeObject | undefined> {
  try {
    const configuration = await configurationAt(site, signal);
    return configuration !== undefined && isOurs(configuration, site.owner) ? configuration : undefined;
  } catch (error) {
    if (isKcpError(error, ...NOT_OURS_TO_WRITE)) return undefined;
    throw error;
  }
}

async function configurationAt({ client }: Site, signal: AbortSignal): Promise<KubeObject | undefined> {
  try {
    return await client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
  } catch (error) {
    if (isKcpError(error, 'not-found')) return undefined;
    throw error;
  }
}

/** A configuration that asks nobody about anything, and only carries the note. */
function carrier({ owner }: Site, text: string): KubeObject {
  return {
    apiVersion: apiVersionOf(WEBHOOK_CONFIGURATIONS),
    kind: 'ValidatingWebhookConfiguration',
    metadata: {
      name: GUARD_NAME,
      labels: { [MANAGED_BY.label]: MANAGED_BY.value, [OWNER_LABEL]: owner },
      annotations: { [GUARD_NOTE_ANNOTATION]: text },
    },
    webhooks: [],
  };
}

async function annotate({ client }: Site, configuration: KubeObject, text: string | undefined, signal: AbortSignal): Promise<void> {
  const { [GUARD_NOTE_ANNOTATION]: _before, ...others } = configuration.metadata.annotations ?? {};
  const annotations = text === undefined ? others : { ...others, [GUARD_NOTE_ANNOTATION]: text };
  await client.replace(WEBHOOK_CONFIGURATIONS, { ...configuration, metadata: { ...configuration.metadata, annotations } }, { signal });
}

function parseNote(text: string): GuardNote {
  try {
    const note: unknown = JSON.parse(text);
    if (!isRecord(note)) return {};
    const { spec, named } = note;
    // Read as the status of a guard is read: whatever is no entry is none.
    return { ...(isRecord(spec) && { spec }), ...(isRecord(named) && pickNamed(named)) };
  } catch {
    return {};
  }
}

function pickNamed(status: Readonly<Record<string, unknown>>): Pick<GuardNote, 'named'> {
  const guard: KubeObject = { apiVersion: '', kind: '', metadata: {}, status };
  const { named } = noteOf(guard);
  return named === undefined ? {} : { named };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
