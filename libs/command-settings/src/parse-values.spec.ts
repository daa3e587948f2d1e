import { describe, expect, it } from '@jest/globals';
import { parseBaseHost, parseChoice, parseCount, parseDuration, parseListenAddress, parsePort, parseResourceName } from './parse-values.js';

describe(parsePort, () => {
  it.each([
    ['0', 0],
    ['9443', 9443],
    ['65535', 65535],
  ])('given %j, then it is %i', (text, port) => expect(parsePort(text)).toEqual({ ok: true, value: port }));

  it.each(['', 'x', '-1', '65536', '1.5', ' 1', '0x10', '123456'])('given %j, then it is none', (text) =>
    expect(parsePort(text).ok).toBe(false),
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
  ])('given %j, then it is %j', (text, address) => expect(parseListenAddress(text)).toEqual({ ok: true, value: address }));

  it.each(['', '8080', ':', ':x', ':65536', '::1:8080', 'a b:1', 'http://x:1', '[x]:1'])('given %j, then it is none', (text) =>
    expect(parseListenAddress(text).ok).toBe(false),
  );
});

describe(parseDuration, () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['2h', 7_200_000],
  ])('given %j, then it is %i ms', (text, ms) => expect(parseDuration(text)).toEqual({ ok: true, value: ms }));

  it.each(['', '30', 's', '1.5s', '-1s', '1 s', '1d', '0s', '9999999999999999h'])('given %j, then it is none', (text) =>
    expect(parseDuration(text).ok).toBe(false),
  );
});

describe(parseBaseHost, () => {
  it('given a URL without a path, then it is an origin', () => {
    expect(parseBaseHost('https://kcp.example.com:6443/')).toEqual({ ok: true, value: 'https://kcp.example.com:6443' });
  });

  it.each(['https://kcp:6443/clusters/root', 'http://kcp:6443', 'kcp:6443', 'https://kcp:6443?a'])('given %j, then it is none', (text) =>
    expect(parseBaseHost(text).ok).toBe(false),
  );
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
  ])('given %j, then it is %j', (text, value) => expect(parseResourceName(text)).toEqual({ ok: true, value }));

  it.each(['', 'vpcs', '/x', 'vpcs/', 'vpcs/a/b', 'vpcs./x', 'vpcs/-a'])('given %j, then it is none', (text) =>
    expect(parseResourceName(text).ok).toBe(false),
  );
});

describe('words and numbers', () => {
  it('given a choice or a count, then only their own values pass', () => {
    expect(parseChoice('json', 'yaml')('yaml')).toEqual({ ok: true, value: 'yaml' });
    expect(parseChoice('json', 'yaml')('xml')).toEqual({ ok: false, problem: 'one of json, yaml' });
    expect(parseCount(1)('2')).toEqual({ ok: true, value: 2 });
    expect(parseCount(1)('0').ok).toBe(false);
  });
});
