import { describe, expect, it } from '@jest/globals';
import { parseServerUrl, parseVirtualWorkspaceUrl } from './server-url.js';

const SUCH_AS = 'such as "https://kcp.example.com:6443/clusters/root"';

/** What neither is. */
const REFUSED = [
  { text: 'kcp', problem: `"kcp" is not a server address: expected a URL ${SUCH_AS}` },
  { text: 'ftp://kcp', problem: `"ftp://kcp" is not an http or https URL ${SUCH_AS}` },
  { text: 'https://user@kcp', problem: 'the server address of "kcp" should hold no user or password' },
  { text: 'https://:secret@kcp', problem: 'the server address of "kcp" should hold no user or password' },
  { text: 'https://kcp/?a=b', problem: `"https://kcp/?a=b" should end with its path, ${SUCH_AS}` },
  { text: 'https://kcp/#a', problem: `"https://kcp/#a" should end with its path, ${SUCH_AS}` },
];

describe(parseServerUrl, () => {
  it.each([
    { text: 'https://kcp:6443', expected: { baseUrl: 'https://kcp:6443' } },
    { text: 'http://kcp//', expected: { baseUrl: 'http://kcp' } },
    { text: 'https://kcp/behind/a/proxy/', expected: { baseUrl: 'https://kcp/behind/a/proxy' } },
    { text: 'https://kcp/clusters', expected: { baseUrl: 'https://kcp' } },
    { text: 'https://kcp/clusters/*', expected: { baseUrl: 'https://kcp' } },
    { text: 'https://kcp/clusters/root:network', expected: { baseUrl: 'https://kcp', workspace: 'root:network' } },
    { text: 'https://kcp/clusters/root%3Anetwork%3aeast/', expected: { baseUrl: 'https://kcp', workspace: 'root:network:east' } },
    { text: 'https://kcp/clusters/1k7ez4pisisnd9rg', expected: { baseUrl: 'https://kcp', workspace: '1k7ez4pisisnd9rg' } },
    { text: 'https://kcp/clusters/system:admin', expected: { baseUrl: 'https://kcp', workspace: 'system:admin' } },
    { text: 'https://kcp/proxy/clusters/root', expected: { baseUrl: 'https://kcp/proxy', workspace: 'root' } },
    { text: 'https://kcp/clusters/root/clusters/a', expected: { baseUrl: 'https://kcp/clusters/root', workspace: 'a' } },
    { text: 'https://kcp/clusters/root/api', expected: { baseUrl: 'https://kcp/clusters/root/api' } },
  ])('given $text, then it is taken apart', ({ text, expected }) => {
    expect(parseServerUrl(text)).toStrictEqual({ ok: true, value: expected });
  });

  it.each([...REFUSED])('given $text, then it says why it is none', ({ text, problem }) => {
    expect(parseServerUrl(text)).toEqual({ ok: false, problem });
  });

  it('given an address that is no path, then it says why it is none', () => {
    const answer = parseServerUrl('https://kcp/clusters/Root');

    expect(answer.ok ? '' : answer.problem).toMatch(/^"Root" is not a workspace path: /);
  });
});

describe(parseVirtualWorkspaceUrl, () => {
  it.each([
    { text: 'https://kcp:6443/services/apiexport/a/b', expected: 'https://kcp:6443/services/apiexport/a/b' },
    { text: 'https://kcp:6443/services/apiexport/a/b//', expected: 'https://kcp:6443/services/apiexport/a/b' },
  ])('given $text, then it ends without a slash', ({ text, expected }) => {
    expect(parseVirtualWorkspaceUrl(text)).toEqual({ ok: true, value: expected });
  });

  it.each(REFUSED)('given $text, then it says why it is none', ({ text, problem }) => {
    expect(parseVirtualWorkspaceUrl(text)).toEqual({ ok: false, problem });
  });
});
