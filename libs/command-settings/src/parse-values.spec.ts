import { describe, expect, it } from '@jest/globals';
import {
  parseBareUrl,
  parseBaseHost,
  parseChoice,
  parseCount,
  parseDuration,
  parseListenAddress,
  parsePort,
  parseResourceName,
  parseText,
} from './parse-values.js';

describe(parseText, () => {
  it.each(['a', ' a '])('given %j, then it is that', (text) => expect(parseText(text)).toEqual({ ok: true, value: text }));

  it.each(['', ' \n'])('given %j, then it is none', (text) => expect(parseText(text)).toEqual({ ok: false, problem: 'a text' }));
});

describe(parsePort, () => {
  it.each([
    ['0', 0],
    ['9443', 9443],
    ['65535', 65535],
  ])('given %j, then it is %i', (text, port) => expect(parsePort(text)).toEqual({ ok: true, value: port }));

  it.each(['', 'x', '-1', '65536', '1.5', ' 1', '1 ', '0x10', '123456', '000001'])('given %j, then it is none', (text) =>
    expect(parsePort(text)).toEqual({ ok: false, problem: 'a port between 0 and 65535' }),
  );
});

describe(parseListenAddress, () => {
  it.each([
    [':8080', { port: 8080 }],
    [':0', { port: 0 }],
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['localhost:1', { host: 'localhost', port: 1 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
    ['[::]:8080', { host: '::', port: 8080 }],
    ['[::ffff:10.0.0.1]:8080', { host: '::ffff:10.0.0.1', port: 8080 }],
    ['[FE80::A]:65535', { host: 'FE80::A', port: 65535 }],
  ])('given %j, then it is %j', (text, address) => expect(parseListenAddress(text)).toStrictEqual({ ok: true, value: address }));

  it.each(['', '8080', ':', ':x', ':65536', ':000001', ':1 ', '::1:8080', 'a b:1', ' :1', 'http://x:1', '[x]:1', '[]:1', 'a[::1]:1'])(
    'given %j, then it is none',
    (text) => expect(parseListenAddress(text)).toEqual({ ok: false, problem: 'an address such as ":8080" or "127.0.0.1:8080"' }),
  );
});

describe(parseDuration, () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['2h', 7_200_000],
  ])('given %j, then it is %i ms', (text, ms) => expect(parseDuration(text)).toEqual({ ok: true, value: ms }));

  it.each(['', '30', 's', '1.5s', '-1s', '1s ', '1 s', '1d', '0s', '9999999999999999h'])('given %j, then it is none', (text) =>
    expect(parseDuration(text)).toEqual({ ok: false, problem: 'a duration such as "30s" or "1m30s"' }),
  );
});

describe(parseBaseHost, () => {
  it('given a URL without a path, then it is an origin', () => {
    expect(parseBaseHost('https://kcp.example.com:6443/')).toEqual({ ok: true, value: 'https://kcp.example.com:6443' });
  });

  it.each(['https://kcp:6443/clusters/root', 'http://kcp:6443', 'kcp:6443', 'https://kcp:6443?a'])('given %j, then it is none', (text) =>
    expect(parseBaseHost(text)).toEqual({ ok: false, problem: 'a URL such as "https://kcp.example.com:6443"' }),
  );
});

describe(parseBareUrl, () => {
  it('given a URL with a path, then it is that', () => {
    expect(parseBareUrl('https://kcp:6443/a')?.href).toBe('https://kcp:6443/a');
  });

  it.each([
    'x',
    'http://kcp/a',
    'https://kcp/a b',
    ' https://kcp/a',
    'https://me@kcp/a',
    'https://:secret@kcp/a',
    'https://kcp/a?b',
    'https://kcp/a#b',
    'https://kcp/a?',
    'https://kcp/a#',
  ])('given %j, then it is none', (text) => expect(parseBareUrl(text)).toBeUndefined());
});

describe(parseResourceName, () => {
  it.each([
    ['vpcs/my-vpc', { resource: 'vpcs', name: 'my-vpc' }],
    ['vpcs.network.example.com/my-vpc', { resource: 'vpcs', group: 'network.example.com', name: 'my-vpc' }],
    ['vpcs.v1alpha1.network.example.com/x', { resource: 'vpcs', version: 'v1alpha1', group: 'network.example.com', name: 'x' }],
    ['vpcs.v1/x', { resource: 'vpcs', version: 'v1', name: 'x' }],
    ['vpcs.v1x.example.com/x', { resource: 'vpcs', group: 'v1x.example.com', name: 'x' }],
    ['VPC/x', { resource: 'VPC', name: 'x' }],
    ['vpcs/a.b', { resource: 'vpcs', name: 'a.b' }],
    ['clusterroles/system:a', { resource: 'clusterroles', name: 'system:a' }],
    ['v/0', { resource: 'v', name: '0' }],
    ['vpcs.v12beta34/x', { resource: 'vpcs', version: 'v12beta34', name: 'x' }],
    ['v2-pcs.v2/x', { resource: 'v2-pcs', version: 'v2', name: 'x' }],
  ])('given %j, then it is %j', (text, value) => expect(parseResourceName(text)).toStrictEqual({ ok: true, value }));

  it.each([
    '',
    'vpcs',
    '/x',
    'vpcs/',
    'vpcs/a/b',
    'vpcs./x',
    'vpcs/-a',
    'vpcs/a-',
    'vpcs/A',
    'vpcs/a b',
    '1vpcs/x',
    'a vpcs/x',
    'vpcs.A/x',
  ])('given %j, then it is none', (text) =>
    expect(parseResourceName(text)).toEqual({ ok: false, problem: 'a resource and a name such as "vpcs/my-vpc"' }),
  );
});

describe(parseChoice, () => {
  it('given some words, then only these pass, and they are told', () => {
    const parse = parseChoice('json', 'yaml');

    expect(parse('yaml')).toEqual({ ok: true, value: 'yaml' });
    expect(parse('xml')).toEqual({ ok: false, problem: 'one of json, yaml' });
    expect(parse.choices).toEqual(['json', 'yaml']);
  });
});

describe(parseCount, () => {
  it.each([
    ['2', 2],
    ['12', 12],
    ['9999', 9999],
  ])('given %j, then it is %i', (text, count) => expect(parseCount(2)(text)).toEqual({ ok: true, value: count }));

  it.each(['', '1', 'x2', '2x', '10000', '-2', '2.5'])('given %j, then it is none', (text) =>
    expect(parseCount(2)(text)).toEqual({ ok: false, problem: 'a number of at least 2' }),
  );
});
