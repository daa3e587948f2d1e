import { elements, type KubeObject } from '@dep-ctrl/kcp-names';
import { hostOf } from './host-of.js';

/** The CA bundles (PEM) of the entries of configurations, each once: what API servers trust when they call the webhook. */
export function installedBundles(configurations: Iterable<KubeObject>): readonly string[] {
  const bundles = [...configurations].flatMap(({ webhooks }) => (Array.isArray(webhooks) ? webhooks.flatMap(bundleOf) : []));
  return [...new Set(bundles)].map((base64) => Buffer.from(base64, 'base64').toString('utf8'));
}

/** The hosts that the entries of configurations call, each once. */
export function calledHosts(configurations: Iterable<KubeObject>): readonly string[] {
  return [...new Set([...configurations].flatMap(({ webhooks }) => elements(webhooks).flatMap(hostCalledBy)))];
}

function hostCalledBy(entry: unknown): readonly string[] {
  const url = fieldOf(fieldOf(entry, 'clientConfig'), 'url');
  return typeof url === 'string' && URL.canParse(url) ? [hostOf(url)] : [];
}

function bundleOf(entry: unknown): readonly string[] {
  const clientConfig = fieldOf(entry, 'clientConfig');
  const caBundle = fieldOf(clientConfig, 'caBundle');
  return typeof caBundle === 'string' && caBundle !== '' ? [caBundle] : [];
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[field] : undefined;
}
