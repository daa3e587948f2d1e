// The grammars of flag values. A problem reads on after "must be": `--webhook-port must be a port between 0 and 65535, not "x"`.
import { notParsed, parsed, type Parsed } from '@dep-ctrl/kcp-names';
import type { ValueParser } from './setting.js';

/** Where a server listens. Port 0 lets the system pick a free one. */
export interface ListenAddress {
  /** Absent: on all interfaces. */
  readonly host?: string;
  readonly port: number;
}

/** Any text but the empty one. */
export function parseText(text: string): Parsed<string> {
  return text.trim() === '' ? notParsed('a text') : parsed(text);
}

/** A TCP port; 0 picks a free one. */
export function parsePort(text: string): Parsed<number> {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? parsed(Number(text)) : notParsed('a port between 0 and 65535');
}

/** `:8080`, `127.0.0.1:8080`, `[::1]:8080`. */
export function parseListenAddress(text: string): Parsed<ListenAddress> {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/\s]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65535) return notParsed('an address such as ":8080" or "127.0.0.1:8080"');
  const host = match[1] ?? match[2] ?? '';
  return parsed({ ...(host === '' ? {} : { host }), port });
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration in milliseconds: `500ms`, `30s`, `1m30s`, `2h`. */
export function parseDuration(text: string): Parsed<number> {
  const problem = notParsed('a duration such as "30s" or "1m30s"');
  if (!/^(?:\d+(?:ms|s|m|h))+$/.test(text)) return problem;
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|s|m|h)/g)) ms += Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return Number.isSafeInteger(ms) && ms > 0 ? parsed(ms) : problem;
}

/** A whole number of at least `least`. */
export function parseCount(least: number): (text: string) => Parsed<number> {
  return (text) => (/^\d{1,4}$/.test(text) && Number(text) >= least ? parsed(Number(text)) : notParsed(`a number of at least ${least}`));
}

/** One of a few words. */
export function parseChoice<const T extends string>(...choices: readonly [T, ...T[]]): ValueParser<T> {
  const parse = (text: string): Parsed<T> => {
    const choice = choices.find((each) => each === text);
    return choice === undefined ? notParsed(`one of ${choices.join(', ')}`) : parsed(choice);
  };
  return Object.assign(parse, { choices });
}

/** `https://host:port` with nothing after it: where a kcp answers for all its workspaces. */
export function parseBaseHost(text: string): Parsed<string> {
  const url = parseBareUrl(text);
  return url?.pathname === '/' ? parsed(url.origin) : notParsed('a URL such as "https://kcp.example.com:6443"');
}

/** An object as kubectl names it; the resource may be a plural, a singular, a short name or a kind. */
export interface ResourceName {
  readonly resource: string;
  readonly version?: string;
  readonly group?: string;
  readonly name: string;
}

/** `resource[.version][.group]/name`: `vpcs/my-vpc`, `vpc.network.example.com/my-vpc`, `vpcs.v1.network.example.com/my-vpc`. */
export function parseResourceName(text: string): Parsed<ResourceName> {
  const match =
    /^([A-Za-z][A-Za-z0-9-]*)(?:\.(v\d+(?:(?:alpha|beta)\d+)?))?(?:\.([a-z0-9.-]+))?\/([a-z0-9](?:[a-z0-9.:-]*[a-z0-9])?)$/.exec(text);
  const [, resource, version, group, name] = match ?? [];
  if (resource === undefined || name === undefined) return notParsed('a resource and a name such as "vpcs/my-vpc"');
  return parsed({ resource, ...(version === undefined ? {} : { version }), ...(group === undefined ? {} : { group }), name });
}

/** An https URL without a user, a query or a fragment; undefined for anything else. */
export function parseBareUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && !/\s/.test(text) && isBare(url) ? url : undefined;
}

function isBare(url: URL): boolean {
  return (
    url.username === '' && url.password === '' && url.search === '' && url.hash === '' && !url.href.endsWith('?') && !url.href.endsWith('#')
  );
}
