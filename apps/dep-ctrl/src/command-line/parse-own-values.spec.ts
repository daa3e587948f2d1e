import { describe, expect, it } from '@jest/globals';
import { parseLoopbackAddress, parsePath, parseWebhookUrl } from './parse-own-values.js';

describe(parseWebhookUrl, () => {
  it.each([
    'https://h.example.com:9443',
    'https://h.example.com:9443/',
    'https://h.example.com:9443/validate',
    'https://h.example.com:9443/validate/',
  ])('given %j, then kcp calls /validate on it', (text) => {
    expect(parseWebhookUrl(text)).toEqual({ ok: true, value: 'https://h.example.com:9443/validate' });
  });

  it('given the default port, then it is left out', () => {
    expect(parseWebhookUrl('https://h:443')).toEqual({ ok: true, value: 'https://h/validate' });
  });

  it.each([
    '',
    'h:9443',
    'http://h:9443',
    'https://h:9443/other',
    'https://h:9443/validate/abc',
    'https://h:9443?x=1',
    'https://h:9443/?',
    'https://h:9443/#a',
    'https://user@h:9443',
    'https://user:secret@h:9443',
    ' https://h:9443',
  ])('given %j, then it is none', (text) => expect(parseWebhookUrl(text).ok).toBe(false));
});

describe(parsePath, () => {
  it('given a path, then it passes; given half of one, then not', () => {
    expect(parsePath('root:dep-ctrl')).toEqual({ ok: true, value: 'root:dep-ctrl' });
    expect(parsePath('root:').ok).toBe(false);
  });
});

describe(parseLoopbackAddress, () => {
  it.each([
    { text: '127.0.0.1:8090', host: '127.0.0.1', port: 8090 },
    { text: '127.8.9.10:0', host: '127.8.9.10', port: 0 },
    { text: ':8090', host: '127.0.0.1', port: 8090 },
    { text: 'localhost:1', host: 'localhost', port: 1 },
    { text: '[::1]:8090', host: '::1', port: 8090 },
  ])('given $text, then it is $host and $port', ({ text, host, port }) => {
    expect(parseLoopbackAddress(text)).toEqual({ ok: true, value: { host, port } });
  });

  it.each(['0.0.0.0:8090', '[::]:8090', '10.0.0.1:80', '127.0.0.1', '127.evil.example.com:80', '127.0.0.1:99999', ''])(
    'given %j, then it is none',
    (text) => expect(parseLoopbackAddress(text).ok).toBe(false),
  );
});
