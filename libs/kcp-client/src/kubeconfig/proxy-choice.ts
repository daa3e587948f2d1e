// Which proxy leads to a server, by the rules of Go's programs: proxy-url of the cluster, else HTTPS_PROXY and HTTP_PROXY, except for
// hosts in NO_PROXY and for this machine itself.
import { BlockList, isIP } from 'node:net';
import type { ProxyChoice } from '../http/credentials.js';

/** The environment of a process, or a part of it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Makes the choice for every server of a connection. */
export function proxyChoice(proxyUrl: string | undefined, env: Environment): ProxyChoice {
  if (proxyUrl !== undefined) return () => proxyUrl;
  const [https, http] = [read(env, 'https_proxy'), read(env, 'http_proxy')];
  if (https === undefined && http === undefined) return () => undefined;
  const exceptions = (read(env, 'no_proxy') ?? '').split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim().toLowerCase()]));
  return (target) => {
    const proxy = target.protocol === 'https:' ? https : http;
    if (proxy === undefined || isThisMachine(hostOf(target)) || exceptions.some((entry) => matches(entry, target))) return undefined;
    return proxy.includes('://') ? proxy : `http://${proxy}`;
  };
}

function read(env: Environment, name: string): string | undefined {
  const value = env[name.toUpperCase()] ?? env[name];
  return value === undefined || value === '' ? undefined : value;
}

function matches(entry: string, target: URL): boolean {
  if (entry === '*') return true;
  const host = hostOf(target);
  if (entry.includes('/')) return isInRange(entry, host);
  const [, name = entry, port] = /^(.*?|\[.*\]):(\d+)$/u.exec(entry) ?? [];
  if (port !== undefined && isIP(entry) === 0 && port !== portOf(target)) return false;
  const wanted = (isIP(entry) === 0 ? name : entry).replace(/^\[|\]$/gu, '').replace(/^\*\./u, '.');
  if (wanted.startsWith('.')) return host.endsWith(wanted);
  return host === wanted || (isIP(wanted) === 0 && host.endsWith(`.${wanted}`));
}

function isInRange(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const [version, hostVersion] = [isIP(network), isIP(host)];
  if (version === 0 || hostVersion !== version || !/^\d{1,3}$/u.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const type = version === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(network, Number(bits), type);
  return range.check(host, type);
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function hostOf(target: URL): string {
  return target.hostname.toLowerCase().replace(/^\[|\]$/gu, '');
}

function portOf(target: URL): string {
  return target.port !== '' ? target.port : target.protocol === 'https:' ? '443' : '80';
}
