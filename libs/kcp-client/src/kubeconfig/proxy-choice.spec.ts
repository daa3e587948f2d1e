import { describe, expect, it } from '@jest/globals';
import { proxyChoice, type Environment } from './proxy-choice.js';

const PROXY = 'http://proxy:3128';

describe(proxyChoice, () => {
  const rows: readonly {
    readonly given: string;
    readonly env: Environment;
    readonly target: string;
    readonly expected: string | undefined;
  }[] = [
    { given: 'nothing', env: {}, target: 'https://a.b', expected: undefined },
    { given: 'HTTPS_PROXY', env: { HTTPS_PROXY: PROXY }, target: 'https://a.b', expected: PROXY },
    { given: 'https_proxy', env: { https_proxy: PROXY }, target: 'https://a.b', expected: PROXY },
    { given: 'a proxy without a scheme', env: { HTTPS_PROXY: 'proxy:3128' }, target: 'https://a.b', expected: PROXY },
    { given: 'HTTPS_PROXY and an http target', env: { HTTPS_PROXY: PROXY }, target: 'http://a.b', expected: undefined },
    { given: 'HTTP_PROXY', env: { HTTP_PROXY: PROXY }, target: 'http://a.b', expected: PROXY },
    { given: 'this machine', env: { HTTPS_PROXY: PROXY }, target: 'https://localhost:6443', expected: undefined },
    { given: 'this machine by address', env: { HTTPS_PROXY: PROXY }, target: 'https://127.0.0.1:6443', expected: undefined },
    { given: 'NO_PROXY with the host', env: { HTTPS_PROXY: PROXY, NO_PROXY: 'x, a.b' }, target: 'https://a.b', expected: undefined },
    { given: 'NO_PROXY with a parent domain', env: { HTTPS_PROXY: PROXY, NO_PROXY: 'b' }, target: 'https://a.b', expected: undefined },
    { given: 'NO_PROXY with a domain by dot', env: { HTTPS_PROXY: PROXY, NO_PROXY: '.b' }, target: 'https://a.b', expected: undefined },
    { given: 'NO_PROXY with a domain by star', env: { HTTPS_PROXY: PROXY, NO_PROXY: '*.b' }, target: 'https://a.b', expected: undefined },
    {
      given: 'NO_PROXY with half a word',
      env: { HTTPS_PROXY: PROXY, NO_PROXY: 'xample.com' },
      target: 'https://example.com',
      expected: PROXY,
    },
    { given: 'NO_PROXY with the port', env: { HTTPS_PROXY: PROXY, NO_PROXY: 'a.b:6443' }, target: 'https://a.b:6443', expected: undefined },
    { given: 'NO_PROXY with another port', env: { HTTPS_PROXY: PROXY, NO_PROXY: 'a.b:6443' }, target: 'https://a.b', expected: PROXY },
    {
      given: 'NO_PROXY with a range',
      env: { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' },
      target: 'https://10.1.2.3',
      expected: undefined,
    },
    {
      given: 'NO_PROXY with another range',
      env: { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' },
      target: 'https://11.1.2.3',
      expected: PROXY,
    },
    {
      given: 'NO_PROXY with an IPv6 address',
      env: { HTTPS_PROXY: PROXY, NO_PROXY: 'fd00::1' },
      target: 'https://[fd00::1]:6443',
      expected: undefined,
    },
    {
      given: 'NO_PROXY with garbage',
      env: { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/99,/,::' },
      target: 'https://10.1.2.3',
      expected: PROXY,
    },
    { given: 'NO_PROXY with everything', env: { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, target: 'https://a.b', expected: undefined },
  ];

  it.each(rows)('given $given, then $target goes through $expected', ({ env, target, expected }) => {
    expect(proxyChoice(undefined, env)(new URL(target))).toBe(expected);
  });

  it('given a proxy-url, then it is for every target, whatever the environment says', () => {
    expect(proxyChoice('socks5://p:1080', { NO_PROXY: '*', HTTPS_PROXY: PROXY })(new URL('https://127.0.0.1'))).toBe('socks5://p:1080');
  });
});
